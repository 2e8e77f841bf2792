/** The address of the model, for `load` of @stemma/core. */
export default new URL("./fa.stemma", import.meta.url);
