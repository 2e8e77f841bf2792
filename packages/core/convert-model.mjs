// Rewrites a model file of an earlier format as one of today's; the model parses as before.
//   node packages/core/convert-model.mjs OLD NEW
import { readFileSync, writeFileSync } from "node:fs";
import { loadModel, writeModel } from "./dist/index.js";

const [from, to] = process.argv.slice(2);
if (to === undefined) throw new TypeError("usage: node packages/core/convert-model.mjs OLD NEW");
const bytes = writeModel(await loadModel(readFileSync(from), from));
writeFileSync(to, bytes);
console.log(`${to}: ${bytes.length} bytes`);
