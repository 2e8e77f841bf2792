/** The bytes of the small English model, for `load` of @stemma/core. */
declare const model: Uint8Array;
export = model;
