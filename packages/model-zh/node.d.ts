/** The bytes of the Chinese model, for `load` of @stemma/core. */
declare const model: Uint8Array;
export default model;
