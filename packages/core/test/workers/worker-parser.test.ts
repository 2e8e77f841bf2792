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

test("a long paragraph without blank lines is parsed as it comes, in order, and no more of it is read than is needed", async () => {
  const line = "Mina likes green boats. Toru doesn't sell maps!\n";
  let read = 0;
  function* endless() {
    for (;;) {
      read += line.length;
      yield line;
    }
  }
  let at = 0;
  const found: string[] = [];
  const sentences = pool.parseStream(endless());
  for await (const sentence of sentences) {
    expect(sentence.start).toBeGreaterThanOrEqual(at);
    at = sentence.end;
    found.push(sentence.text);
    if (found.length === 9000) break;
  }
  expect(read).toBeLessThan(at + 400_000);
  const whole = here.parse(line.repeat(Math.ceil(at / line.length) + 5000));
  expect(found).toEqual(found.map(() => whole.next().value!.text));
  // Offsets, scores and so on are the same for the whole text, too.
  const text = line.repeat(700);
  const options = { offset: 5, scores: true };
  const expected = [...here.parse(text, options)].map(
    (each) => JSON.stringify(each) + each.toConllu({ offsets: true }),
  );
  expect(await written(pool.parse(text, options))).toEqual(expected);
});

test("a worker stops where nobody waits any more", async () => {
  const one = await openPool(bytes, { workers: 1, beam: 2 });
  await one.parseTokens(["a"]);
  const control = new AbortController();
  const ended = (async () => {
    for await (const _ of one.parse(TEXT.repeat(20).replaceAll("\n\n", " "), { signal: control.signal }))
      control.abort();
  })();
  await expect(ended).rejects.toThrow("abort");
  const cpu = process.cpuUsage();
  await one.parseTokens(["Mina", "likes", "boats"]);
  // Of all threads: the rest of the piece that was under way would have taken more.
  const { user } = process.cpuUsage(cpu);
  expect(user).toBeLessThan(200_000);
  await one.close();
});

describe("many texts", () => {
  test("come in their order, with ids, and are taken as they are needed", async () => {
    const texts = Array.from({ length: 50 }, (_, i) => (i % 7 === 3 ? "" : "Mina likes boats. ".repeat(1 + (i % 3))));
    let taken = 0;
    function* counted() {
      for (const text of texts) {
        taken++;
        yield text;
      }
    }
    let k = 0;
    for await (const { id, sentences } of pool.parseAll(counted(), { ids: texts.map((_, i) => `t${i}`) })) {
      expect(id).toBe(`t${k}`);
      expect(sentences.map(String)).toEqual([...here.parse(texts[k]!)].map(String));
      expect(taken).toBeLessThanOrEqual(k + 4);
      k++;
    }
    expect(k).toBe(50);
    const numbers: unknown[] = [];
    for await (const { id } of pool.parseAll(["a", "b"])) numbers.push(id);
    expect(numbers).toEqual([0, 1]);
  });

  test("end with a signal, and say what is wrong", async () => {
    const all = async (texts: Iterable<string>, options: object) => {
      for await (const _ of pool.parseAll(texts, options)) void _;
    };
    await expect(all(["a"], { signal: AbortSignal.abort(new Error("enough")) })).rejects.toThrow("enough");
    await expect(all(["a", "b"], { ids: ["x"] })).rejects.toThrow("invalid ids of parseAll: 1 (expected one for each");
    await expect(all([42 as never], {})).rejects.toThrow("invalid text 0: 42 (expected a string)");
    await expect(all("Mina", {})).rejects.toThrow('invalid texts: "Mina" (expected an iterable of strings)');
    await expect(all([], { beam: 2 })).rejects.toThrow("unknown option of parseAll: beam");
    for await (const { sentences } of pool.parseAll(["Mina likes boats."], { parse: false }))
      expect(sentences[0]!.words.map(({ upos, head }) => [upos, head])[0]).toEqual(["PROPN", undefined]);
  });
});

test("known tokens go to workers, functions cannot; a block with await using ends them", async () => {
  let closed: WorkerParser;
  {
    await using own = await openPool(bytes, { workers: 1, tokens: { "a.b": true }, tokenPatterns: [/x-\d+/i] });
    closed = own;
    const [sentence] = (await own.parse("Mina likes a.b X-1.").next()).value!.tokens.slice(2);
    expect(sentence!.form).toBe("a.b");
  }
  await expect(closed.parseTokens(["a"])).rejects.toThrow("the parser is closed");
  await expect(openPool(bytes, { afterTagging() {} } as never)).rejects.toThrow(
    "invalid afterTagging of a parser in workers",
  );
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
