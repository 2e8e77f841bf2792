import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * The bytes of the model, for `load` of @stemma/core. By its path: bundlers for servers would make an address for pages
 * of new URL(…, import.meta.url).
 */
export default await readFile(join(dirname(fileURLToPath(import.meta.url)), "en.stemma"));
