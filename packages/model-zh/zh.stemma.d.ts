/** The file as a bundler provides it, for `load` of @stemma/core: its address, or its bytes. */
declare const model: string | Uint8Array | ArrayBuffer;
export default model;
