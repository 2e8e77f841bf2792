import { setFlagsFromString } from "node:v8";
import { loadProgram } from "./program.js";

// Messages that nobody reads any more, as in `stemma train … 2>&1 | head`, are no reason to stop.
process.stderr.on("error", () => {});

// Under `ulimit -v` (docs/reliability.md): each memory of WebAssembly that may grow would take up to 4 GB of addresses,
// and leave none to the heap. 256 MB are enough for models and sentences, but not for all that learns.
const options = `${process.env.NODE_OPTIONS} ${process.execArgv.join(" ")}`;
if (options.includes("--disable-wasm-trap-handler") && !/^(train|experiment)$/.test(process.argv[2] ?? "")) {
  setFlagsFromString("--wasm-max-mem-pages=4096");
}

const program = await loadProgram(process.argv[2]);
await program.parseAsync();
