import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The bytes of the Chinese model, for `load` of @stemma/core. */
export default await readFile(join(dirname(fileURLToPath(import.meta.url)), "zh.stemma"));
