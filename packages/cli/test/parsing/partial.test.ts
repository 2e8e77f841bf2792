// stemma parse --keep and stemma train --partial: trees that are there in part.
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readTreebank, writeModel } from "@stemma/core";
import { Command } from "commander";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { makeUp } from "../../../core/test/made-up-language.js";
import { toyModel } from "../../../core/test/toy-model.js";
import { register as registerParse } from "../../src/commands/parsing/parse.js";
import { register as registerTrain } from "../../src/commands/training/train.js";

let folder: string;
let errors: string[];
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "stemma-partial-"));
  writeFileSync(join(folder, "toy.stemma"), writeModel(toyModel()));
});
beforeEach(() => {
  errors = [];
  vi.spyOn(process.stderr, "write").mockImplementation((text) => errors.push(String(text)) > 0);
});
afterEach(() => {
  vi.restoreAllMocks();
  process.exitCode = 0;
});

async function stemma(...args: string[]): Promise<void> {
  const program = new Command();
  registerParse(program);
  registerTrain(program);
  for (const command of [program, ...program.commands]) {
    command.exitOverride().configureOutput({ writeErr: (text) => errors.push(text) });
  }
  await program.parseAsync(args, { from: "user" });
}

let files = 0;
/** A file with sentences, each a list of "form upos head deprel deps". */
function file(...sentences: string[][]): string {
  const text = sentences.map((lines) => {
    const rows = lines.map((line, i) => {
      const [form, upos, head, deprel, deps] = line.split(" ");
      return `${i + 1}\t${form}\t_\t${upos}\t_\t_\t${head}\t${deprel}\t${deps}\t_\n`;
    });
    return `${rows.join("")}\n`;
  });
  const path = join(folder, `in${files++}.conllu`);
  writeFileSync(path, text.join(""));
  return path;
}

async function parse(...args: string[]): Promise<string> {
  const output = join(folder, `out${files++}`);
  await stemma("parse", "--model", join(folder, "toy.stemma"), "--output", output, ...args);
  return existsSync(output) ? readFileSync(output, "utf8") : "";
}

const HALF = ["The DET _ det _", "boat NOUN 1 _ _", "sank VERB 0 sinking 0:sinking", ". PUNCT _ _ 3:punct"];

describe("stemma parse --keep", () => {
  it("keeps heads and labels, each for itself, and finds the others", async () => {
    const [sentence] = readTreebank(await parse("--keep", file(HALF)), { requireTree: true, singleRoot: true });
    expect([sentence!.deprel(1), sentence!.heads[2], sentence!.heads[3], sentence!.deprel(3)]).toEqual([
      "det",
      1,
      0,
      "sinking",
    ]);
    for (let i = 1; i <= 4; i++) expect(sentence!.deprel(i)).not.toBe("_");
    expect([sentence!.deps(3), sentence!.deps(4)]).toEqual(["0:sinking", "_"]);
    expect(errors).toEqual([]);
  });

  it("changes nothing where nothing is free, and keeps nothing unless it is told to", async () => {
    const whole = file(["The DET 2 det 2:det", "boat NOUN 0 root 0:root", ". PUNCT 2 odd 2:odd"]);
    expect(await parse("--keep", whole)).toBe(readFileSync(whole, "utf8"));
    expect(await parse(whole)).not.toContain("odd");
  });

  it("gives the same trees with scores", async () => {
    const path = file(HALF, HALF);
    const heads = (text: string) => readTreebank(text).map((s) => Array.from(s.heads));
    expect(heads(await parse("--keep", "--scores", path))).toEqual(heads(await parse("--keep", path)));
  });

  it("skips a sentence whose heads are in no tree, and says why", async () => {
    const cyclic = ["The DET 2 _ _", "boat NOUN 1 _ _"];
    const crossing = ["The DET 3 _ _", "boat NOUN 4 _ _", "sank VERB _ _ _", ". PUNCT _ _ _"];
    const path = file(cyclic, HALF, crossing);
    const parsed = await parse("--keep", path);
    expect(readTreebank(parsed)).toHaveLength(1);
    expect(errors).toHaveLength(3);
    expect(errors[0]).toBe(`${path}:1:7: invalid HEAD: 2 (expected no cycle: heads 1 → 2 → 1): sentence skipped\n`);
    expect(errors[1]).toContain(
      `${path}:10:7: invalid HEAD: 4 (expected a head that fits: word 1 has head 3, the arcs cross`,
    );
    expect(process.exitCode).toBe(1);
    process.exitCode = 0;
    errors = [];
    await parse("--keep", "--strict", path);
    expect(errors.join("")).toContain("invalid HEAD: 2 (expected no cycle");
    expect(process.exitCode).toBe(1);
  });
});

describe("stemma train --partial", () => {
  const train = (path: string, ...args: string[]) =>
    stemma("train", path, "--model", join(folder, "p.stemma"), "--system", "arc-hybrid", "--epochs", "2", ...args);

  it("trains on trees that lack heads", async () => {
    const path = join(folder, "partial.conllu");
    const text = makeUp(60, 1)
      .join("")
      .replace(/\t\d+\tamod\t/g, "\t_\t_\t");
    writeFileSync(path, text);
    await train(path, "--partial");
    expect(errors.join("")).toMatch(/trees lack heads/);
    expect(existsSync(join(folder, "p.stemma"))).toBe(true);
    errors = [];
    await train(path);
    expect(errors.join("")).toMatch(/invalid HEAD: _ \(expected a head/);
  });

  it("needs the dynamic oracle", async () => {
    await train(file(HALF), "--partial", "--oracle", "static");
    expect(errors.join("")).toContain(
      "invalid --partial: it would have no effect (--partial needs --oracle dynamic: others need every head)",
    );
    expect(process.exitCode).toBe(2);
  });
});
