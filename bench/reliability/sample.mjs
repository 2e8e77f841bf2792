// A sample of each measurement of reliability, in about a minute: npm run test:reliability (after npm run build).
// docs/reliability.md has those in full.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const SAMPLES = [
  ["fuzz-inputs.mjs", "--runs", "8000"],
  ["fuzz-models.mjs", "--runs", "800"],
  ["kill.mjs", "--moments", "2", "--only", "linear,parse"],
  ["failing-writes.mjs", "--only", "convert", "--every", "4"],
  ["long-inputs.mjs", "--most", "0.05", "--only", "of a sentence"],
  ["same-elsewhere.mjs", "--only", "parse"],
];
const failed = SAMPLES.filter(([file, ...args]) => {
  console.log(`== ${file} ${args.join(" ")}`);
  const path = fileURLToPath(new URL(/** @type {string} */ (file), import.meta.url));
  return spawnSync(process.execPath, [path, ...args], { stdio: "inherit" }).status !== 0;
});
for (const [file] of failed) console.error(`FAILED bench/reliability/${file}`);
process.exitCode = failed.length > 0 ? 1 : 0;
