/** The address of the model, for `load` of @stemma/core. */
export default new URL("./es.stemma", import.meta.url);
