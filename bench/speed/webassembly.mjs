// How many times as long parsing takes where WebAssembly may not be compiled, in processor time of one run:
//
//   node bench/speed/webassembly.mjs [MODEL.stemma]
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const [model = fileURLToPath(new URL("../../packages/model-en-small/en-small.stemma", import.meta.url)), mode] =
  process.argv.slice(2);
const TEXT = "The old mill wheel turns slowly in the spring, and nobody who lives nearby has ever tried to stop it. ";

if (mode === undefined) {
  const times = ["with", "without"].map((how) =>
    Number(execFileSync(process.execPath, [fileURLToPath(import.meta.url), model, how], { encoding: "utf8" })),
  );
  const [fast = 0, slow = 0] = times;
  console.log(`${Math.round(fast)} and ${Math.round(slow)} words a second: ${(fast / slow).toFixed(1)} times as long`);
} else {
  if (mode === "without") {
    const forbidden = /** @type {any} */ (globalThis).WebAssembly;
    forbidden.Module = () => {
      throw new Error("not allowed");
    };
    console.warn = () => {};
  }
  const { load } = await import("../../packages/core/dist/index.js");
  const parser = await load(model);
  const count = (/** @type {number} */ times) =>
    [...parser.parse(TEXT.repeat(times))].reduce((sum, { length }) => sum + length, 0);
  count(20);
  const before = process.cpuUsage();
  const words = count(mode === "with" ? 400 : 40);
  const { user, system } = process.cpuUsage(before);
  console.log((1e6 * words) / (user + system));
}
