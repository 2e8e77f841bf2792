import { spawnSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readTreebank } from "@stemma/core";
import { textOf } from "@stemma/core/treebank";
import { beforeAll, describe, expect, it } from "vitest";
import { toyPipelineFile } from "../../../core/test/toy-pipeline-file.js";
import { inputsOf, sniffed } from "../../src/documents/inputs.js";
import { TextBatcher } from "../../src/workers/text-batcher.js";
import { STEMMA } from "../stemma.js";

const TEXT = "Mina doesn't like green boats. Rek paints ponds!\n\nToru sells old maps.\n";

let folder: string;
let model: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "stemma-text-"));
  model = join(folder, "toy.stemma");
  writeFileSync(model, toyPipelineFile());
});

function run(args: string[], input: string | Uint8Array = "") {
  const { status, stdout, stderr } = spawnSync(process.execPath, [STEMMA, "parse", "--model", model, ...args], {
    input,
    maxBuffer: 1 << 28,
  });
  return { status, out: String(stdout), err: String(stderr) };
}

function file(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

describe("stemma parse of text", () => {
  it("takes an argument, a file or standard input, and gives the same CoNLL-U, from which the text can be rebuilt", () => {
    const argument = run([TEXT]);
    expect(argument).toMatchObject({ status: 0, err: "" });
    const sentences = readTreebank(argument.out);
    expect(sentences.map((sentence) => sentence.id)).toEqual(["1", "2", "3"]);
    expect(sentences.map((sentence) => sentence.comments.includes("# newpar"))).toEqual([true, false, true]);
    expect(textOf(sentences)).toBe(TEXT);
    expect(run([file("a.txt", TEXT)]).out).toBe(argument.out);
    expect(run([], TEXT).out).toBe(argument.out);
    expect(run(["-"], TEXT).out).toBe(argument.out);
  });

  it("says that a paragraph begins", () => {
    const breaks = ["\n\n", "\r\n\r\n", "\v\v", "\u2028\u2028", "\u0085\u0085", "\n\r", "\f", "\u2029"];
    const { out } = run(breaks.map((lines) => `Rek paints ponds.${lines}Toru sells old maps. Mina sells boats.`));
    const begins = readTreebank(out).map((sentence) => sentence.comments.includes("# newpar"));
    expect(begins).toHaveLength(3 * breaks.length);
    for (const [i, lines] of breaks.entries())
      expect(begins.slice(3 * i, 3 * i + 3), JSON.stringify(lines)).toEqual([true, true, false]);
  });

  it("gives the same bytes with any number of threads", () => {
    const long = file("long.txt", Array.from({ length: 3000 }, (_, i) => TEXT.slice(i % 5)).join(""));
    const one = run(["--offsets", long]).out;
    expect(textOf(readTreebank(one)).length).toBeGreaterThan(200_000);
    for (const threads of ["2", "7"]) expect(run(["--offsets", "--threads", threads, long]).out).toBe(one);
  });

  it("draws trees, writes JSON, SVG and LaTeX", () => {
    expect(run(["--to", "tree", "Rek paints ponds."]).out).toContain("─ paints");
    const objects = run(["--json", "--scores", TEXT])
      .out.trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(objects.map(({ id }) => id)).toEqual(["1", "2", "3"]);
    for (const { start, end, text } of objects) expect(TEXT.slice(start, end)).toBe(text);
    expect(objects[1].words[1]).toMatchObject({ form: "paints", lemma: "paint", head: 0, deprel: "root" });
    expect(objects[1].words[1].score).toBeGreaterThan(0);
    expect(run(["--to", "svg", TEXT]).out).toMatch(/^<\?xml|^<svg/);
    expect(run(["--to", "latex", TEXT]).out).toContain("\\end{document}");
  });

  it("writes JSON from which the same CoNLL-U comes back", () => {
    const text = `  ${TEXT}  \u00a0\n\n\n"Rek's"\tponds`;
    const ways = [[], ["--scores"], ["--k-best", "2", "--beam", "4"], ["--from", "lines"]];
    const inAllWays = (format: string) => ways.map((options) => run([...options, format], text).out).join("");
    const json = inAllWays("--json");
    const converted = spawnSync(process.execPath, [STEMMA, "convert", "--from", "json"], { input: json });
    expect(String(converted.stderr)).toBe("");
    expect(String(converted.stdout)).toBe(inAllWays("--offsets"));
    const again = spawnSync(process.execPath, [STEMMA, "convert", "--from", "json", "--to", "json"], { input: json });
    expect(String(again.stdout)).toBe(json);
  });

  it("reads lines as sentences, and tokens as they are", () => {
    const lines = readTreebank(run(["--from", "lines"], "Rek paints\nponds.\n").out);
    expect(lines.map((sentence) => sentence.length)).toEqual([2, 2]);
    const tokens = readTreebank(run(["--from", "tokens"], "Rek doesn't paint ponds.\n").out);
    expect(tokens.map((sentence) => sentence.length)).toEqual([4]);
  });

  it("tags a treebank without tags, and tags others again when told to", () => {
    const bare = "1\tRek\t_\t_\t_\t_\t_\t_\t_\t_\n2\tpaints\t_\t_\t_\t_\t_\t_\t_\t_\n\n";
    expect(run([], bare).out).toContain("2\tpaints\tpaint\tVERB");
    const tagged = bare.replace(/(\t[a-zR]\w*)\t_\t_\t_/g, "$1\tx\tX\tX");
    expect(run([], tagged).out).toContain("2\tpaints\tx\tX");
    expect(run(["--retag"], tagged).out).toContain("2\tpaints\tpaint\tVERB");
  });

  it("has nothing to say about no text", () => {
    for (const text of ["", " ", "\n\n \t\n"]) expect(run([], text)).toEqual({ status: 0, out: "", err: "" });
  });

  it("names the byte that is not UTF-8, and keeps what came before", () => {
    const bytes = Buffer.concat([Buffer.from(`${TEXT}\nRek paints `), Buffer.from([0xe2, 0x82, 0x41])]);
    const { status, out, err } = run([file("bad.txt", bytes)]);
    expect(status).toBe(2);
    expect(err).toContain(`bad.txt: invalid UTF-8: 0xe2 at byte ${TEXT.length + 1 + 11} (expected text in UTF-8`);
    expect(readTreebank(out)).toHaveLength(4);
    const cut = run([file("cut.txt", Buffer.concat([Buffer.from("Rek paints ponds. "), Buffer.from([0xf0, 0x9f])]))]);
    expect(cut.err).toContain("at byte 18");
  });

  it("says what is wrong with the arguments", () => {
    expect(run(["missing.conllu"])).toMatchObject({ status: 2, out: "" });
    expect(run(["missing.conllu"]).err).toContain("missing.conllu: cannot read: no such file or directory");
    expect(run(["--to", "conllx", TEXT]).err).toContain("text cannot be written as conllx");
    expect(run(["--scores", "--to", "svg", TEXT]).err).toContain("--scores needs --to conllu, json, jsonl");
  });

  it("takes 5 MB without a space, and a sentence of 10,000 words", () => {
    const long = run([file("long-line.txt", "x".repeat(5_000_000))]);
    expect(long.status).toBe(0);
    expect(textOf(readTreebank(long.out))).toBe("x".repeat(5_000_000));
    const words = run([file("words.txt", "boats ".repeat(10_000))]);
    expect(textOf(readTreebank(words.out))).toBe("boats ".repeat(10_000));
  });
});

describe("what an input is", () => {
  it("is told by the argument, or by the first line", () => {
    expect(inputsOf([], undefined)).toEqual([{ path: "-" }]);
    expect(inputsOf(["Hello there."], undefined)).toEqual([{ text: "Hello there.", format: "text" }]);
    expect(inputsOf(["either/or is it"], undefined)).toEqual([{ text: "either/or is it", format: "text" }]);
    expect(inputsOf([STEMMA], "text")).toEqual([{ path: STEMMA, format: "text" }]);
    expect(() => inputsOf(["no/such/file"], undefined)).toThrow("no/such/file: cannot read");
    expect(sniffed("# sent_id = 1\n1\tx")).toBe("conllu");
    expect(sniffed("\n1\tWord\t_")).toBe("conllu");
    expect(sniffed("1-2\tdon't\t_")).toBe("conllu");
    expect(sniffed('{"words":[]}')).toBe("json");
    expect(sniffed("# A heading of a text")).toBe("text");
    expect(sniffed("1 apple a day")).toBe("text");
  });

  it("is cut after paragraphs, whatever the pieces it comes in", () => {
    const text = Array.from(
      { length: 4000 },
      (_, i) => `Paragraph ${i} of the text.${i % 7 ? "\n\n" : "\r\n \r\n"}`,
    ).join("");
    for (const size of [1000, 50_000, text.length]) {
      const batcher = new TextBatcher("text");
      const pieces = [];
      for (let at = 0; at < text.length; at += size) pieces.push(...batcher.push(text.slice(at, at + size)));
      pieces.push(...batcher.end());
      expect(pieces.map((piece) => piece.text).join("")).toBe(text);
      expect(pieces.length).toBeGreaterThan(2);
      for (const { text: own, offset } of pieces) {
        expect(text.startsWith(own, offset)).toBe(true);
        expect(own.startsWith("Paragraph")).toBe(true);
      }
    }
  });
});
