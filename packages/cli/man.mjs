// Writes the manual page from the help of the commands: node packages/cli/man.mjs [FILE] (npm run man), man/stemma.1 if
// no file is given.
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { loadProgram } from "./dist/program.js";
import { manualPage } from "./dist/terminal/manual.js";

const file = process.argv[2] ?? fileURLToPath(new URL("man/stemma.1", import.meta.url));
writeFileSync(file, manualPage(await loadProgram()));
