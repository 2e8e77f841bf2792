/** What a bundler makes of the file, for `load` of @stemma/core: its address, or its bytes. */
declare const model: string | Uint8Array | ArrayBuffer;
export default model;
