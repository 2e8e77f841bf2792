/** The address of the model, for `load` of @stemma/core. Vite, webpack and Parcel know this form and copy the file. */
export default new URL("./en-roles.stemma", import.meta.url);
