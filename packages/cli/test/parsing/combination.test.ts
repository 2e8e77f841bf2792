import { existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readTreebank, writeModel } from "@stemma/core";
import { combineTrees } from "@stemma/core/combination";
import { train } from "@stemma/core/training";
import { Command } from "commander";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { makeUp } from "../../../core/test/made-up-language.js";
import { register as registerInfo } from "../../src/commands/parsing/info.js";
import { register as registerParse } from "../../src/commands/parsing/parse.js";

let folder: string;
let errors: string[];
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "stemma-combination-"));
  const sentences = readTreebank(makeUp(30, 1).join(""));
  const systems = { a: "arc-hybrid", b: "graph", c: "arc-eager" };
  for (const [k, [name, system]] of Object.entries(systems).entries()) {
    const { model } = await train({ sentences: sentences.slice(8 * k, 8 * k + 8), system, epochs: 1 });
    writeFileSync(join(folder, `${name}.stemma`), writeModel(model));
  }
  writeFileSync(join(folder, "dev.conllu"), makeUp(20, 2).join(""));
});
beforeEach(() => {
  errors = [];
  vi.spyOn(process.stderr, "write").mockImplementation((text) => errors.push(String(text)) > 0);
});
afterEach(() => {
  vi.restoreAllMocks();
  process.exitCode = 0;
});

let outputs = 0;
async function stemma(command: string, ...args: string[]): Promise<string> {
  const program = new Command().exitOverride();
  registerParse(program);
  registerInfo(program);
  for (const one of program.commands) one.exitOverride().configureOutput({ writeErr: (text) => errors.push(text) });
  const output = join(folder, `out${outputs++}`);
  await program.parseAsync([command, ...args, "--output", output], { from: "user" });
  return existsSync(output) ? readFileSync(output, "utf8") : "";
}
const model = (name: string) => ["--model", join(folder, `${name}.stemma`)];
const models = (names: string) => [...names].flatMap(model);
const dev = () => join(folder, "dev.conllu");

describe("stemma parse with several models", () => {
  it("gives one tree for each sentence, with the share of the votes as scores", async () => {
    const voted = await stemma("parse", ...models("abc"), dev());
    const each = await Promise.all(
      [..."abc"].map(async (name) => readTreebank(await stemma("parse", ...model(name), dev()))),
    );
    let disputed = 0;
    readTreebank(voted).forEach((sentence, s) => {
      const trees = each.map((sentences) => {
        const { words } = sentences[s]!;
        return {
          heads: [-1, ...words.map(({ headIndex }) => headIndex)],
          labels: ["", ...words.map(({ deprel }) => deprel)],
        };
      });
      const { heads, labels, shares } = combineTrees(trees);
      expect(sentence.words.map(({ headIndex }) => headIndex)).toEqual([...heads.slice(1)]);
      expect(sentence.words.map(({ deprel }) => deprel)).toEqual(labels.slice(1));
      sentence.words.forEach(({ score }, k) => {
        expect(score).toBeCloseTo(shares[k + 1]!, 2);
        if (shares[k + 1]! < 1) disputed++;
      });
    });
    expect(disputed).toBeGreaterThan(0);
    expect(await stemma("parse", ...models("abc"), "--scores", dev())).toBe(voted);
    expect(await stemma("parse", ...models("abc"), "--threads", "2", "--threads", "2", dev())).toBe(voted);
  });

  it("weighs votes, and draws trees without scores", async () => {
    const withoutScores = (text: string) => text.replaceAll(/\|?Score=[\d.]+/g, "").replaceAll(/\t$/gm, "\t_");
    const alone = await stemma("parse", ...model("b"), dev());
    expect(withoutScores(await stemma("parse", ...models("abc"), "--weights", "1,3,1", dev()))).toBe(alone);
    expect(await stemma("parse", ...models("abc"), "--weights", "1,3,1", "--to", "tree", dev())).toBe(
      await stemma("parse", ...model("b"), "--to", "tree", dev()),
    );
  });

  it("refuses what has no effect or is not possible", async () => {
    await stemma("parse", ...model("a"), "--weights", "2", dev());
    expect(errors.join("")).toContain("--weights needs several models: --model A --model B");
    errors = [];
    await stemma("parse", ...models("ab"), "--weights", "1,2,3", dev());
    expect(errors.join("")).toContain("invalid weights: 1, 2, 3 (expected 2 above 0, one for each model)");
    await expect(stemma("parse", ...models("ab"), "--weights", "1,x", dev())).rejects.toThrow();
    errors = [];
    await stemma("parse", ...models("ab"), "--beam", "4", dev());
    expect(errors.join("")).toContain("cannot search with a beam: several models vote");
    errors = [];
    await stemma("parse", ...models("ab"), "--k-best", "2", dev());
    expect(errors.join("")).toContain("cannot find several trees: several models vote");
  });
});
