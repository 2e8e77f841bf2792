// Attardi's system with an auxiliary stack, from a treebank that needs it to trees and back.
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { postJson, startServer } from "../../../server/test/helpers.js";
import { stemma } from "../stemma.js";

const folder = mkdtempSync(join(tmpdir(), "stemma-auxiliary-"));
const file = (name: string) => join(folder, name);

/** A sentence that Attardi's system cannot build with degree 2, and one that it can. */
const HEADS = [
  [4, 5, 6, 6, 4, 0],
  [2, 0, 2, 3],
];

beforeAll(() => {
  const sentences = HEADS.map((heads) =>
    heads
      .map((head, i) => `${i + 1}\tw${i}${heads.length}\t_\tX\t_\t_\t${head}\t${head === 0 ? "root" : "dep"}\t_\t_\n`)
      .join(""),
  );
  writeFileSync(file("train.conllu"), `${sentences.join("\n")}\n`.repeat(20));
});

const headsOf = (conllu: string) =>
  conllu
    .trim()
    .split("\n\n")
    .map((sentence) => sentence.split("\n").map((row) => Number(row.split("\t")[6])));

const train = (name: string, ...options: string[]) =>
  stemma([
    "train",
    file("train.conllu"),
    "--system",
    "attardi-auxiliary",
    "--epochs",
    "8",
    ...options,
    "--model",
    file(name),
  ]);

test.each(["static", "dynamic"])("learns trees that no arcs alone build, with the %s oracle", (oracle) => {
  expect(train("m.stemma", "--oracle", oracle)).toMatchObject({ status: 0 });
  for (const search of [[], ["--beam", "4"]]) {
    const { status, out } = stemma(["parse", "--model", file("m.stemma"), ...search, file("train.conllu")]);
    expect(status).toBe(0);
    expect(headsOf(out).slice(0, 2)).toEqual(HEADS);
  }
  train("n.stemma", "--oracle", oracle);
  expect(readFileSync(file("n.stemma")).equals(readFileSync(file("m.stemma")))).toBe(true);
});

test("learns with a beam, and keeps its degree in the model", () => {
  expect(train("beam.stemma", "--beam", "4", "--degree", "3")).toMatchObject({ status: 0 });
  expect(stemma(["info", file("beam.stemma")]).out).toMatch(/system attardi-auxiliary, root last, degree 3/);
  expect(headsOf(stemma(["parse", "--model", file("beam.stemma"), file("train.conllu")]).out).slice(0, 2)).toEqual(
    HEADS,
  );
});

test("all trees are its own, whatever the degree", () => {
  const { out } = stemma(["stats", file("train.conllu")]);
  expect(out).toMatch(/^ +attardi +20 +50.00 %$/m);
  expect(out).toMatch(/^ +attardi-auxiliary +40 +100.00 %$/m);
  expect(out).not.toContain("attardi-auxiliary, degree");
});

test("known heads are rejected, on the command line and by a server", async () => {
  train("m.stemma");
  const { status, err } = stemma(["parse", "--model", file("m.stemma"), "--keep", file("train.conllu")]);
  expect(status).toBe(2);
  expect(err).toContain(
    "invalid --keep: this model cannot keep heads that are known beforehand: its transition system keeps none",
  );
  const running = await startServer({ models: { m: file("m.stemma") }, threads: 1 });
  try {
    const conllu = readFileSync(file("train.conllu"), "utf8");
    const answer = await postJson(`${running.url}/v1/parse`, { conllu, keep: true });
    expect([answer.status, answer.json().detail]).toEqual([
      400,
      "invalid keep: true: the model m cannot keep heads that are known beforehand: its transition system keeps none (use a model of another system)",
    ]);
  } finally {
    await running.stop();
  }
});
