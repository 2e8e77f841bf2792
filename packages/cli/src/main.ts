import { loadProgram } from "./program.js";

// Messages that nobody reads any more, as in `stemma train … 2>&1 | head`, are no reason to stop.
process.stderr.on("error", () => {});

const program = await loadProgram(process.argv[2]);
await program.parseAsync();
