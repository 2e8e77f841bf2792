/** The address of the model, for `load` of @stemma/core. */
export default new URL("./zh.stemma", import.meta.url);
