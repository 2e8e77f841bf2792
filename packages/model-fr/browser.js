/** The address of the model, for `load` of @stemma/core. */
export default new URL("./fr.stemma", import.meta.url);
