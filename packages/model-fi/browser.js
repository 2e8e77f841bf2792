/** The address of the model, for `load` of @stemma/core. */
export default new URL("./fi.stemma", import.meta.url);
