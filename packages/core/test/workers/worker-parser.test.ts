import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
// Threads run what was compiled.
import { createWorkerParser, load, SentenceTooLong, type WorkerLike, type WorkerParser } from "../../dist/index.js";
import { openPool, readTreebankFile } from "../../dist/node/index.js";
import { serveParser } from "../../dist/workers/serve-parser.js";
import { writeModel } from "../../src/model-file/model-file.js";
import { toyPipeline, toyTreebank } from "../toy-pipeline.js";

type Parser = Awaited<ReturnType<typeof load>>;
const TEXT = "Mina likes green boats. Toru doesn't sell maps!\n\nRek finds lamps.\n\n".repeat(1500);
let bytes: Uint8Array;
let here: Parser;
let pool: WorkerParser;
beforeAll(async () => {
  bytes = writeModel(toyPipeline());
  here = await load(bytes, { beam: 2 });
  pool = await openPool(bytes, { workers: 2, beam: 2 });
});
afterAll(() => pool.close());

async function written(sentences: AsyncIterable<ReturnType<Parser["parseTokens"]>>): Promise<string[]> {
  const found: string[] = [];
  for await (const sentence of sentences) found.push(JSON.stringify(sentence) + sentence.toConllu({ offsets: true }));
  return found;
}
function expected(options = {}): string[] {
  return [...here.parse(TEXT, options)].map((each) => JSON.stringify(each) + each.toConllu({ offsets: true }));
}

describe("threads give what one parser gives", () => {
  test.each([{}, { scores: true, offset: 10 }, { input: "lines" as const }, { trees: 2 }])("%j", async (options) => {
    expect(await written(pool.parse(TEXT, options))).toEqual(expected(options));
  });

  test("of a stream of bytes", async () => {
    expect(await written(pool.parseStream(new Response(TEXT).body!))).toEqual(expected());
  });

  test("of tokens", async () => {
    const words = ["Mina", { form: "likes", upos: "VERB", feats: { VerbForm: "Fin" } }, "boats"];
    expect((await pool.parseTokens(words)).toConllu()).toBe(here.parseTokens(words).toConllu());
    const best = await pool.parseTokensBest(words, 2);
    expect(best.map(String)).toEqual(here.parseTokensBest(words, 2).map(String));
    expect(best[0]!.words[1]!.upos).toBe("VERB");
  });
});

describe("errors come from threads as they are", () => {
  test("of wrong arguments, at once", () => {
    expect(() => pool.parse(42 as never)).toThrow("invalid text: 42 (expected a string)");
    expect(() => pool.parse("a", { input: "foo" as never })).toThrow('invalid input of parse: "foo"');
  });

  test("of sentences", async () => {
    const error = await pool.parseTokens(["a", "b"], { maxWords: 1 }).catch((reason) => reason);
    expect(error).toBeInstanceOf(SentenceTooLong);
    expect(error).toMatchObject({ words: 2, maxWords: 1, message: "the sentence has 2 words (expected at most 1)" });
    await expect(pool.parseTokensBest(["a"], 3)).rejects.toThrow("invalid number of trees: 3 (expected 1 to 2");
    expect((await pool.parseTokens(["a"])).length).toBe(1);
  });

  test("of options, of the model, of a worker that does not start", async () => {
    await expect(openPool(bytes, { workers: 0 })).rejects.toThrow("invalid workers of createWorkerParser: 0");
    await expect(openPool(bytes, { beem: 3 } as never)).rejects.toThrow("unknown option of the parser: beem");
    await expect(openPool(new Uint8Array(9))).rejects.toThrow("not a Stemma model");
    await expect(createWorkerParser(bytes, {} as never)).rejects.toThrow("invalid worker of createWorkerParser: null");
    const worker = (): WorkerLike => ({
      postMessage() {},
      terminate() {},
      addEventListener(type: string, listener: (event: never) => void) {
        if (type === "error") setTimeout(() => listener({} as never), 1);
      },
    });
    const broken = await createWorkerParser(bytes, { worker });
    await expect(broken.parseTokens(["a"])).rejects.toThrow("a worker of the parser failed");
  });
});

test("a signal ends it with its reason, and the threads go on", async () => {
  const control = new AbortController();
  const reason = new Error("enough");
  await expect(
    (async () => {
      for await (const sentence of pool.parse(TEXT, { signal: control.signal }))
        if (sentence.length > 0) control.abort(reason);
    })(),
  ).rejects.toBe(reason);
  expect((await pool.parseTokens(["Mina", "likes", "boats"])).length).toBe(3);
  // Also before a sentence that has come already.
  const other = new AbortController();
  const sentences = pool.parse(TEXT.slice(0, 1000), { signal: other.signal });
  await sentences.next();
  other.abort(reason);
  await expect(sentences.next()).rejects.toBe(reason);
});

test("what is closed parses no more", async () => {
  const closed = await openPool(bytes, { workers: 1 });
  const pending = closed.parseTokens(["a"]);
  pending.catch(() => {});
  await closed.close();
  await expect(pending).rejects.toThrow("the parser is closed");
  await expect(closed.parseTokens(["a"])).rejects.toThrow("the parser is closed");
});

test("without shared memory every worker gets the model file", async () => {
  const sent: unknown[] = [];
  const worker = (): WorkerLike => {
    let answer: (event: { data: never }) => void;
    const take = serveParser((data) => answer({ data: data as never }));
    return {
      postMessage(message) {
        sent.push(message);
        take(structuredClone(message) as never);
      },
      terminate() {},
      addEventListener(type: string, listener: (event: never) => void) {
        if (type === "message") answer = listener as never;
      },
    };
  };
  Object.assign(globalThis, { crossOriginIsolated: false });
  try {
    const parser = await createWorkerParser(bytes, { worker, beam: 2 });
    expect(await written(parser.parse(TEXT))).toEqual(expected());
    expect((sent[0] as { model: Uint8Array }).model).toEqual(bytes);
  } finally {
    Reflect.deleteProperty(globalThis, "crossOriginIsolated");
  }
});

describe("readTreebankFile", () => {
  const folder = mkdtempSync(join(tmpdir(), "stemma-file-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  const sentences = toyTreebank(40, 1).map(String);
  const read = async (path: string | URL, options = {}) => {
    const found: string[] = [];
    for await (const sentence of readTreebankFile(path, options)) found.push(String(sentence));
    return found;
  };

  test("reads a file, also gzipped, also by its address", async () => {
    const path = join(folder, "a.conllu");
    writeFileSync(path, sentences.join(""));
    writeFileSync(`${path}.gz`, gzipSync(sentences.join("")));
    for (const each of [path, `${path}.gz`, pathToFileURL(path)]) expect(await read(each)).toEqual(sentences);
    for await (const sentence of readTreebankFile(path)) if (sentence.length > 0) break;
  });

  test("throws what is wrong, or tells of it", async () => {
    const path = join(folder, "wrong.conllu");
    writeFileSync(path, `${sentences[0]}1\tx\n\n${sentences[1]}`);
    await expect(read(path)).rejects.toThrow(`${path}:`);
    const errors: Error[] = [];
    expect(await read(path, { onError: (error: Error) => errors.push(error) })).toEqual(sentences.slice(0, 2));
    expect(errors).toHaveLength(1);
    await expect(read(join(folder, "none"))).rejects.toThrow("ENOENT");
    await expect(read(path, { fromat: "json" })).rejects.toThrow("unknown option of a treebank reader: fromat");
  });
});
