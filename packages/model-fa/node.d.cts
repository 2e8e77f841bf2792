/** The bytes of the Persian model, for `load` of @stemma/core. */
declare const model: Uint8Array;
export = model;
