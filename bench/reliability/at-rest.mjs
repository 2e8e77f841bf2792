// Measures the server and corpora, one thing after the other, on a machine with nothing else to do.
//   PYTHON=python3 node bench/reliability/at-rest.mjs [--only soak,server] [--kills 100] [--seconds 600] [--short]
// after npm run build; about an hour, of which soak takes 12 minutes. PYTHON is one with pyspark, pyarrow and pandas.
// --short does little of each, to see that all of it works. Prints the commit, the command of each, the load average
// before it and what it prints; ends with status 1 if one of them does.
// The figures of soak go to docs/experiments/server.md ("Hostile clients") and docs/server.md ("Performance"), those of
// server there ("Throughput", "Performance"), those of processes, spark and formats to docs/corpora.md ("Figures"), those
// of search, shards and executors there ("Documents", "Parts and shards", "Spark").
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
    short: { type: "boolean", default: false },
  },
});
const { short } = values;
const [kills, seconds] = short ? ["3", "15"] : [values.kills, values.seconds];
const soak = short ? "--quiet 2 --restarts 2" : "--quiet 10 --restarts 10";
/** Documents and rounds. @param {number} documents @param {number} rounds */
const corpus = (documents, rounds) => `--documents ${short ? 20 : documents} --rounds ${short ? 1 : rounds}`;
const CORPUS = "bench/speed/corpus.mjs";
/** @type {Record<string, string>} */
const COMMANDS = {
  soak: `bench/reliability/server-soak.mjs --shipped --seconds ${seconds} ${soak} --one-each`,
  server: `bench/speed/server.mjs --seconds ${short ? 5 : 60}`,
  processes: `${CORPUS} speed ${corpus(800, 3)}`,
  spark: `${CORPUS} speed ${corpus(200, 1)} --spark ${PYTHON}`,
  formats: `${CORPUS} formats ${corpus(40, 5)}`,
  search: `${CORPUS} search --copies ${short ? 2 : 40}`,
  shards: `${CORPUS} kill --shards 4 --kills ${kills}`,
  executors: "integrations/spark/test.mjs",
};
const names = values.only?.split(",") ?? Object.keys(COMMANDS);
for (const name of names) {
  if (COMMANDS[name] === undefined) {
    throw new Error(`unknown: ${name} (expected ${Object.keys(COMMANDS).join(", ")})`);
  }
}
const root = fileURLToPath(new URL("../..", import.meta.url));
const git = spawnSync("git", ["describe", "--always", "--dirty"], { cwd: root, encoding: "utf8" });
console.log(`commit ${git.stdout.trim()}, Node ${process.version}`);
for (const name of names) {
  const command = /** @type {string} */ (COMMANDS[name]);
  const load = loadavg()[0]?.toFixed(1);
  console.log(`\n== ${name}: node ${command} (load average ${load} on ${availableParallelism()} cores)`);
  const begun = performance.now();
  const { status } = spawnSync(process.execPath, command.split(" "), {
    cwd: root,
    env: { ...process.env, PYTHON, EXECUTOR_KILLS: kills },
    stdio: "inherit",
  });
  console.log(`== ${name}: status ${status} after ${((performance.now() - begun) / 1000).toFixed(0)} s`);
  if (status !== 0) process.exitCode = 1;
}
