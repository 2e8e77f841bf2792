import { loadProgram } from "./program.js";

const program = await loadProgram(process.argv[2]);
await program.parseAsync();
