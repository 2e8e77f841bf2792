/** The bytes of the Spanish model, for `load` of @stemma/core. */
declare const model: Uint8Array;
export default model;
