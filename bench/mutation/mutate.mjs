// Mutation testing: small faults are put into the sources one at a time, and tests that still pass have missed one.
// From the root of the workspace:
//   npm run mutate -- --folder systems [--folder search] [--sample 300] [--seed 1] [--tests systems,oracles] [--file
//   swap]
// --folder  a folder of packages/core/src with those in it; several are tried one after the other --file    only the
// files whose names begin so --sample  about so many mutants: lines are drawn until they hold as many (all if not
// given) --tests   names of test files of core, without .test.ts; those that reach the mutated line are run. All if not
// given: name the fast ones. Prints what survives as it goes. Writes bench/mutation/report/FOLDER.json, .html and .md
// (score by file, and every mutant that survived).
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { Stryker } from "@stryker-mutator/core";
import { Instrumenter } from "@stryker-mutator/instrumenter";
import { generator } from "../data/random.mjs";
import { survivor } from "./survivors.mjs";

const HERE = fileURLToPath(new URL(".", import.meta.url));
const ROOT = path.join(HERE, "../..");
const SOURCES = "packages/core/src";
/** Names and messages: a test that repeats every word of a message only says it twice. */
const EXCLUDED = ["StringLiteral"];

const { values } = parseArgs({
  options: {
    folder: { type: "string", multiple: true },
    file: { type: "string", multiple: true },
    sample: { type: "string", default: "Infinity" },
    seed: { type: "string", default: "1" },
    tests: { type: "string", default: "*" },
  },
});
const sample = Number(values.sample);
const seed = Number(values.seed);
if (!(sample > 0)) fail(`invalid --sample: ${values.sample} (expected a number of mutants)`);
if (!Number.isInteger(seed)) fail(`invalid --seed: ${values.seed} (expected a whole number)`);
process.chdir(ROOT);
const folders = readdirSync(SOURCES, { recursive: true }).filter((name) =>
  statSync(path.join(SOURCES, name)).isDirectory(),
);
if (!values.folder) fail(`no --folder (expected one or several of ${folders.sort().join(", ")})`);
for (const folder of values.folder) {
  if (!folders.includes(folder)) fail(`invalid --folder: ${folder} (expected one of ${folders.sort().join(", ")})`);
}
const tests = readdirSync("packages/core/test", { recursive: true }).map((file) => path.basename(file));
for (const name of values.tests.split(",")) {
  if (name === "*" || tests.includes(`${name}.test.ts`)) continue;
  fail(`invalid --tests: ${name} (there is no ${name}.test.ts in packages/core/test)`);
}
process.env.MUTATE_TESTS = values.tests;
for (const folder of values.folder) await mutate(folder);

async function mutate(folder) {
  const files = filesOf(folder);
  if (files.length === 0) fail(`${SOURCES}/${folder}: no such file (--file ${values.file})`);
  const chosen = await draw(files);
  const report = path.join(HERE, "report", folder.replaceAll("/", "-"));
  mkdirSync(path.dirname(report), { recursive: true });
  await new Stryker({
    mutate: chosen.ranges,
    mutator: { excludedMutations: EXCLUDED },
    testRunner: "vitest",
    vitest: { configFile: "bench/mutation/vitest.config.ts", related: false },
    // Only tests of the core are run in the copy of the workspace that is mutated.
    ignorePatterns: ["docs", "packages/model-en", "**/dist", "bench/mutation/report"],
    // Types are not looked at; Stryker would read tsconfig.json with an interface that TypeScript 7 no longer has.
    disableTypeChecks: false,
    tsconfigFile: "none",
    tempDirName: "tmp/stryker",
    concurrency: 1,
    // Enough that a busy machine kills no mutant; what loops costs this much.
    timeoutMS: 15_000,
    timeoutFactor: 1.5,
    // A loop that also allocates ends at once.
    testRunnerNodeArgs: ["--max-old-space-size=1500"],
    dryRunTimeoutMinutes: 30,
    plugins: ["@stryker-mutator/*", path.join(HERE, "survivors.mjs")],
    reporters: ["json", "html", "progress-append-only", "survivors"],
    jsonReporter: { fileName: `${report}.json` },
    htmlReporter: { fileName: `${report}.html` },
    allowConsoleColors: false,
  }).runMutationTest();
  const summary = summarize(JSON.parse(readFileSync(`${report}.json`, "utf8")), folder, chosen);
  writeFileSync(`${report}.md`, summary);
  console.log(summary);
}

function filesOf(folder) {
  return readdirSync(path.join(SOURCES, folder), { recursive: true })
    .filter((name) => name.endsWith(".ts") && !name.endsWith(".d.ts") && !name.endsWith(".generated.ts"))
    .filter((name) => !values.file || values.file.some((start) => path.basename(name).startsWith(start)))
    .map((name) => `${SOURCES}/${folder}/${name}`);
}

/** Lines at random, as ranges for Stryker, until the mutants that lie within one line are as many as asked for. */
async function draw(files) {
  const log = { isDebugEnabled: () => false, debug() {}, info() {} };
  const { mutants } = await new Instrumenter(log).instrument(
    files.map((name) => ({ name, mutate: true, content: readFileSync(name, "utf8") })),
    { ignorers: [], plugins: [], excludedMutations: EXCLUDED },
  );
  if (mutants.length <= sample) return { ranges: files, all: mutants.length };
  const counts = new Map();
  for (const { fileName, location } of mutants) {
    if (location.start.line !== location.end.line) continue;
    const line = `${fileName}:${location.start.line + 1}`;
    counts.set(line, (counts.get(line) ?? 0) + 1);
  }
  const random = generator(seed);
  const lines = [...counts.keys()].map((line) => [random(), line]).sort(([a], [b]) => a - b);
  const ranges = [];
  let size = 0;
  for (const [, line] of lines) {
    if (size >= sample) break;
    ranges.push(`${line}-${line.slice(line.lastIndexOf(":") + 1)}`);
    size += counts.get(line);
  }
  return { ranges, all: mutants.length };
}

function summarize({ files }, folder, { all }) {
  const rows = Object.entries(files)
    .map(([name, { mutants, source }]) => ({ name: path.relative(SOURCES, name), mutants, source }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  const everything = rows.flatMap(({ mutants }) => mutants);
  const survivors = rows.flatMap(({ name, mutants, source }) =>
    mutants.map((mutant) => survivor(name, source, mutant)).filter(Boolean),
  );
  return [
    `# ${folder}`,
    "",
    `${everything.length} of ${all} mutants, seed ${seed}, tests: ${values.tests}`,
    "",
    "| file | mutants | killed | by time | survived | not reached | score |",
    "| --- | ---: | ---: | ---: | ---: | ---: | ---: |",
    ...rows.map(({ name, mutants }) => row(name, mutants)),
    row("all", everything),
    "",
    ...survivors,
    "",
  ].join("\n");
}

function row(name, mutants) {
  const count = (wanted) => mutants.filter(({ status }) => status === wanted).length;
  const [killed, timeout, survived, unreached] = ["Killed", "Timeout", "Survived", "NoCoverage"].map(count);
  const tried = killed + timeout + survived + unreached;
  const score = tried > 0 ? `${((100 * (killed + timeout)) / tried).toFixed(1)} %` : "";
  return `| ${name} | ${tried} | ${killed} | ${timeout} | ${survived} | ${unreached} | ${score} |`;
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
