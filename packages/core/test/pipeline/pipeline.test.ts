import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { load } from "../../src/model-file/load.js";
import { readModel, writeModel } from "../../src/model-file/model-file.js";
import { Pipeline } from "../../src/pipeline/pipeline.js";
import { PipelineModel } from "../../src/pipeline/pipeline-model.js";
import { readTreebank } from "../../src/treebank/formats/reader.js";
import type { Sentence } from "../../src/treebank/sentence/sentence.js";
import { textOf } from "../../src/treebank/sentence/spaces.js";
import { replaceSection, sections } from "../model-file/model-sections.js";
import { toyPipeline, toyTreebank } from "../toy-pipeline.js";

const TEXT = "Mina doesn't like green boats. Rek paints ponds!\n\nToru sells old maps.";

let model: PipelineModel;
let bytes: Uint8Array;
let pipeline: Pipeline;
beforeAll(async () => {
  model = toyPipeline();
  bytes = writeModel(model);
  pipeline = await load(bytes);
});

const conllu = (text: string, from: Pipeline = pipeline) => [...from.parse(text)].map((s) => s.toConllu()).join("");

describe("a pipeline", () => {
  test("makes trees of text that it has not seen", () => {
    const gold = toyTreebank(100, 7);
    let right = 0;
    let words = 0;
    for (const sentence of gold) {
      const [parsed] = [...pipeline.parse(textOf([sentence]))];
      for (let i = 1; i <= sentence.length; i++) {
        words++;
        const word = parsed!.words[i - 1];
        if (word?.headIndex === sentence.heads[i] && word.upos === sentence.upos(i) && word.lemma === sentence.lemma(i))
          right++;
      }
    }
    expect(right / words).toBeGreaterThan(0.98);
  });

  test("may be asked for another text between two sentences, with one tree or several", async () => {
    const other = "Rek sells green boats. Mina paints old maps. Toru likes ponds!";
    const wide = await load(bytes, { beam: 4 });
    for (const options of [{}, { trees: 3 }]) {
      const apart = [TEXT, other].map((text) => [...wide.parse(text, options)].map((s) => s.toConllu()));
      const generators = [TEXT, other].map((text) => wide.parse(text, options));
      const together: string[][] = [[], []];
      for (let left = 2; left > 0; ) {
        left = 0;
        generators.forEach((generator, i) => {
          const { value, done } = generator.next();
          if (done) return;
          together[i]!.push(value.toConllu());
          left++;
        });
      }
      expect(together).toEqual(apart);
    }
  });

  test("gives words with everything people ask for", () => {
    const [first, second, third] = [...pipeline.parse(TEXT)];
    expect([first, second, third].map((sentence) => TEXT.slice(sentence!.start, sentence!.end))).toEqual([
      "Mina doesn't like green boats.",
      "Rek paints ponds!",
      "Toru sells old maps.",
    ]);
    const root = first!.root!;
    expect([root.form, root.lemma, root.upos, root.deprel, root.headIndex, root.head]).toEqual([
      "like",
      "like",
      "VERB",
      "root",
      0,
      undefined,
    ]);
    expect(root.children.map(String)).toEqual(["Mina", "does", "n't", "boats", "."]);
    expect(root.feats).toEqual({ VerbForm: "Inf" });
    const [boats] = first!.find("obj");
    expect(boats!.subtree.map(String)).toEqual(["green", "boats"]);
    expect(boats!.children[0]!.path.map(String)).toEqual(["green", "boats", "like"]);
    expect(TEXT.slice(boats!.start, boats!.end)).toBe("boats");
    expect(first!.nounChunks().map((chunk) => chunk.text)).toEqual(["Mina", "green boats"]);
    const [, does] = first!.words;
    expect([does!.form, does!.token.form, TEXT.slice(does!.start, does!.end)]).toEqual(["does", "doesn't", "does"]);
    expect(first!.toSVG()).toContain("<svg");
    expect(first!.toText()).toContain("boats");
    expect(first!.toLatex()).toContain("boats");
    const json = JSON.parse(JSON.stringify(first)) as { words: { form: string; head: number }[] };
    expect(json.words.map(({ form }) => form).join(" ")).toBe("Mina does n't like green boats .");
  });

  test("writes CoNLL-U that can be read, from which the text can be rebuilt", () => {
    const sentences = readTreebank(conllu(TEXT));
    expect(sentences).toHaveLength(3);
    expect(textOf(sentences)).toBe(TEXT);
    expect(sentences[0]!.multiWordTokens[0]).toMatchObject({ from: 2, to: 3, form: "doesn't" });
  });

  test("says how sure it is and where the tokens are, if asked", () => {
    const [sentence] = [...pipeline.parse("Rek paints ponds.", { scores: true, offset: 100 })];
    for (const word of sentence!.words) expect(word.score! >= 0 && word.score! <= 1).toBe(true);
    expect(sentence!.toConllu({ offsets: true, id: 5 })).toMatch(
      /# sent_id = 5\n.*\n1\t.*\tTokenRange=100:103\|Score=0\.\d{3}\n/,
    );
  });

  test("takes lines for sentences, or tokens as they are", () => {
    const lines = [...pipeline.parse("Rek paints ponds. Mina sells\n\nmaps\r\n", { input: "lines" })];
    expect(lines.map((s) => s.words.map(String))).toEqual([["Rek", "paints", "ponds", ".", "Mina", "sells"], ["maps"]]);
    const tokens = [...pipeline.parse(" Mina  doesn't sell-maps.\nRek .", { input: "tokens" })];
    expect(tokens.map((s) => s.words.map(String))).toEqual([
      ["Mina", "doesn't", "sell-maps."],
      ["Rek", "."],
    ]);
    expect(textOf(readTreebank(tokens.map((s) => s.toConllu()).join("")))).toBe(" Mina  doesn't sell-maps.\nRek .");
    expect(pipeline.parseTokens(["Rek", "paints", "ponds", "."]).root!.form).toBe("paints");
    expect(() => pipeline.parseTokens(["Rek", ""])).toThrow('invalid token: "" (expected');
  });

  test("gives the same for a stream in pieces of any size", async () => {
    const text = Array.from({ length: 30 }, (_, i) => `${TEXT}${i % 3 ? " " : "\n\n"}`).join("");
    for (const size of [1, 7, 1000]) {
      const chunks = Array.from({ length: Math.ceil(text.length / size) }, (_, i) =>
        text.slice(i * size, (i + 1) * size),
      );
      let streamed = "";
      for await (const sentence of pipeline.parseStream(chunks)) streamed += sentence.toConllu({ offsets: true });
      expect(streamed).toBe([...pipeline.parse(text)].map((s) => s.toConllu({ offsets: true })).join(""));
    }
  });

  test("is the same after writing and reading, and says what it lacks", () => {
    expect(writeModel(readModel(bytes))).toEqual(bytes);
    expect(conllu(TEXT, new Pipeline(model))).toBe(conllu(TEXT));
    const bare = new Pipeline(new PipelineModel({ parser: model.parser }));
    expect(() => [...bare.parse(TEXT)]).toThrow("has no segmenter");
    expect(bare.parseTokens(["Rek", "."]).words).toHaveLength(2);
  });

  test("fills in missing tags of a treebank, and others only when told to", () => {
    const [bare] = readTreebank("1\tRek\t_\t_\t_\t_\t_\t_\t_\t_\n2\tpaints\t_\t_\t_\t_\t_\t_\t_\t_\n\n");
    const tags = (sentence: Sentence | undefined, retag = false) =>
      pipeline.annotate(sentence!, { parse: false, retag });
    expect([tags(bare).upos(2), tags(bare).lemma(2)]).toEqual(["VERB", "paint"]);
    const [half] = readTreebank("1\tRek\t_\tX\t_\t_\t_\t_\t_\t_\n\n");
    expect([tags(half).upos(1), tags(half).xpos(1), tags(half).lemma(1)]).toEqual(["X", "PR", "Rek"]);
    const [tagged] = readTreebank("1\tRek\tx\tX\tX\t_\t_\t_\t_\t_\n\n");
    expect(tags(tagged).upos(1)).toBe("X");
    expect(tags(tagged, true).upos(1)).toBe("PROPN");
    expect([tagged!.upos(1), tagged!.head(1)]).toEqual(["X", -1]);
  });

  test.each<[string, string, unknown]>([
    ["a tab in a tag", "tagger", { upos: ["NO\tUN"] }],
    ["a line end in a form", "lemmatizer", { exceptions: ["a\nb", "NOUN", "a"] }],
    [
      "a word of a million characters",
      "segmenter",
      { multiWord: { forms: { a: ["b", "c".repeat(1e6)] }, endings: {} } },
    ],
    ["a million words", "segmenter", { multiWord: { forms: { a: new Array(1e6).fill("b") }, endings: {} } }],
  ])("refuses a model with %s", (_, part, change) => {
    const { start, end } = sections(bytes)[0]!;
    const header = JSON.parse(new TextDecoder().decode(bytes.subarray(start, end)));
    Object.assign(header[part], change);
    const altered = replaceSection(bytes, 0, new TextEncoder().encode(JSON.stringify(header)));
    expect(() => readModel(altered, { source: "m" })).toThrow(/^m: invalid header: .{1,300}$/);
  });

  test("refuses a model whose parts were altered", () => {
    const FIELD = { segmenter: "tokenPairs", tagger: "words", lemmatizer: "exceptions" };
    for (const part of ["segmenter", "tagger", "lemmatizer"] as const) {
      const broken = new PipelineModel({
        ...model,
        [part]: Object.assign(Object.create(model[part]!), { header: { ...model[part]!.header, [FIELD[part]]: 7 } }),
      });
      const damaged = () => readModel(writeModel(broken), { source: "m" });
      expect(damaged, part).toThrow(/^m: invalid header: /);
    }
  });
});

describe("any text", () => {
  const character = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(..."Mina paints boats. !\n\n\r\n\t ".split("")) },
    { weight: 1, arbitrary: fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)) },
    { weight: 1, arbitrary: fc.constantFrom("👩‍🚀", "🇪🇺", "שלום", "漢字", "\u2028", "\u0000", "\ud800") },
  );

  test("can be rebuilt from the tokens, every tree has one root, and CoNLL-U can be read", () => {
    fc.assert(
      fc.property(
        fc.array(character, { maxLength: 120 }).map((parts) => parts.join("")),
        (text) => {
          const sentences = [...pipeline.parse(text)];
          let at = 0;
          for (const sentence of sentences) {
            for (const { start, end, form } of sentence.tokens) {
              expect(text.slice(at, start)).toMatch(/^[\s\u0085\ufeff]*$/);
              expect(text.slice(start, end)).toBe(form);
              at = end;
            }
            expect(sentence.words.filter((word) => word.headIndex === 0)).toHaveLength(1);
          }
          expect(text.slice(at)).toMatch(/^[\s\u0085\ufeff]*$/);
          const read = readTreebank(sentences.map((sentence) => sentence.toConllu()).join(""));
          // Half a character cannot be written in UTF-8.
          const whole = Buffer.from(text).toString();
          if (sentences.length > 0) expect(textOf(read)).toBe(whole);
        },
      ),
      { numRuns: 300 },
    );
  });
});
