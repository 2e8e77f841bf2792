// Kills commands with SIGKILL at random moments, takes them up again until they end, and compares what they write with
// an undisturbed run:
//   node bench/reliability/kill.mjs [--moments 100] [--seed 1] [--only linear,network,pipeline,experiment,parse]
// (after npm run build). Works on sentences of the English model's own output, so it needs nothing from elsewhere.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const { values } = parseArgs({
  options: {
    moments: { type: "string", default: "100" },
    seed: { type: "string", default: "1" },
    only: { type: "string", default: "linear,network,pipeline,experiment,parse" },
  },
});
const STEMMA = fileURLToPath(new URL("../../packages/cli/bin/stemma.js", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "stemma-kill-"));
const text =
  "The old mill wheel turns slowly in the spring. She saw him yesterday, and he waved.\n\nNobody knew why.\n\n".repeat(
    40,
  );
writeFileSync(join(folder, "text.txt"), text);
const parsed = spawnSync(process.execPath, [STEMMA, "parse", join(folder, "text.txt")], { encoding: "utf8" });
writeFileSync(join(folder, "data.conllu"), parsed.stdout);

/** @type {Record<string, (out: string, again: boolean) => string[]>} */
const COMMANDS = {
  linear: train("--epochs", "8"),
  network: train("--network", "--epochs", "3", "--layers", "1", "--width", "16", "--hidden", "16"),
  pipeline: train("--pipeline", "--folds", "2", "--epochs", "3"),
  experiment: (out) => {
    const treebanks = [{ name: "a", train: "data.conllu", dev: "data.conllu" }];
    const spec = {
      title: "Killed",
      treebanks,
      systems: ["arc-standard", "arc-hybrid"],
      oracles: ["static", "dynamic"],
      seeds: [1],
      options: { epochs: 3 },
    };
    writeFileSync(`${out}.json`, JSON.stringify(spec));
    return ["experiment", `${out}.json`, "--jobs", "1"];
  },
  parse: (out) => ["parse", "-o", out, join(folder, "text.txt")],
};

/**
 * The output: a file, or all results of an experiment but for the seconds they took. @param {string} out @returns
 * {Map<string, string>}
 */
function written(out) {
  if (!existsSync(out)) return new Map();
  if (statSync(out).isFile()) return new Map([["", readFileSync(out, "latin1")]]);
  const names = readdirSync(join(out, "results")).filter((name) => name.endsWith(".json"));
  const withoutSeconds = (/** @type {string} */ name) =>
    JSON.stringify({ ...JSON.parse(readFileSync(join(out, "results", name), "utf8")), seconds: undefined });
  return new Map(names.map((name) => [name, withoutSeconds(name)]));
}

/** @param {string[]} options */
function train(...options) {
  return (/** @type {string} */ out, /** @type {boolean} */ again) => [
    ...["train", join(folder, "data.conllu"), "--dev", join(folder, "data.conllu"), "--model", out, ...options],
    ...(again ? ["--resume"] : []),
  ];
}

// A small generator, so that the moments can be had again.
let state = Number(values.seed);
const random = () => {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return state / 2 ** 32;
};

/**
 * Runs a command, and kills it after so many milliseconds; whether it ended before.
 * @param {string[]} args
 * @param {number} after
 * @returns {Promise<boolean>}
 */
function killed(args, after) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [STEMMA, ...args], { stdio: "ignore" });
    const timer = setTimeout(() => child.kill("SIGKILL"), after);
    child.on("close", (status) => {
      clearTimeout(timer);
      resolve(status === 0);
    });
  });
}

let unlike = 0;
for (const name of values.only.split(",")) {
  const command = COMMANDS[name];
  const whole = join(folder, `${name}.whole`);
  const started = performance.now();
  const { status, stderr } = spawnSync(process.execPath, [STEMMA, ...command(whole, false)], { encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
  const time = performance.now() - started;
  const expected = written(whole);
  if (expected.size === 0) throw new Error(`${name}: nothing was written`);
  let [kills, different, failed] = [0, 0, 0];
  const moments = Number(values.moments);
  while (kills < moments) {
    const out = join(folder, `${name}.out`);
    let again = false;
    for (let attempt = 0; ; attempt++) {
      // After some kills it is left alone, and has to end.
      const leave = attempt >= 3 || kills >= moments;
      if (await killed(command(out, again), leave ? 1e6 : random() * time)) break;
      if (leave) {
        failed++;
        break;
      }
      kills++;
      // Half of a file must never have the name.
      for (const [file, content] of written(out)) if (content !== expected.get(file)) different++;
      again = true;
    }
    const found = written(out);
    if ([...expected].some(([file, content]) => found.get(file) !== content)) different++;
    for (const left of readdirSync(folder)) {
      if (left.startsWith(`${name}.out`)) rmSync(join(folder, left), { recursive: true });
    }
  }
  unlike += different + failed;
  console.log(`${name.padEnd(10)} ${kills} kills, ${different} other bytes, ${failed} that could not be taken up`);
}
rmSync(folder, { recursive: true });
process.exitCode = unlike > 0 ? 1 : 0;
