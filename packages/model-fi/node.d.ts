/** The bytes of the Finnish model, for `load` of @stemma/core. */
declare const model: Uint8Array;
export default model;
