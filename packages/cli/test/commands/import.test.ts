import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { readModel } from "@stemma/core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { stemma } from "../stemma.js";

let folder: string;
const path = (name: string) => join(folder, name);
const write = (name: string, text: string | Uint8Array) => {
  writeFileSync(path(name), text);
  return path(name);
};

const TREE = `1\tta\tta\tDET\tDET\t_\t2\tdet\t_\t_
2\ttor\ttor\tNOUN\tNOUN\t_\t3\tnsubj\t_\t_
3\tkara\tkara\tVERB\tVERB\t_\t0\troot\t_\t_

`;
// Features: s0 is 0; s0 DET; s1 is 0; s0 NOUN; s1 DET; s0 VERB; s1 NOUN. Classes: SHIFT, LEFT-ARC det, LEFT-ARC nsubj,
// RIGHT-ARC root.
const HEADER = "solver_type MCSVM_CS\nnr_class 4\nlabel 1 2 3 4\nnr_feature 7\nbias -1\nw\n";
const WEIGHTS = "1 0 0 0 \n2 0 0 0 \n0 0 0 1 \n2 0 0 0 \n0 3 0 0 \n0 0 0 0 \n0 0 2.5 0 \n";

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "stemma-import-"));
  write("train.conllu", TREE);
  write("two.templates", "s0.upos\ns1.upos\n");
});
afterAll(() => rmSync(folder, { recursive: true }));

const imported = (weights: string | Uint8Array, ...more: string[]) =>
  stemma([
    ...[
      "import",
      path("train.conllu"),
      write("weights.txt", weights),
      "--model",
      path("model.stemma"),
      "--root",
      "first",
    ],
    ...["--features", path("two.templates"), ...more],
  ]);

it("makes a parser of weights that were written by hand", () => {
  const run = imported(HEADER + WEIGHTS, "--licence", "made up");
  expect(run.err).toBe(`${path("model.stemma")}: 7 features and 4 classes, for the instances of 1 tree\n`);
  expect(run.status).toBe(0);
  const { origin } = readModel(readFileSync(path("model.stemma")));
  expect(origin).toMatchObject({ weights: { name: "weights.txt", learner: "LIBLINEAR" }, licence: "made up" });
  // Other words with the same tags, without a tree.
  const blank = TREE.replaceAll(/ta|tor|kara/g, "x").replaceAll(/\t\d\t(det|nsubj|root)\t/g, "\t_\t_\t");
  const parsed = stemma(["parse", write("blank.conllu", blank), "--model", path("model.stemma")]);
  expect(parsed.out.match(/\t\d\t(det|nsubj|root)/g)).toEqual(["\t2\tdet", "\t3\tnsubj", "\t0\troot"]);
  expect(stemma(["info", path("model.stemma")]).status).toBe(0);
  // The same bytes again, from a packed file.
  const bytes = readFileSync(path("model.stemma"));
  rmSync(path("model.stemma"));
  expect(imported(gzipSync(HEADER + WEIGHTS), "--licence", "made up").status).toBe(0);
  expect(readModel(readFileSync(path("model.stemma"))).parser.linear.entries()).toEqual(
    readModel(bytes).parser.linear.entries(),
  );
});

it.each([
  [
    "weights of other instances",
    HEADER.replace("nr_feature 7", "nr_feature 8") + WEIGHTS + "0 0 0 9 \n",
    "of feature 8 for",
  ],
  [
    "a bias",
    HEADER.replace("bias -1", "bias 1") + WEIGHTS,
    "weights.txt:6: invalid bias: 1 (expected -1: train without -B)",
  ],
  ["weights that are cut off", HEADER + WEIGHTS.slice(0, 40), "weights.txt:"],
  ["no weights at all", "", "weights.txt:1: invalid model: no weights"],
])("rejects %s and writes nothing", (_, weights, said) => {
  rmSync(path("model.stemma"), { force: true });
  const run = imported(weights);
  expect(run.err).toContain(said);
  expect(run.status).toBe(2);
  expect(existsSync(path("model.stemma"))).toBe(false);
});

it("does not write over its input", () => {
  const run = stemma(["import", path("train.conllu"), path("weights.txt"), "--model", path("train.conllu")]);
  expect(run.status).toBe(2);
  expect(readFileSync(path("train.conllu"), "utf8")).toBe(TREE);
});
