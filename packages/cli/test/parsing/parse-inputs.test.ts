// Inputs of parse that are not what they seem, text that comes slowly, and models that lack something.
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { readModel, readTreebank, Segmenter, writeModel } from "@stemma/core";
import { textOf } from "@stemma/core/treebank";
import { beforeAll, describe, expect, it } from "vitest";
import { makeUp } from "../../../core/test/made-up-language.js";
import { toyPipelineFile } from "../../../core/test/toy-pipeline-file.js";
import { inputsOf, isTelling, sniffed } from "../../src/documents/inputs.js";
import { type ThreadCount, threadCount, threadsOf } from "../../src/options/threads.js";
import { TextBatcher } from "../../src/workers/text-batcher.js";
import { shell, start, stemma } from "../stemma.js";

let folder: string;
let model: string;
let parserOnly: string;
const path = (name: string) => join(folder, name);
const file = (name: string, content: string | Uint8Array) => {
  writeFileSync(path(name), content);
  return path(name);
};

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "stemma-inputs-"));
  model = file("toy.stemma", toyPipelineFile());
  parserOnly = file("parser.stemma", writeModel(readModel(readFileSync(model)).parser));
});

const parse = (...args: string[]) => stemma(["parse", "--model", model, ...args]);

describe("what a file holds", () => {
  it("is told by its content where its name does not tell", () => {
    const text = "Rek paints ponds.\n";
    const expected = parse(file("a.txt", text)).out;
    expect(expected).toContain("# text = Rek paints ponds.");
    for (const name of ["article", "article.html", "article.txt.1"]) expect(parse(file(name, text)).out).toBe(expected);
    expect(shell(`$stemma parse --model "${model}" <(echo "Rek paints ponds.")`).out).toBe(expected);
    const readme = parse(file("README", "# Rek\n\nMina sells maps.\n"));
    expect(readme).toMatchObject({ status: 0, err: "" });
    expect(readTreebank(readme.out).map((sentence) => sentence.text)).toEqual(["#", "Rek", "Mina sells maps."]);
    const treebank = makeUp(2, 1).join("");
    const known = parse(file("t.conllu", treebank)).out;
    for (const name of ["treebank", "t.tsv"])
      expect(parse(file(name, `# a note\n${treebank}`)).out).toBe(`# a note\n${known}`);
    expect(sniffed("# Rek\n# Mina\nA text.")).toBe("text");
    expect(isTelling("# sent_id = 1\n")).toBe(false);
    expect(isTelling("# sent_id = 1\nA text.\n")).toBe(true);
  });

  it("a web page is parsed with a warning", () => {
    expect(parse(file("page.html", "<!DOCTYPE html>\n<p>Rek paints ponds.</p>\n")).err).toContain(
      "page.html: looks like a web page: its tags are parsed as words",
    );
  });

  it("a name that is no file is no text, unless somebody says so", () => {
    const { status, err } = parse("artcle.html");
    expect(status).toBe(2);
    expect(err).toBe("artcle.html: cannot read: no such file or directory (to parse it as text, use --from text)\n");
    expect(inputsOf(["artcle.html"], "text")).toEqual([{ text: "artcle.html", format: "text" }]);
    expect(inputsOf(["Stop."], undefined)).toEqual([{ text: "Stop.", format: "text" }]);
  });

  it("lines that end in CR alone are refused, not taken for a comment", () => {
    const old = file("old.conllu", `# sent_id = 1\r${makeUp(1, 1).join("").replaceAll("\n", "\r")}`);
    for (const args of [
      ["convert", old],
      ["parse", "--model", model, old],
      ["stats", old],
    ]) {
      const { status, err } = stemma(args);
      expect({ status, err }).toEqual({
        status: 2,
        err: `${old}: invalid line ends: CR alone (expected LF or CR LF; tr '\\r' '\\n' < FILE converts it)\n`,
      });
    }
  });

  it("gzip data that ends too early gives the same lines with any number of threads", () => {
    const packed = gzipSync(makeUp(800, 1).join(""));
    const cut = file("cut.conllu.gz", packed.subarray(0, packed.length - 500));
    const one = parse(cut);
    expect(one).toMatchObject({ status: 2, err: `${cut}: cannot read: the gzip data ends too early\n` });
    expect(one.out.length).toBeGreaterThan(10_000);
    expect(parse("--threads", "2", cut)).toEqual(one);
  });

  it("several texts are told apart by their names", () => {
    const [a, b] = [file("one.txt", "Rek paints ponds. Mina sells maps.\n"), file("two.txt", "Toru likes maps.\n")];
    const { out } = parse(a, b);
    const documents = readTreebank(out).map((sentence) =>
      sentence.comments.filter((line) => line.startsWith("# newdoc")),
    );
    expect(documents).toEqual([["# newdoc id = one.txt"], [], ["# newdoc id = two.txt"]]);
    expect(textOf(readTreebank(out))).toBe("Rek paints ponds. Mina sells maps.\nToru likes maps.\n");
    expect(parse(a).out).not.toContain("newdoc");
  });
});

describe("a model that lacks something", () => {
  it("says what, and what to do", () => {
    const text = stemma(["parse", "--model", parserOnly, "He sleeps."]);
    expect(text.status).toBe(2);
    expect(text.err).toContain(`${parserOnly}: this model cannot parse text: it has no segmenter (train one with`);
    const bare = file("bare.conllu", "1\tRek\t_\t_\t_\t_\t_\t_\t_\t_\n2\tpaints\t_\t_\t_\t_\t_\t_\t_\t_\n\n");
    const untagged = stemma(["parse", "--model", parserOnly, bare]);
    expect(untagged.status).toBe(0);
    expect(untagged.err).toContain("untagged words are parsed badly, because the model has no tagger");
    expect(parse(bare).err).toBe("");
    expect(stemma(["parse", "--model", parserOnly, file("t.conllu", makeUp(2, 1).join(""))]).err).toBe("");
  });

  it("is refused before studio opens a page", () => {
    const corrupt = file("corrupt.stemma", readFileSync(model).fill(7, 2000, 2100));
    const { status, err, out } = stemma(["studio", "--no-open", "--model", corrupt]);
    expect({ status, out }).toEqual({ status: 2, out: "" });
    expect(err).toContain("corrupt.stemma: ");
  });

  it("or memory, ends in a sentence that says what to set, and that helps", () => {
    const parse = `$stemma parse --threads 2 --model "${model}" "Rek paints ponds."`;
    const { status, err } = shell(`ulimit -v 4000000; ${parse}`);
    expect(status).toBe(2);
    expect(err).toMatch(
      /^stemma: not enough memory \(under ulimit -v, set NODE_OPTIONS=--disable-wasm-trap-handler;.*\n$/,
    );
    for (const limit of [3_000_000, 4_000_000, 4 << 20, 8 << 20]) {
      const set = shell(`ulimit -v ${limit}; export NODE_OPTIONS=--disable-wasm-trap-handler; ${parse}`);
      expect(set, `${limit}`).toMatchObject({ status: 0, err: "", out: expect.stringContaining("\troot\t") });
    }
  });
});

describe("text that comes slowly", () => {
  /** Sends texts one by one, each when the answer to the one before is there; the answers. */
  async function talk(args: string[], texts: string[], answers: number): Promise<string> {
    const child = start("parse", "--model", model, ...args);
    let out = "";
    const heard = (count: number) =>
      new Promise<void>((resolve) => {
        const look = () => {
          if ((out.match(/^# text/gm)?.length ?? 0) >= count) resolve();
          else child.stdout.once("data", () => setImmediate(look));
        };
        look();
      });
    child.stdout.on("data", (chunk) => {
      out += chunk;
    });
    for (const [i, text] of texts.entries()) {
      child.stdin.write(text);
      if (i < answers) await heard(i + 1);
    }
    const ended = new Promise((resolve) => child.on("close", resolve));
    child.stdin.end();
    await ended;
    return out;
  }

  it("lines and tokens are answered one by one", async () => {
    for (const from of ["lines", "tokens"]) {
      const texts = ["Rek paints ponds .\n", "Mina sells maps .\n"];
      const out = await talk(["--from", from], texts, 2);
      expect(textOf(readTreebank(out))).toBe(texts.join(""));
    }
  });

  it("sentences of a paragraph without end come out when they are certain, and paragraphs when they are over", async () => {
    const long = "Rek paints ponds. ".repeat(300);
    expect(textOf(readTreebank(await talk(["--from", "text"], [long, "Mina sells maps.\n"], 1)))).toBe(
      `${long}Mina sells maps.\n`,
    );
    const out = await talk(["--from", "text"], ["Rek paints ponds.\n\nMina", " sells maps.\n"], 1);
    expect(readTreebank(out).map((sentence) => sentence.comments.includes("# newpar"))).toEqual([true, true]);
  });

  it("a long paragraph is cut as the segmenter cuts it, in pieces of any size", () => {
    const { segmenter } = readModel(readFileSync(model));
    const text = "Rek paints ponds. Mina doesn't like green boats! Toru sells old maps. ".repeat(6000);
    const whole = [...new Segmenter(segmenter!).segment(text)].map((sentence) => sentence.text);
    for (const size of [5000, 1 << 16, text.length]) {
      const cutter = new TextBatcher("text", new Segmenter(segmenter!));
      const pieces = [];
      for (let at = 0; at < text.length; at += size) pieces.push(...cutter.push(text.slice(at, at + size)));
      expect(pieces.length).toBeGreaterThan(1);
      pieces.push(...cutter.end());
      expect(pieces.map((piece) => piece.continues)).toEqual(pieces.map((_, i) => i > 0));
      const sentences = pieces.flatMap((piece) => [...new Segmenter(segmenter!).segment(piece.text)]);
      expect(sentences.map((sentence) => sentence.text)).toEqual(whole);
    }
  });
});

describe("threads", () => {
  it("start when there is work for them", async () => {
    const script = new URL("../../dist/workers/pool.js", import.meta.url).href;
    const { openPool } = (await import(script)) as typeof import("../../src/workers/pool.js");
    const pool = openPool(readModel(readFileSync(model)), 64);
    await pool.run({
      input: { kind: "text", from: "text", text: "Rek paints ponds.", offset: 0, continues: false },
      options: { to: "conllu" },
    });
    expect((pool as unknown as { queue: { all: unknown[] } }).queue.all).toHaveLength(1);
    await pool.close();
  });

  it("are no more than there are cores, unless that is said twice", () => {
    const cores = availableParallelism();
    const given = (...texts: string[]) =>
      threadsOf(texts.reduce<ThreadCount | undefined>((before, text) => threadCount(text, before), undefined)!);
    expect(given("0")).toBe(cores);
    expect(given("1")).toBe(1);
    expect(given("256")).toBe(Math.min(256, cores));
    expect(given("256", "256")).toBe(256);
    expect(() => given("257")).toThrow("expected a whole number from 0 to 256");
  });
});
