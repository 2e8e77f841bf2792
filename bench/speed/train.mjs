// Speed of training: node bench/speed/train.mjs [--epochs 15] [--ratio-epochs 3] [--systems arc-eager,…] [--learner
// perceptron] [FILE] (after npm run build). First the seconds for all epochs of the default system with the static
// oracle, and the memory they take; then, for each system, what the other oracles take against the static one. The
// oracles take turns, epoch by epoch, and CPU time per word counts: the machine may have other work, and the static and
// non-deterministic oracles leave out trees that the system cannot build. Only training is measured, not reading,
// making the model or scoring it. Other parsers are trained where they are found: MALTPARSER is the path of its jar;
// `udpipe` in the PATH.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { readTreebank } from "../../packages/core/dist/index.js";
import {
  createSystem,
  defaultTemplates,
  dynamicOracle,
  nonDeterministicOracle,
} from "../../packages/core/dist/systems.js";
import { Training } from "../../packages/core/dist/training.js";
import { trainingFile } from "../data/treebanks.mjs";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    epochs: { type: "string", default: "15" },
    "ratio-epochs": { type: "string", default: "3" },
    systems: { type: "string", default: "arc-eager,arc-standard,attardi,lr-spines,arc-hybrid" },
    root: { type: "string", default: "last" },
    learner: { type: "string", default: "perceptron" },
  },
});
/** Dynamic against static. */
const TARGETS = { "arc-eager": 1.3, "arc-standard": 1.5, attardi: 2, "lr-spines": 3 };
const TARGET_SECONDS = 90;
const TARGET_MEGABYTES = 2000;
const ORACLES = ["static", "non-deterministic", "dynamic"];
/** Sentences on which each oracle is tried first, so that compiling is not counted. */
const WARM_UP = 300;

const file = positionals[0] ?? trainingFile("en_ewt");
if (!existsSync(file)) {
  console.log("skipped: ../shared/treebanks is not there; give a CoNLL-U file");
  process.exit(0);
}
const sentences = readTreebank(readFileSync(file));
const words = sentences.reduce((sum, sentence) => sum + sentence.length, 0);
const epochs = Number(values.epochs);
const ratioEpochs = Number(values["ratio-epochs"]);
console.log(
  `${file.replace(/.*[\\/]/, "")}: ${sentences.length} sentences, ${words} words; ${values.learner}, root ${values.root}`,
);

if (epochs > 0) {
  const training = trainingOf("arc-standard", "static", sentences);
  const start = performance.now();
  let cpu = 0;
  for (let e = 0; e < epochs; e++) cpu += epochSeconds(training);
  const wall = (performance.now() - start) / 1000;
  // Of the whole process: sentences, weights and program.
  const megabytes = process.resourceUsage().maxRSS / 1000;
  console.log(
    `arc-standard, static, ${epochs} epochs: ${cpu.toFixed(1)} s of CPU time, ${wall.toFixed(1)} s on the clock ` +
      `(target ${TARGET_SECONDS} s for 15); at most ${megabytes.toFixed(0)} MB (target ${TARGET_MEGABYTES} MB)`,
  );
}

if (ratioEpochs > 0) {
  console.log(`\nµs of CPU time a word and epoch, ${ratioEpochs} epochs, and how many times the static oracle's\n`);
  console.log("| system | static | non-deterministic | dynamic | target for dynamic |");
  console.log("| --- | ---: | ---: | ---: | ---: |");
  for (const system of values.systems.split(",")) ratios(system);
  console.log("");
}

others();

/** @param {string} system */
function ratios(system) {
  const made = createSystem(system, { root: /** @type {never} */ (values.root) });
  const oracles = ORACLES.filter(
    (oracle) =>
      oracle === "static" || (oracle === "dynamic" ? dynamicOracle(made) : nonDeterministicOracle(made)) !== undefined,
  );
  for (const oracle of oracles) {
    const short = trainingOf(system, oracle, sentences.slice(0, WARM_UP));
    for (let e = 0; e < 3; e++) short.runEpoch();
  }
  const trainings = oracles.map((oracle) => trainingOf(system, oracle, sentences));
  const seconds = oracles.map(() => 0);
  for (let e = 0; e < ratioEpochs; e++) {
    trainings.forEach((training, r) => {
      seconds[r] += epochSeconds(training);
    });
  }
  const each = seconds.map((s, r) => (1e6 * s) / ratioEpochs / trainings[r].data.words);
  const cells = ORACLES.map((oracle) => {
    const r = oracles.indexOf(oracle);
    if (r < 0) return "none";
    return r === 0 ? each[0].toFixed(1) : `${each[r].toFixed(1)} (${(each[r] / each[0]).toFixed(2)})`;
  });
  console.log(`| ${system} | ${cells.join(" | ")} | ${TARGETS[system] ?? ""} |`);
}

/** @param {string} system @param {string} oracle */
function trainingOf(system, oracle, data) {
  return new Training(data, {
    system,
    root: values.root,
    oracle,
    learner: values.learner,
    templates: defaultTemplates(system),
    exploreFrom: 2,
    exploreProbability: 1,
    lossBound: Number.POSITIVE_INFINITY,
    afterUpdate: "go-on",
    epochs: 1,
    seed: 1,
  });
}

/** CPU seconds of one more epoch. @param {Training} training */
function epochSeconds(training) {
  const before = process.cpuUsage();
  training.runEpoch();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

/** Seconds on the clock that other parsers take to train on the same file. */
function others() {
  const folder = mkdtempSync(join(tmpdir(), "stemma-bench-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  const jar = process.env.MALTPARSER;
  if (jar && existsSync(jar)) {
    const stemma = fileURLToPath(new URL("../../packages/cli/bin/stemma.js", import.meta.url));
    const input = join(folder, "train.conll");
    spawnSync(process.execPath, [stemma, "convert", "--to", "conllx", "--output", input, file], { stdio: "ignore" });
    for (const algorithm of ["nivreeager", "nivrestandard"]) {
      const args = ["-w", folder, "-c", algorithm, "-m", "learn", "-i", input, "-a", algorithm, "-l", "liblinear"];
      timed(`MaltParser ${algorithm}, liblinear`, "java", ["-Xmx4g", "-jar", jar, ...args]);
    }
  } else console.log("MaltParser: skipped (set MALTPARSER to its jar)");
  if (spawnSync("udpipe", ["--version"]).status === 0) {
    const model = join(folder, "model.udpipe");
    const parser = `--parser=iterations=${epochs};transition_system=projective;transition_oracle=static`;
    const args = ["--train", "--tokenizer=none", "--tagger=none", parser, model, file];
    timed(`UDPipe projective, static, ${epochs} iterations`, "udpipe", args);
  } else console.log("UDPipe: skipped (udpipe is not in the PATH)");
}

/** @param {string} name @param {string} program @param {string[]} args */
function timed(name, program, args) {
  const start = performance.now();
  const { status } = spawnSync(program, args, { stdio: ["ignore", "ignore", "inherit"] });
  if (status !== 0) process.exit(2);
  console.log(`${name}: ${((performance.now() - start) / 1000).toFixed(1)} s on the clock`);
}
