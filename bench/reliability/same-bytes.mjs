// Do two states of the program give the same bytes? Trains small models of every kind on the first sentences of some
// treebanks, parses with them and with the English model that ships, and prints a hash for each model file and each
// output:
//
//   node bench/reliability/same-bytes.mjs > after.txt
//   node bench/reliability/same-bytes.mjs --checkout ../before > before.txt
//   diff before.txt after.txt
//
// The other checkout has to be built. --only TEXT: only the runs whose name contains it.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const { values } = parseArgs({ options: { checkout: { type: "string" }, only: { type: "string", default: "" } } });
const here = fileURLToPath(new URL("../..", import.meta.url));
const stemma = join(resolve(values.checkout ?? here), "packages/cli/bin/stemma.js");
const treebanks = join(here, "../shared/treebanks");
const folder = mkdtempSync(join(tmpdir(), "stemma-same-"));

const SYSTEMS = ["arc-standard", "arc-eager", "arc-hybrid", "attardi", "swap", "lr-spines"];
/** The name that the checkout has for merging by a graph-structured stack. */
const MERGE = [
  "--merge",
  spawnSync(process.execPath, [stemma, "parse", "--help"]).stdout.includes("stack-graph") ? "stack-graph" : "tops",
];
const ROLES = "roles/en_ewt-roles";
const ROOTS = ["first", "last", "none"];

/** @type {{ name: string, treebank: string, sentences: number, options: string[], parse?: string[][] }[]} */
const RUNS = [
  ...SYSTEMS.flatMap((system) =>
    ROOTS.map((root) => ({
      name: `linear ${system} ${root}`,
      treebank: "nl_lassysmall",
      sentences: 150,
      options: [
        "--system",
        system,
        "--root",
        root,
        "--oracle",
        system === "swap" ? "static" : "dynamic",
        "--epochs",
        "3",
      ],
      parse: [[], ["--scores"]],
    })),
  ),
  ...SYSTEMS.map((system) => ({
    name: `beam ${system}`,
    treebank: "el_gdt",
    sentences: 80,
    options: [
      "--system",
      system,
      "--oracle",
      system === "swap" ? "static" : "dynamic",
      "--beam",
      "4",
      "--epochs",
      "2",
      "--global-epochs",
      "2",
    ],
    parse: [[], ["--k-best", "3"], ["--scores"], ["--keep"]],
  })),
  ...SYSTEMS.map((system) => ({
    name: `network ${system}`,
    treebank: "tr_imst",
    sentences: 120,
    options: ["--network", "--system", system, "--oracle", system === "swap" ? "static" : "dynamic", "--epochs", "2"],
    parse: [[], ["--beam", "3", "--k-best", "2"], ["--scores"]],
  })),
  {
    name: "attardi 3",
    treebank: "nl_lassysmall",
    sentences: 100,
    options: ["--system", "attardi", "--degree", "3", "--epochs", "2"],
  },
  {
    name: "lazy swap",
    treebank: "nl_lassysmall",
    sentences: 100,
    options: ["--system", "swap", "--lazy", "--oracle", "static", "--epochs", "2"],
  },
  { name: "logistic", treebank: "tr_imst", sentences: 200, options: ["--learner", "logistic", "--epochs", "3"] },
  {
    name: "non-deterministic",
    treebank: "tr_imst",
    sentences: 200,
    options: ["--oracle", "non-deterministic", "--epochs", "2"],
  },
  {
    name: "projectivized",
    treebank: "eu_bdt",
    sentences: 200,
    options: ["--projectivize", "head+path", "--epochs", "2"],
  },
  { name: "committee", treebank: "tr_imst", sentences: 100, options: ["--members", "2", "--epochs", "2"] },
  {
    name: "pipeline",
    treebank: "af_afribooms",
    sentences: 150,
    options: ["--pipeline", "--folds", "2", "--epochs", "2"],
  },
  {
    name: "joint",
    treebank: "tr_imst",
    sentences: 150,
    options: ["--pipeline", "--joint", "tags", "--folds", "2", "--epochs", "2"],
  },
  {
    name: "pipeline network",
    treebank: "af_afribooms",
    sentences: 120,
    options: ["--pipeline", "--network", "--folds", "2", "--epochs", "2"],
  },
  { name: "graph", treebank: "tr_imst", sentences: 150, options: ["--system", "graph", "--epochs", "2"] },
  {
    name: "graph network",
    treebank: "tr_imst",
    sentences: 120,
    options: ["--system", "graph", "--network", "--decoder", "edmonds", "--epochs", "2"],
    parse: [[], ["--k-best", "2"], ["--scores"]],
  },
  {
    name: "pointers",
    treebank: "tr_imst",
    sentences: 150,
    options: ["--system", "pointers", "--epochs", "2"],
    parse: [[], ["--beam", "4"], ["--k-best", "2"], ["--scores"]],
  },
  {
    name: "network with global epochs",
    treebank: "tr_imst",
    sentences: 80,
    options: ["--network", "--beam", "3", "--global-epochs", "1", "--epochs", "2"],
  },
  {
    name: "stack graph",
    treebank: "el_gdt",
    sentences: 80,
    options: [
      ...["--beam", "4", "--global-epochs", "2", "--epochs", "2"],
      ...[MERGE, "--features", "huang-sagae"],
    ].flat(),
    parse: [[], MERGE],
  },
  {
    name: "morphology",
    treebank: "tr_imst",
    sentences: 100,
    options: ["--pipeline", "--joint", "morphology", "--folds", "2", "--epochs", "2"],
    parse: [[], ["--beam", "3", "--k-best", "2"]],
  },
  {
    name: "joint network with a beam",
    treebank: "tr_imst",
    sentences: 100,
    options: ["--pipeline", "--joint", "tags", "--network", "--beam", "3", "--folds", "2", "--epochs", "2"],
  },
  {
    name: "disfluencies",
    treebank: "no_nynorsklia",
    sentences: 200,
    options: ["--joint", "disfluencies", "--beam", "3", "--epochs", "2"],
  },
  {
    name: "roles",
    treebank: ROLES,
    sentences: 200,
    options: ["--pipeline", "--roles", "--folds", "2", "--epochs", "2"],
  },
  {
    name: "joint roles",
    treebank: ROLES,
    sentences: 200,
    options: ["--pipeline", "--roles", "--joint", "roles", "--folds", "2", "--epochs", "2"],
  },
];

/** @param {Buffer | string} data */
const hash = (data) => createHash("sha256").update(data).digest("hex").slice(0, 16);

/** @param {string[]} args */
function run(args) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [stemma, ...args], { maxBuffer: 1 << 28 });
  return status === 0 || status === 1 ? stdout : `status ${status}: ${stderr}`;
}

/** The file of a part of a treebank. @param {string} treebank @param {string} part */
const fileOf = (treebank, part) =>
  join(treebanks, treebank === ROLES ? `${treebank}-${part}.conll09.gz` : `${treebank}-ud-${part}.conllu`);

/** @param {string} file @param {number} count @param {number} from */
function firstSentences(file, count, from = 0) {
  const text = file.includes("conll09")
    ? run(["convert", "--from", "conll09", file]).toString()
    : readFileSync(file, "utf8");
  return `${text
    .split("\n\n")
    .slice(from, from + count)
    .join("\n\n")}\n\n`;
}

// A text that changes with no page of the project.
const english =
  "The old mill wheel turns slowly. Nobody knows why; perhaps it's the rain, or Dr. Ames's new pump (3.5 kW).\n\n".repeat(
    200,
  );
const input = join(folder, "english.txt");
writeFileSync(input, english);
for (const options of [[], ["--scores", "--offsets"], ["--k-best", "2"], ["--json"], ["--threads", "2"]]) {
  const name = `shipped model ${options.join(" ")}`;
  if (name.includes(values.only)) console.log(`${name}: ${hash(run(["parse", "--from", "text", ...options, input]))}`);
}
for (const model of ["en-small", "en-roles", "en-large"]) {
  const file = join(here, `packages/model-${model}/${model}.stemma`);
  const few = join(folder, "few.txt");
  writeFileSync(few, english.slice(0, 4000));
  if (`shipped ${model}`.includes(values.only))
    console.log(`shipped ${model}: ${hash(run(["parse", "--model", file, few]))}`);
}
for (const { name, treebank, sentences, options, parse = [[]] } of RUNS) {
  if (!name.includes(values.only)) continue;
  const source = fileOf(treebank, "train");
  if (!existsSync(source)) {
    console.log(`${name}: ${treebank} is not there, skipped`);
    continue;
  }
  const train = join(folder, "train.conllu");
  const dev = join(folder, "dev.conllu");
  const model = join(folder, "model.stemma");
  writeFileSync(train, firstSentences(source, sentences));
  writeFileSync(dev, firstSentences(fileOf(treebank, "dev"), 40));
  const said = run(["train", train, "--model", model, ...options]);
  if (!existsSync(model)) {
    console.log(`${name}: ${said}`);
    continue;
  }
  console.log(`${name}: model ${hash(readFileSync(model))}`);
  for (const more of parse)
    console.log(`${name} ${more.join(" ")}: ${hash(run(["parse", "--model", model, ...more, dev]))}`);
  rmSync(model);
}
rmSync(folder, { recursive: true });
