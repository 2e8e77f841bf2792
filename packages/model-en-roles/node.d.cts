/** The bytes of the English model with semantic roles, for `load` of @stemma/core. */
declare const model: Uint8Array;
export = model;
