/** The address of the model, for `load` of @stemma/core. */
export default new URL("./ru.stemma", import.meta.url);
