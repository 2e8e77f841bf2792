import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { PipelineModel, readTreebank, writeModel } from "@stemma/core";
import type { Format } from "@stemma/core/treebank";
import { Command } from "commander";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { TAGGED, toyModel } from "../../../core/test/toy-model.js";
import type { Piece } from "../../../server/src/annotation/piece.js";
import { register } from "../../src/commands/parsing/parse.js";
import { STEMMA } from "../stemma.js";

const BROKEN = "1\tone\t_\tNUM\t_\t_\t_\t_\t_\n\n";

let folder: string;
let model: string;
let errors: string[];
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "stemma-parse-"));
  model = join(folder, "toy.stemma");
  writeFileSync(model, writeModel(toyModel()));
});
beforeEach(() => {
  errors = [];
  vi.spyOn(process.stderr, "write").mockImplementation((text) => errors.push(String(text)) > 0);
});
afterEach(() => {
  vi.restoreAllMocks();
  process.exitCode = 0;
});

let files = 0;
function file(text: string | Uint8Array): string {
  const path = join(folder, `in${files++}.conllu`);
  writeFileSync(path, text);
  return path;
}

/** Runs the command in this process and gives what it wrote. */
async function parse(...args: string[]): Promise<string> {
  const output = join(folder, `out${files++}`);
  const program = new Command().exitOverride().configureOutput({ writeErr: (text) => errors.push(text) });
  register(program);
  for (const command of program.commands) command.exitOverride().configureOutput({ writeErr: (t) => errors.push(t) });
  await program.parseAsync(["parse", "--model", model, "--output", output, ...args], { from: "user" });
  return existsSync(output) ? readFileSync(output, "utf8") : "";
}

/** Runs the built command in a process of its own. */
const run = (args: string[], input: string) =>
  spawnSync(process.execPath, [STEMMA, "parse", "--model", model, ...args], { input, maxBuffer: 1 << 28 });

/** All columns but HEAD, DEPREL and DEPS of words, and all other lines. */
const kept = (text: string) => text.replace(/^(\d+(?:\t[^\t\n]*){5})(?:\t[^\t\n]*){3}(?=\t)/gm, "$1");

describe("stemma parse", () => {
  it("replaces HEAD and DEPREL, empties DEPS and keeps the rest", async () => {
    const parsed = await parse(file(TAGGED));
    expect(kept(parsed)).toBe(kept(TAGGED));
    const sentences = readTreebank(parsed, { requireTree: true, singleRoot: true });
    expect(sentences.map((s) => s.length)).toEqual([5, 3, 1, 2]);
    for (const s of sentences) for (let i = 1; i <= s.length; i++) expect(s.deps(i)).toBe("_");
    expect(parsed).toContain("2.1\tleft\t_\t_\t_\t_\t_\t_\t0:root\t_\n");
    expect(errors).toEqual([]);
  });

  it("does not depend on the heads that were there, nor on their being a tree", async () => {
    const cyclic = TAGGED.replace(/^(\d+)((?:\t[^\t\n]*){5})\t[^\t\n]*\t[^\t\n]*/gm, "$1$2\t$1\tx");
    expect(await parse(file(cyclic))).toBe(await parse(file(TAGGED)));
  });

  it("keeps line ends, a byte order mark, blank lines and what stands after the last sentence", async () => {
    const text = `\ufeff${TAGGED.replaceAll("\n", "\r\n")}\r\n# the end\r\n`;
    expect(kept(await parse(file(text)))).toBe(kept(text));
  });

  it("reads gzip", async () => {
    expect(await parse(file(gzipSync(TAGGED)))).toBe(await parse(file(TAGGED)));
  });

  it("parses several files into one, with a blank line between them", async () => {
    const alone = await parse(file(TAGGED));
    const open = TAGGED.replace(/\n\n$/, "\n");
    expect(await parse(file(open), file(TAGGED))).toBe(alone + alone);
    expect(await parse(file(open.replace(/\n$/, "")), file(TAGGED))).toBe(alone + alone);
    expect(await parse(file(""), file(TAGGED), file(`\ufeff${TAGGED}`))).toBe(alone + alone);
  });

  it("skips what it cannot read, with its place, and says so", async () => {
    const parsed = await parse(file(TAGGED + BROKEN + TAGGED));
    expect(readTreebank(parsed)).toHaveLength(8);
    expect(errors.join("")).toMatch(
      /\.conllu:\d+:\d+: invalid columns: .*: sentence skipped\nstemma: 1 sentence skipped, 8 read\n$/,
    );
    const line = TAGGED.split("\n").length;
    expect(errors.join("")).toContain(`.conllu:${line}:9: `);
    expect(process.exitCode).toBe(1);
  });

  it("stops at the first error with --strict, and leaves no file", async () => {
    const before = readdirSync(folder).filter((name) => name.startsWith("out"));
    expect(await parse("--strict", file(TAGGED + BROKEN + TAGGED))).toBe("");
    expect(errors.join("")).toMatch(/^\S+: invalid columns: [^\n]*\n$/);
    expect(process.exitCode).toBe(1);
    expect(readdirSync(folder).filter((name) => name.startsWith("out"))).toEqual(before);
  });

  it("writes JSON", async () => {
    const objects = (await parse("--json", file(TAGGED)))
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    const sentences = readTreebank(await parse(file(TAGGED)));
    expect(objects.map(({ words }) => words.map((w: { head: number }) => w.head))).toEqual(
      sentences.map((s) => [...s.heads.slice(1)]),
    );
    expect(objects[1].multiWordTokens).toEqual([{ from: 1, to: 3, form: "dámelo", misc: { SpaceAfter: "No" } }]);
  });

  it("reads and writes the other formats", async () => {
    const conllx = TAGGED.replace(/^(#|\d+[-.]).*\n/gm, "");
    const parsed = await parse("--from", "conllx", "--to", "conllu", file(conllx));
    expect(readTreebank(parsed, { requireTree: true })).toHaveLength(4);
    await parse("--to", "conllx", file(TAGGED));
    expect(errors.join("")).toMatch(/left out because conllx cannot represent them: .*3 comments/);
  });

  it("says how sure it is, and does not parse otherwise for it", async () => {
    const plain = await parse(file(TAGGED));
    const scored = await parse("--scores", file(TAGGED));
    expect(scored).toContain("|Score=");
    expect(scored).not.toContain("Score=0.1|");
    const scores = [...scored.matchAll(/Score=(\d\.\d{3})/g)].map((match) => Number(match[1]));
    expect(scores).toHaveLength(11);
    for (const score of scores) expect(score >= 0 && score <= 1).toBe(true);
    expect(scored.replace(/\|?Score=[\d.]+/g, "").replace(/\t\n/g, "\t_\n")).toBe(plain.replace("Score=0.1|", ""));
    const json = (await parse("--scores", "--json", file(TAGGED))).trim().split("\n");
    expect(json.flatMap((line) => JSON.parse(line).words.map((w: { score: number }) => w.score))).toEqual(scores);
    const fromX = await parse("--scores", "--from", "conllx", file(TAGGED.replace(/^(#|\d+[-.]).*\n/gm, "")));
    expect(fromX.match(/Score=/g)).toHaveLength(11);
  });

  it.each([
    [
      "--scores for a format that has no place for them",
      ["--scores", "--to", "conllx"],
      "--scores needs --to conllu, json, jsonl",
    ],
    ["threads that are no number", ["--threads", "many"], "expected a whole number from 0 to 256"],
  ])("refuses %s", async (_, args, message) => {
    await expect(parse(...args, file(TAGGED))).rejects.toThrow();
    expect(errors.join("")).toContain(message);
  });

  it("refuses what is not a model, or not there, before it opens anything", async () => {
    const bytes = readFileSync(model);
    const cut = file(bytes.subarray(0, 100));
    expect(await parse("--model", cut, file(TAGGED))).toBe("");
    expect(await parse("--model", file(TAGGED), file(TAGGED))).toBe("");
    expect(await parse("--model", join(folder, "none"), file(TAGGED))).toBe("");
    expect(errors[0]).toBe(`${cut}: truncated: 100 of ${bytes.length.toLocaleString("en")} bytes\n`);
    expect(errors[1]).toMatch(/: not a Stemma model: it does not begin like one\n$/);
    expect(errors[2]).toMatch(/: cannot read: no such file or directory\n$/);
    expect(process.exitCode).toBe(2);
  });
});

describe("the built command", () => {
  // Enough for several batches, with an error in the middle.
  const text = TAGGED.repeat(300) + BROKEN + TAGGED.repeat(300);

  it("gives the same bytes and messages with 1, 2 and 7 threads, and for all cores", () => {
    const one = run([], text);
    expect(one.status).toBe(1);
    expect(readTreebank(one.stdout.toString(), { requireTree: true, singleRoot: true })).toHaveLength(2400);
    for (const threads of ["2", "7", "0"]) {
      const many = run(["--threads", threads], text);
      expect(many.stdout.equals(one.stdout), `${threads} threads`).toBe(true);
      expect(many.stderr.toString()).toBe(one.stderr.toString());
      expect(many.status).toBe(1);
    }
    const strict = run(["--strict"], text);
    for (const threads of ["2", "7"]) {
      const many = run(["--strict", "--threads", threads], text);
      expect(many.stdout.equals(strict.stdout)).toBe(true);
      expect(many.stderr.toString()).toBe(strict.stderr.toString());
    }
  });

  it.each(["1", "2"])("answers nothing with nothing, with %s threads", (threads) => {
    const { stdout, stderr, status } = run(["--threads", threads], "");
    expect([stdout.length, stderr.length, status]).toEqual([0, 0, 0]);
  });
});

describe("the pool of workers", () => {
  const script = new URL("../../dist/workers/pool.js", import.meta.url).href;
  const piece = (bytes: Uint8Array = new TextEncoder().encode(TAGGED), from: Format = "conllu"): Piece => ({
    input: { kind: "treebank", source: "x", line: 1, from, bytes },
    options: { to: "conllu" },
  });

  it("keeps going after a piece that fails, and ends what is under way when it is closed", async () => {
    const { openPool } = (await import(script)) as typeof import("../../src/workers/pool.js");
    const pool = openPool(new PipelineModel({ parser: toyModel() }), 2);
    const broken = pool.run(piece(undefined, "word" as never));
    await expect(broken).rejects.toThrow('invalid format of a treebank reader: "word"');
    const results = await Promise.all(Array.from({ length: 9 }, () => pool.run(piece())));
    expect(new Set(results.map((result) => JSON.stringify(result))).size).toBe(1);
    expect(results[0]!.sentences).toHaveLength(4);
    expect(results[0]).toMatchObject({ words: 11, problems: [], trailer: "" });
    const shared = Buffer.from(TAGGED);
    await pool.run(piece(shared));
    expect(shared.toString()).toBe(TAGGED);
    const late = pool.run(piece());
    await Promise.all([expect(late).rejects.toThrow("the pool is closed"), pool.close()]);
    await expect(pool.run(piece())).rejects.toThrow("the pool is closed");
  });
});
