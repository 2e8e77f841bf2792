/** The address of the model, for `load` of @stemma/core. Vite, webpack and Parcel know this form and copy the file. */
export default new URL("./en-small.stemma", import.meta.url);
