// Measures the server and corpora, one thing after the other, on a machine with nothing else to do.
//   PYTHON=python3 node bench/reliability/at-rest.mjs [--only soak,server] [--kills 100] [--seconds 600]
// after npm run build; about an hour. PYTHON is one with pyspark, pyarrow and pandas. Prints the command of each, the load
// average before it and what it prints; ends with status 1 if one of them does. Figures go to docs/server.md,
// docs/experiments/server.md, docs/corpora.md and docs/reliability.md.
import { spawnSync } from "node:child_process";
import { availableParallelism, loadavg } from "node:os";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const PYTHON = process.env.PYTHON ?? "python3";
const { values } = parseArgs({
  options: {
    only: { type: "string" },
    kills: { type: "string", default: "100" },
    seconds: { type: "string", default: "600" },
  },
});
const SOAK = `bench/reliability/server-soak.mjs --shipped --seconds ${values.seconds} --quiet 10 --restarts 10 --one-each`;
const CORPUS = "bench/speed/corpus.mjs";
/** @type {Record<string, string>} */
const COMMANDS = {
  soak: SOAK,
  server: "bench/speed/server.mjs --seconds 60",
  processes: `${CORPUS} speed --documents 800 --rounds 3`,
  spark: `${CORPUS} speed --documents 200 --rounds 1 --spark ${PYTHON}`,
  formats: `${CORPUS} formats --documents 40 --rounds 5`,
  search: `${CORPUS} search`,
  shards: `${CORPUS} kill --shards 4 --kills ${values.kills}`,
  executors: "integrations/spark/test.mjs",
};
const names = values.only?.split(",") ?? Object.keys(COMMANDS);
for (const name of names) {
  if (COMMANDS[name] === undefined) {
    throw new Error(`unknown: ${name} (expected ${Object.keys(COMMANDS).join(", ")})`);
  }
}
for (const name of names) {
  const command = /** @type {string} */ (COMMANDS[name]);
  const load = loadavg()[0]?.toFixed(1);
  console.log(`\n== ${name}: node ${command} (load average ${load} on ${availableParallelism()} cores)`);
  const begun = performance.now();
  const { status } = spawnSync(process.execPath, command.split(" "), {
    cwd: fileURLToPath(new URL("../..", import.meta.url)),
    env: { ...process.env, PYTHON, EXECUTOR_KILLS: values.kills },
    stdio: "inherit",
  });
  console.log(`== ${name}: status ${status} after ${((performance.now() - begun) / 1000).toFixed(0)} s`);
  if (status !== 0) process.exitCode = 1;
}
