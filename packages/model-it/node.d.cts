/** The bytes of the Italian model, for `load` of @stemma/core. */
declare const model: Uint8Array;
export = model;
