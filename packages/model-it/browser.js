/** The address of the model, for `load` of @stemma/core. */
export default new URL("./it.stemma", import.meta.url);
