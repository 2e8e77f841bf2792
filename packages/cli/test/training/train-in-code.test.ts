// `train` of the core and `stemma train` are one: the same settings on the same data give the same bytes.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadModel, readTreebank, type Sentence, writeModel } from "@stemma/core";
import { type TrainingOrigin, type TrainRequest, train, VectorReader } from "@stemma/core/training";
import { withScore } from "@stemma/core/treebank";
import { afterAll, beforeAll, expect, test } from "vitest";
import { toyTreebank } from "../../../core/test/toy-pipeline.js";
import { stemma } from "../stemma.js";

const TEMPLATES = "s0.upos s1.upos; s0.upos b0.upos; s0.form; s1.form\n";
const VECTORS = "4 3\nMina 0.5 0.25 0\nboats 0 1 -1\nlikes 1 0.125 0.5\nunheard 1 1 1\n";
let folder: string;
let files: Record<"train" | "dev" | "silver" | "templates" | "vectors", string>;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "stemma-train-in-code-"));
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  files = {
    train: file("train.conllu", toyTreebank(40, 1).join("")),
    dev: file("dev.conllu", toyTreebank(10, 2).join("")),
    silver: file("silver.conllu", silver().join("")),
    templates: file("templates.txt", TEMPLATES),
    vectors: file("vectors.txt", VECTORS),
  };
});
afterAll(() => rmSync(folder, { recursive: true }));

const NETWORK = { network: true, layers: 1, width: 8, hidden: 16, epochs: 2 } as const;
const cases: [name: string, args: string[], request: Partial<TrainRequest>][] = [
  ["linear", ["--epochs", "3"], { epochs: 3 }],
  [
    "linear, with a beam and settings of its own",
    ["--beam", "3", "--seed", "7", "--epochs", "2"],
    { beam: 3, seed: 7, epochs: 2 },
  ],
  [
    "linear, with a beam, from single steps and then from whole derivations as well",
    ["--beam", "3", "--global-epochs", "1", "--single-steps", "--explore-from", "1", "--epochs", "2"],
    { beam: 3, globalEpochs: 1, singleSteps: true, exploreFrom: 1, epochs: 2 },
  ],
  [
    "linear, with a beam that merges in a graph-structured stack",
    ["--beam", "3", "--global-epochs", "2", "--merge", "stack-graph", "--features", "huang-sagae", "--epochs", "2"],
    { beam: 3, globalEpochs: 2, merge: "stack-graph", features: "huang-sagae", epochs: 2 },
  ],
  [
    "linear, with exact search",
    ["--system", "arc-hybrid", "--beam", "3", "--global-epochs", "2", "--merge", "exact", "--features", "two-words"],
    { system: "arc-hybrid", beam: 3, globalEpochs: 2, merge: "exact", features: "two-words" },
  ],
  [
    "linear, templates by name",
    ["--features", "zhang-nivre+none+history", "--epochs", "2"],
    { features: "zhang-nivre+none+history", epochs: 2 },
  ],
  [
    "linear, another learner",
    ["--learner", "passive-aggressive", "--cost-sensitive", "max-loss", "--averaging", "plain", "--loss-bound", "30%"],
    { learner: "passive-aggressive", costSensitive: "max-loss", averaging: "plain", lossBound: "30%" },
  ],
  [
    "linear, a random correct transition after an error",
    ["--oracle", "non-deterministic", "--after-error", "random", "--epochs", "2"],
    { oracle: "non-deterministic", afterError: "random", epochs: 2 },
  ],
  ["linear, templates of one's own", ["--features", "templates", "--epochs", "2"], { templates: TEMPLATES, epochs: 2 }],
  ["network", ["--network", "--layers", "1", "--width", "8", "--hidden", "16", "--epochs", "2"], NETWORK],
  [
    "network, with a beam",
    ["--network", "--layers", "1", "--width", "8", "--hidden", "16", "--epochs", "2", "--beam", "3"],
    { ...NETWORK, beam: 3 },
  ],
  [
    "network, by a preset and with vectors",
    ["--preset", "best", "--layers", "1", "--width", "8", "--hidden", "16", "--epochs", "2", "--vectors", "vectors"],
    { preset: "best", layers: 1, width: 8, hidden: 16, epochs: 2, vectors: vectors() },
  ],
  [
    "network, as Chen & Manning's",
    [
      ...["--network", "--features", "chen-manning", "--activation", "cube", "--layers", "0", "--hidden", "16"],
      ...["--epochs", "2", "--vectors", "vectors", "--train-vectors"],
    ],
    {
      ...{ network: true, features: "chen-manning", activation: "cube", layers: 0, hidden: 16, epochs: 2 },
      ...{ vectors: vectors(), trainVectors: true },
    },
  ],
  ["pipeline", ["--pipeline", "--folds", "2", "--epochs", "3"], { pipeline: true, folds: 2, epochs: 3 }],
  [
    "pipeline, the parser chooses tags",
    ["--pipeline", "--folds", "2", "--joint", "tags", "--epochs", "2"],
    { pipeline: true, folds: 2, joint: "tags", epochs: 2 },
  ],
  [
    "pipeline, a network chooses analyses",
    ["--pipeline", "--folds", "2", "--joint", "morphology", "--tag-margin", "2", "--network"].concat(
      ...["--layers", "1", "--width", "8", "--hidden", "16", "--epochs", "2", "--beam", "2"],
    ),
    { pipeline: true, folds: 2, joint: "morphology", tagMargin: 2, ...NETWORK, beam: 2 },
  ],
  [
    "small pipeline, with silver data",
    ["--pipeline", "--folds", "2", "--epochs", "2", "--silver", "silver", "--silver-weight", "1.5"].concat(
      ...["--preset", "small", "--layers", "1", "--width", "8", "--hidden", "16", "--part-weights", "30"],
    ),
    { pipeline: true, folds: 2, silver: silver(), silverWeight: 1.5, preset: "small", ...NETWORK, partWeights: 30 },
  ],
  [
    "network of few words, with silver data",
    [
      ...["--network", "--layers", "1", "--width", "8", "--hidden", "16", "--epochs", "2", "--vocabulary", "9"],
      ...["--silver", "silver", "--silver-confidence", "0.4"],
    ],
    { ...NETWORK, vocabulary: 9, silver: silver(), silverConfidence: 0.4 },
  ],
  ["without development data", ["--epochs", "2"], { dev: undefined, epochs: 2 }],
];

test.each(cases)("%s", async (name, args, request) => {
  const model = join(folder, `${name}.stemma`);
  const dev = "dev" in request ? [] : ["--dev", files.dev];
  const given = args.map((arg) => files[arg as keyof typeof files] ?? arg);
  const run = stemma(["train", files.train, ...dev, "--model", model, "--licence", "made up", ...given]);
  expect(run.status, run.err).toBe(0);
  const written = readFileSync(model);
  const read = (file: string) => readTreebank(readFileSync(file), { requireTree: true });
  const trained = await train({
    sentences: read(files.train),
    dev: read(files.dev),
    ...request,
    origin: originOf((await loadModel(written)).origin),
  });
  expect(Buffer.from(writeModel(trained.model)).equals(written)).toBe(true);
});

/** Known to the command only: the names of files, and their hashes. */
function originOf(said: Readonly<Record<string, unknown>>): TrainingOrigin {
  const { treebank, dev, silver, options, licence } = said as Record<string, never> & {
    treebank: { name: string; sha256: string };
    dev?: { name: string };
    silver?: { name: string; sha256: string };
    options: { features?: string; vectors?: TrainingOrigin["vectors"] };
    licence: string;
  };
  return {
    treebank: { name: treebank.name, sha256: treebank.sha256 },
    dev: { name: dev?.name },
    silver: silver && { name: silver.name, sha256: silver.sha256 },
    templates: options.features,
    vectors: options.vectors,
    licence,
  };
}

function vectors() {
  const reader = new VectorReader("vectors.txt", 30_000);
  for (const line of VECTORS.split("\n")) reader.push(line);
  return reader.end();
}

/** Sentences as stemma parse --scores writes them. */
function silver(): Sentence[] {
  return toyTreebank(30, 3).map((sentence, k) => {
    for (let i = 1; i <= sentence.length; i++) {
      sentence.set("misc", i, withScore(sentence.misc(i), ((7 * k + 3 * i) % 10) / 10 + 0.05));
    }
    return sentence;
  });
}
