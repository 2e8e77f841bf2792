import { readFile } from "node:fs/promises";

/** The bytes of the model, for `load` of @stemma/core. */
export default await readFile(new URL("./en-roles.stemma", import.meta.url));
