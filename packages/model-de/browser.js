/** The address of the model, for `load` of @stemma/core. */
export default new URL("./de.stemma", import.meta.url);
