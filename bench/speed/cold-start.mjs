// Processor time of a program that parses one sentence: import, load, first parse, each time in a new process of Node;
// and that of the modules as pages get them, with an import for each file:
//
//   node bench/speed/cold-start.mjs [--model FILE] [--runs 15]
//
// On a busy machine the least of the runs says most.
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const path = (/** @type {string} */ file) => fileURLToPath(new URL(`../../packages/${file}`, import.meta.url));
const { values } = parseArgs({
  options: {
    model: { type: "string", default: path("model-en-small/en-small.stemma") },
    runs: { type: "string", default: "15" },
  },
});
const STEPS = ["import", "load", "first parse", "in all"];

/** @param {string} entry */
const script = (entry) => `
const spent = () => { const { user, system } = process.cpuUsage(); return (user + system) / 1000; };
const times = [spent()];
const { load } = await import(${JSON.stringify(entry)});
times.push(spent());
const parser = await load(${JSON.stringify(values.model)});
times.push(spent());
const [sentence] = parser.parse("The old mill wheel turns slowly in the spring.");
sentence.root.form;
times.push(spent());
console.log(JSON.stringify([...times.slice(1).map((time, i) => time - times[i]), times[3] - times[0]]));`;

/** @type {Record<string, number[][]>} */
const results = { "core/dist/esm/index.js": [], "core/dist/index.js": [] };
for (let i = 0; i < Number(values.runs); i++)
  for (const [entry, runs] of Object.entries(results)) {
    const args = ["--input-type=module", "-e", script(path(entry))];
    runs.push(JSON.parse(execFileSync(process.execPath, args, { encoding: "utf8" })));
  }
for (const [entry, runs] of Object.entries(results)) {
  const figures = STEPS.map((step, k) => {
    const sorted = runs.map((run) => run[k] ?? 0).sort((a, b) => a - b);
    return `${step} ${sorted[0]?.toFixed(0)} (${sorted[sorted.length >> 1]?.toFixed(0)})`;
  });
  console.log(`${entry}: ${figures.join(", ")} ms; least (median) of ${values.runs}`);
}
