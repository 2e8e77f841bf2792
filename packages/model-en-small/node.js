import { readFile } from "node:fs/promises";

/** The bytes of the model, for `load` of @stemma/core. */
export default await readFile(new URL("./en-small.stemma", import.meta.url));
