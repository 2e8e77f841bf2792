/** The English model, for `load` of @stemma/core: its bytes in Node, its address in a browser. */
declare const model: Uint8Array | URL;
export default model;
