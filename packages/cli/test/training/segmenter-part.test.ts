// The script packages/model-en/segmenter.mjs, which trains the segmenter of a model alone.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { loadModel, readModel } from "@stemma/core";
import { afterAll, describe, expect, test } from "vitest";

const script = fileURLToPath(new URL("../../../model-en/segmenter.mjs", import.meta.url));
const stemma = fileURLToPath(new URL("../../bin/stemma.js", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "stemma-segmenter-"));
afterAll(() => rmSync(folder, { recursive: true }));
const at = (name: string) => join(folder, name);

const WORDS = "Dogs sleep Cats run Birds sing".split(" ");

/** Sentences "Dogs run." with the marks given, a document of five each. */
function treebank(marks: readonly string[]): string {
  return Array.from({ length: 60 }, (_, i) => {
    const [noun, verb] = [WORDS[2 * (i % 3)], WORDS[1 + 2 * ((i >> 1) % 3)]];
    const rows = [
      `1\t${noun}\t${noun}\tNOUN\tNNS\t_\t2\tnsubj\t_\t_`,
      `2\t${verb}\t${verb}\tVERB\tVBP\t_\t0\troot\t_\tSpaceAfter=No`,
      `3\t${marks[i % marks.length]}\t.\tPUNCT\t.\t_\t2\tpunct\t_\t_`,
    ];
    return `${i % 5 === 0 ? "# newdoc\n" : ""}${rows.join("\n")}\n\n`;
  }).join("");
}

describe("segmenter.mjs", () => {
  writeFileSync(at("stops.conllu"), treebank(["."]));
  writeFileSync(at("more.conllu"), treebank(["~", "!"]));
  writeFileSync(at("silver.conllu"), treebank(["."]));
  const data = [`${at("stops.conllu")}:2`, "--silver", at("silver.conllu")];
  execFileSync(
    process.execPath,
    [stemma, "train", ...data, "--pipeline", "--epochs", "1", "--seed", "3", "--model", at("model.stemma")],
    { stdio: "pipe" },
  );
  const run = (...args: string[]) => spawnSync(process.execPath, [script, at("model.stemma"), ...args]);
  const silver = ["--silver", at("silver.conllu")];

  test("trains the segmenter that the whole training gives", () => {
    const { status, stdout } = run(at("stops.conllu"), ...silver, "--check");
    expect(stdout.toString()).toContain("has this segmenter");
    expect(status).toBe(0);
  });

  test("tells another one, and writes nothing then", () => {
    const before = readFileSync(at("model.stemma"));
    const { status, stdout } = run(at("stops.conllu"), at("more.conllu"), ...silver, "--check");
    expect(stdout.toString()).toContain("has another segmenter");
    expect(status).toBe(1);
    expect(readFileSync(at("model.stemma")).equals(before)).toBe(true);
  });

  test("puts it into the file, says so in the origin, and leaves the other parts alone", async () => {
    const before = await loadModel(readFileSync(at("model.stemma")), "before");
    expect(run(at("stops.conllu"), at("more.conllu"), ...silver).status).toBe(0);
    const after = readModel(readFileSync(at("model.stemma")));
    expect(after.origin.segmenter).toMatchObject([
      { name: "stops.conllu" },
      { name: "more.conllu", sha256: expect.stringMatching(/^[\da-f]{64}$/) },
      { name: "silver.conllu" },
    ]);
    for (const part of ["tagger", "lemmatizer", "parser"] as const)
      expect(after[part]!.linear.entries()).toEqual(before[part]!.linear.entries());
    expect(run(at("stops.conllu"), at("more.conllu"), ...silver, "--check").status).toBe(0);
    expect(run(at("stops.conllu"), ...silver, "--check").status).toBe(1);
  });
});
