import { existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ParserModel, PipelineModel, readModel, readTreebank, writeModel } from "@stemma/core";
import { Command } from "commander";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { makeUp } from "../../../core/test/made-up-language.js";
import { TAGGED, toyModel } from "../../../core/test/toy-model.js";
import { register as registerParse } from "../../src/commands/parsing/parse.js";
import { register as registerTrain } from "../../src/commands/training/train.js";

let folder: string;
let errors: string[];
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "stemma-beam-"));
  const { header, linear } = toyModel();
  writeFileSync(join(folder, "greedy.stemma"), writeModel(toyModel()));
  writeFileSync(
    join(folder, "beam.stemma"),
    writeModel(new PipelineModel({ parser: new ParserModel({ ...header, beam: 4 }, linear) })),
  );
  writeFileSync(join(folder, "tagged.conllu"), TAGGED);
  writeFileSync(join(folder, "train.conllu"), makeUp(120, 1).join(""));
  writeFileSync(join(folder, "dev.conllu"), makeUp(40, 2).join(""));
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
  const program = new Command().exitOverride().configureOutput({ writeErr: (text) => errors.push(text) });
  registerParse(program);
  registerTrain(program);
  for (const command of program.commands) command.exitOverride().configureOutput({ writeErr: (t) => errors.push(t) });
  await program.parseAsync(args, { from: "user" });
}

let outputs = 0;
async function parse(model: string, ...args: string[]): Promise<string> {
  const output = join(folder, `out${outputs++}`);
  await stemma("parse", "--model", join(folder, model), "--output", output, ...args);
  return existsSync(output) ? readFileSync(output, "utf8") : "";
}

const tagged = () => join(folder, "tagged.conllu");
const comments = (text: string, name: string) =>
  Array.from(text.matchAll(new RegExp(`^# ${name} = (.*)$`, "gm")), (match) => match[1]!);

describe("stemma parse with a beam", () => {
  it("uses the beam of the model, or another one", async () => {
    const trained = await parse("beam.stemma", tagged());
    expect(await parse("greedy.stemma", "--beam", "4", tagged())).toBe(trained);
    expect(await parse("beam.stemma", "--beam", "1", tagged())).toBe(await parse("greedy.stemma", tagged()));
  });

  it("gives the best trees of each sentence with their scores", async () => {
    const text = await parse("greedy.stemma", "--k-best", "3", tagged());
    const sentences = readTreebank(text);
    const ranks = comments(text, "tree");
    expect(ranks).toHaveLength(sentences.length);
    expect(ranks.slice(0, 3)).toEqual(["1 of 3", "2 of 3", "3 of 3"]);
    const scores = comments(text, "score").map(Number);
    ranks.forEach((rank, i) => {
      if (!rank.startsWith("1 ")) expect(scores[i]).toBeLessThanOrEqual(scores[i - 1]!);
    });
    const best = sentences.filter((_, i) => ranks[i]!.startsWith("1 "));
    expect(best.map(({ heads }) => heads)).toEqual(
      readTreebank(await parse("greedy.stemma", "--beam", "3", tagged())).map(({ heads }) => heads),
    );
  });

  it("gives them as JSON, an object for each", async () => {
    const lines = (await parse("greedy.stemma", "--k-best", "2", "--json", tagged())).trimEnd().split("\n");
    const trees = lines.map((line) => JSON.parse(line).tree);
    expect(trees[0]).toEqual({ rank: 1, of: 2, score: expect.any(Number) });
    expect(trees[1]).toEqual({ rank: 2, of: 2, score: expect.any(Number) });
  });

  it("merges hypotheses in a graph-structured stack", async () => {
    const trees = async (...args: string[]) => readTreebank(await parse("greedy.stemma", ...args, tagged()));
    const [merged, plain] = [await trees("--beam", "4", "--merge", "stack-graph"), await trees("--beam", "4")];
    expect(merged.map((sentence) => sentence.length)).toEqual(plain.map((sentence) => sentence.length));
    for (const sentence of merged) expect(sentence.heads.filter((head, i) => i > 0 && head === 0)).toHaveLength(1);
    await expect(parse("greedy.stemma", "--k-best", "2", "--merge", "stack-graph", tagged())).rejects.toThrow();
    expect(errors.join("")).toContain("--merge stack-graph finds one tree only, not --k-best 2 (use --merge states)");
    expect(await parse("greedy.stemma", "--merge", "stack-graph", tagged())).toBe("");
    expect([process.exitCode, errors.at(-1)]).toEqual([2, expect.stringMatching(/--merge stack-graph.*--beam/)]);
  });

  it("says what does not go together", async () => {
    await expect(parse("greedy.stemma", "--k-best", "4", "--beam", "2", tagged())).rejects.toThrow();
    expect(errors.join("")).toContain("--k-best 4 needs a beam at least as wide, not --beam 2");
    await expect(parse("greedy.stemma", "--beam", "0", tagged())).rejects.toThrow();
    expect(errors.join("")).toContain("expected a whole number from 1 to 4096");
    await expect(parse("greedy.stemma", "--k-best", "2", "--to", "conllx", tagged())).rejects.toThrow();
    expect(errors.join("")).toContain(
      "--k-best needs --to conllu, json or jsonl, which have a place for scores, or a drawing",
    );
    await expect(parse("greedy.stemma", "--k-best", "2", "--scores", tagged())).rejects.toThrow();
    expect(errors.join("")).toContain(
      "--scores needs --to conllu, json, jsonl, parquet or columns, which have a place for scores, and no --k-best",
    );
  });
});

describe("stemma train with a beam", () => {
  const train = (model: string, ...more: string[]) =>
    stemma(
      ...["train", join(folder, "train.conllu"), "--dev", join(folder, "dev.conllu"), "--epochs", "3"],
      ...["--model", join(folder, model), ...more],
    );

  it.each(["early", "max-violation"])("learns with %s updates and keeps the width", async (update) => {
    await train("trained.stemma", "--beam", "4", "--global-epochs", "3", "--update", update);
    expect(errors.join("")).toContain("perceptron, beam 4 in the last 3 epochs");
    const { header } = readModel(readFileSync(join(folder, "trained.stemma"))).parser;
    expect(header.beam).toBe(4);
    expect(header.origin).toMatchObject({ options: { beam: 4, globalEpochs: 3, update } });
    expect((header.origin.dev as { las: number }).las).toBeGreaterThan(95);
  });

  it("learns step by step, as without one, if not told otherwise, and parses with the beam", async () => {
    await train("wide.stemma", "--beam", "4");
    expect(errors.join("")).toContain("perceptron, beam 4 for parsing");
    await train("narrow.stemma");
    const [wide, narrow] = ["wide.stemma", "narrow.stemma"].map(
      (name) => readModel(readFileSync(join(folder, name))).parser.header,
    );
    expect([wide!.beam, narrow!.beam]).toEqual([4, undefined]);
    expect(wide!.origin).toMatchObject({ options: { beam: 4, globalEpochs: 0 } });
  });

  it("says what does not go together", async () => {
    await train("x.stemma", "--update", "early");
    expect(errors.join("")).toContain("--update needs --beam and --global-epochs, without --network");
    await train("x.stemma", "--beam", "4", "--learner", "passive-aggressive");
    expect(errors.join("")).toContain(
      "invalid --beam 4: it would have no effect (--beam needs --learner perceptron, or logistic ",
    );
    expect(existsSync(join(folder, "x.stemma"))).toBe(false);
  });
});
