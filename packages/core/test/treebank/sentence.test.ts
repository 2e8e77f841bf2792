import { readFileSync } from "node:fs";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { Pipeline } from "../../src/pipeline/pipeline.js";
import { formatSentence } from "../../src/treebank/formats/format-sentence.js";
import { SENTENCE_SCHEMA } from "../../src/treebank/formats/json-schema.js";
import { readTreebank } from "../../src/treebank/formats/reader.js";
import { Document, documentsOf } from "../../src/treebank/sentence/document.js";
import { Sentence } from "../../src/treebank/sentence/sentence.js";
import { toyPipeline } from "../toy-pipeline.js";

const TEXT = "Mina doesn't like  green boats. Rek paints ponds!\n\nToru sells old maps.";

let pipeline: Pipeline;
beforeAll(() => {
  pipeline = new Pipeline(toyPipeline());
});

/** The first sentence of the text from each source that there is. */
function sources(): [name: string, sentence: Sentence][] {
  const parsed = () => [...pipeline.parse(TEXT)][0]!;
  const conllu = parsed().toConllu({ offsets: true });
  return [
    ["text", parsed()],
    ["a treebank", readTreebank(conllu)[0]!],
    ["a treebank with CRLF", readTreebank(conllu.replaceAll("\n", "\r\n"))[0]!],
    ["JSON", readTreebank(JSON.stringify(parsed()), { format: "json" })[0]!],
    ["plain data", Sentence.from(parsed().toJSON())],
  ];
}

describe("sentences of a text, a treebank and JSON", () => {
  test("give the same words", () => {
    for (const [name, sentence] of sources()) {
      const [mina, does, not, like, green, boats, stop] = sentence.words;
      expect(sentence.words.map(String), name).toEqual(["Mina", "does", "n't", "like", "green", "boats", "."]);
      expect([like!.index, like!.lemma, like!.upos, like!.xpos, like!.deprel], name).toEqual([
        ...[4, "like", "VERB", like!.xpos, "root"],
      ]);
      expect({ ...like!.feats }, name).toEqual({ VerbForm: "Inf" });
      expect(like!.head, name).toBeUndefined();
      expect(boats!.head, name).toBe(like);
      expect(boats!.headIndex, name).toBe(4);
      expect(like!.children, name).toEqual([mina, does, not, boats, stop]);
      expect(like!.left, name).toEqual([mina, does, not]);
      expect(like!.right, name).toEqual([boats, stop]);
      expect(green!.path, name).toEqual([green, boats, like]);
      expect(green!.ancestors, name).toEqual([boats, like]);
      expect(green!.pathTo(mina!), name).toEqual([green, boats, like, mina]);
      expect(boats!.subtree, name).toEqual([green, boats]);
      expect([mina!.previous, mina!.next, stop!.next], name).toEqual([undefined, does, undefined]);
      expect([does!.start, does!.end, TEXT.slice(boats!.start, boats!.end)], name).toEqual([5, 9, "boats"]);
      expect(does!.multiWordToken?.form, name).toBe("doesn't");
      expect(does!.token, name).toBe(not!.token);
      expect(mina!.multiWordToken, name).toBeUndefined();
      expect({ ...boats!.misc }.SpaceAfter, name).toBe("No");
      expect([sentence.root, sentence.find("obj")[0]], name).toEqual([like, boats]);
      expect([sentence.start, sentence.end], name).toEqual([0, 31]);
      expect(TEXT.slice(sentence.span(4, 6).start, sentence.span(4, 6).end), name).toBe("like  green boats");
      expect(sentence.span(4, 6).text, name).toBe("like  green boats");
      expect(sentence.text, name).toBe(TEXT.slice(0, 31));
      expect(sentence.toSVG(), name).toContain("<svg");
    }
  });

  test("are written the same", () => {
    const [[, first], ...others] = sources() as [[string, Sentence], ...[string, Sentence][]];
    for (const [name, sentence] of others) {
      expect(JSON.parse(JSON.stringify(sentence)), name).toEqual(JSON.parse(JSON.stringify(first)));
      const lines = formatSentence(sentence, "conllu").replaceAll("\r", "");
      expect(lines, name).toBe(first.toConllu({ offsets: true }));
    }
  });

  test("show heads, comments and tokens read-only", () => {
    for (const [name, sentence] of sources()) {
      const before = sentence.toConllu();
      for (const list of [sentence.heads, sentence.comments, sentence.words] as unknown as unknown[][]) {
        expect(() => (list[1] = 0), name).toThrow(TypeError);
        expect(() => list.push(0), name).toThrow(TypeError);
      }
      expect(sentence.toConllu(), name).toBe(before);
    }
  });

  test("are changed by setters, and nothing else is", () => {
    for (const [name, sentence] of sources()) {
      const before = sentence.toString();
      const [mina, , , like, green, boats] = sentence.words;
      boats!.feats.Number = "Sing";
      boats!.feats.Zeta = "Yes";
      boats!.feats.Alpha = "No";
      delete boats!.feats.Zeta;
      like!.feats = { Mood: "Ind" };
      mina!.misc.Gloss = "M";
      green!.deps = { 6: "amod", 2.1: "dep", 10: "conj|dep" };
      green!.deps[4] = "obl";
      boats!.lemma = "ship";
      green!.head = like!;
      mina!.headIndex = 6;
      expect(boats!.feats.Alpha, name).toBe("No");
      expect(sentence.feats(6), name).toMatch(/^Alpha=No\|.*Number=Sing$/);
      expect([sentence.feats(4), sentence.deps(5)], name).toEqual(["Mood=Ind", "2.1:dep|4:obl|6:amod|10:conj|10:dep"]);
      expect(sentence.misc(1), name).toMatch(/Gloss=M$/);
      expect([like!.children.map(String), boats!.children.map(String)], name).toEqual([
        ["does", "n't", "green", "boats", "."],
        ["Mina"],
      ]);
      const [again] = readTreebank(sentence.toConllu({ offsets: true }));
      expect(
        again!.words.map((word) => word.toJSON()),
        name,
      ).toEqual(sentence.words.map((word) => word.toJSON()));
      // All other lines are what they were.
      const lines = sentence.toString().split("\n");
      const old = before.split("\n");
      expect(lines.length, name).toBe(old.length);
      const changed = lines.flatMap((line, k) => (line === old[k] ? [] : [/^\d+/.exec(line)?.[0]]));
      expect(changed, name).toEqual(["1", "4", "5", "6"]);
    }
  });

  test("refuse what cannot be written", () => {
    for (const [name, sentence] of sources()) {
      const before = sentence.toString();
      const word = sentence.words[0]!;
      const other = sources()[0]![1].words[0]!;
      expect(() => Object.assign(word.feats, { Case: 7 }), name).toThrow(
        'invalid FEATS: {"Case":7} (expected text such',
      );
      expect(() => (word.feats["A=b"] = "x"), name).toThrow(TypeError);
      expect(() => (word.misc.A = "x|y"), name).toThrow(TypeError);
      expect(() => Object.defineProperty(word.feats, "Case", { value: "Nom" }), name).toThrow(TypeError);
      expect(() => (word.feats = 7 as never), name).toThrow("invalid FEATS: 7");
      expect(() => (word.form = 7 as never), name).toThrow("invalid FORM: 7 of word 1 (expected a string)");
      expect(() => (word.form = "a\nb"), name).toThrow("invalid FORM");
      expect(() => (word.head = other), name).toThrow("expected a word of the same sentence");
      expect(() => (word.headIndex = 1), name).toThrow("invalid HEAD: 1 of word 1");
      expect(() => (sentence.comments = ["a\nb"]), name).toThrow("invalid comment");
      expect(() => sentence.setMultiWordToken({ from: 3, to: 4, form: "x" }), name).toThrow("invalid ID: 3-4");
      expect(() => sentence.setMultiWordToken({ from: 7, to: 8, form: "x" }), name).toThrow("invalid ID: 7-8");
      expect(() => sentence.removeMultiWordToken(1), name).toThrow("invalid multiword token: 1 (expected");
      expect(() => sentence.span(3, 2), name).toThrow("invalid span: 3 to 2");
      expect(() => sentence.span(0, 2), name).toThrow("invalid word: 0");
      expect(sentence.toString(), name).toBe(before);
    }
  });

  test("have comments and multiword tokens that can be set", () => {
    for (const [name, sentence] of sources()) {
      const end = name.includes("CRLF") ? "\r\n" : "\n";
      const before = sentence.toString();
      sentence.id = "new";
      sentence.setComment("note", "made up");
      sentence.setComment("note", "still made up");
      expect([sentence.id, sentence.comment("note")], name).toEqual(["new", "still made up"]);
      expect(sentence.toString(), name).toBe(
        before.replace(/^(# text = [^\n]*\n)/m, `$1# sent_id = new${end}# note = still made up${end}`),
      );
      sentence.setComment("note", undefined);
      sentence.id = undefined;
      expect(sentence.toString(), name).toBe(before);
      sentence.setMultiWordToken({ from: 5, to: 6, form: "greenboats", misc: { SpaceAfter: "No" } });
      sentence.setMultiWordToken({ from: 2, to: 3, form: "don't" });
      const tokens = sentence.tokens.map(({ form }) => form);
      expect(
        tokens.filter((form) => form.length > 4),
        name,
      ).toEqual(["don't", "greenboats"]);
      expect(sentence.toString(), name).toBe(
        before
          .replace("2-3\tdoesn't", "2-3\tdon't")
          .replace(/^5\t/m, `5-6\tgreenboats\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No${end}5\t`),
      );
      sentence.removeMultiWordToken(5);
      sentence.setMultiWordToken({ from: 2, to: 3, form: "doesn't" });
      expect(sentence.toString(), name).toBe(before);
    }
  });
});

test("comments between words stay where they are", () => {
  const text = "# a = 1\n1\tx\t_\t_\t_\t_\t0\troot\t_\t_\n# b = 2\n2\ty\t_\t_\t_\t_\t1\tdep\t_\t_\n\n";
  const [sentence] = readTreebank(text);
  sentence!.setComment("b", "3");
  sentence!.setComment("c", "4");
  expect(sentence!.toString()).toBe(text.replace("# b = 2", "# b = 3").replace("# a = 1\n", "# a = 1\n# c = 4\n"));
  sentence!.comments = [];
  expect(sentence!.toString()).toBe(text.replace(/^#.*\n/gm, ""));
  sentence!.comments = ["sent_id = s"];
  expect(sentence!.toString()).toBe(`# sent_id = s\n${text.replace(/^#.*\n/gm, "")}`);
});

test("empty nodes and enhanced relations", () => {
  const text =
    "1\tAna\t_\tPROPN\t_\t_\t2\tnsubj\t2:nsubj|2.1:nsubj\t_\n2\tsings\t_\tVERB\t_\t_\t0\troot\t0:root\t_\n" +
    "2.1\tplays\t_\tVERB\t_\t_\t_\t_\t2:conj\t_\n3\thorn\t_\tNOUN\t_\t_\t2\torphan\t2.1:obj\t_\n\n";
  const [sentence] = readTreebank(text);
  const [ana, sings, horn] = sentence!.words;
  expect({ ...ana!.deps }).toEqual({ 2: "nsubj", 2.1: "nsubj" });
  expect(sings!.emptyNodes.map(({ id, form }) => [id, form])).toEqual([["2.1", "plays"]]);
  expect(horn!.emptyNodes).toEqual([]);
});

test("conjuncts", () => {
  const words = [
    { form: "ham", head: 0, deprel: "root" },
    { form: ",", head: 3, deprel: "punct" },
    { form: "eggs", head: 1, deprel: "conj" },
    { form: "and", head: 5, deprel: "cc" },
    { form: "tea", head: 3, deprel: "conj" },
  ];
  const [ham, , eggs, and, tea] = Sentence.from({ words }).words;
  expect(ham!.conjuncts).toEqual([eggs, tea]);
  expect(tea!.conjuncts).toEqual([ham, eggs]);
  expect(and!.conjuncts).toEqual([]);
});

describe("a document", () => {
  test("of a parsed text keeps its places", () => {
    const document = new Document(pipeline.parse(TEXT));
    expect(document.text).toBe(TEXT);
    expect(document.paragraphs.map(({ sentences }) => sentences.length)).toEqual([2, 1]);
    for (let offset = 0; offset < TEXT.length; offset++) {
      const word = document.at(offset);
      if (/\s/.test(TEXT[offset]!)) expect(word).toBeUndefined();
      else expect([word!.start <= offset, offset < word!.end]).toEqual([true, true]);
    }
    expect(document.at(7)!.form).toBe("does");
    expect([document.at(-1), document.at(TEXT.length)]).toEqual([undefined, undefined]);
    expect(document.sentenceAt(TEXT.indexOf("ponds"))).toBe(document.sentences[1]);
    expect([...document.words()]).toHaveLength(7 + 4 + 5);
  });

  test("of sentences that do not know where they were gives them places", () => {
    const row = (i: number, form: string, misc = "_") => `${i}\t${form}\t_\t_\t_\t_\t_\t_\t_\t${misc}\n`;
    const sentences = readTreebank(
      `# newdoc id = d1\n# newpar id = p1\n# sent_id = a\n${row(1, "One", "SpaceAfter=No")}${row(2, ".")}\n` +
        `# sent_id = b\n# text = Two words\n${row(1, "Two")}${row(2, "words")}\n` +
        `# newpar\n# sent_id = c\n${row(1, "Three")}\n# newdoc id = d2\n${row(1, "Four")}\n`,
    );
    const [first, second] = [...documentsOf(sentences)];
    expect([first!.id, second!.id, first!.text, second!.text]).toEqual(["d1", "d2", "One. Two words\n\nThree", "Four"]);
    expect(first!.paragraphs.map(({ id, start, end }) => [id, start, end])).toEqual([
      ["p1", 0, 14],
      [undefined, 16, 21],
    ]);
    expect(first!.sentence("b")!.words.map(({ start, end }) => first!.text.slice(start, end))).toEqual([
      "Two",
      "words",
    ]);
    expect([first!.at(10)!.form, first!.at(14), first!.sentence("x")]).toEqual(["words", undefined, undefined]);
    // Places that were given so are not those of a file.
    expect(first!.toConllu() + second!.toConllu()).toBe(sentences.join(""));
    expect(JSON.stringify(first)).not.toContain('"start"');
    expect(() => new Document([1] as never)).toThrow("invalid sentence: 1 (expected a Sentence)");
  });
});

describe("JSON", () => {
  test("has the schema of the documentation", () => {
    const file = new URL("../../../../docs/sentence.schema.json", import.meta.url);
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual(SENTENCE_SCHEMA);
  });

  test("brings back any columns", () => {
    const value = fc.constantFrom(
      ..."A=b|A=b|B=c|b=|c|1=2|10=x|__proto__=y|Score=0.5|Score=0.250|TokenRange=1:2|Case=Nom|=".split("|"),
    );
    const attributes = fc.array(value, { maxLength: 4 }).map((items) => items.join("|") || "_");
    const relation = fc.constantFrom(..."0:root|2:dep|2:obj:x|2.1:dep|10:a|10:b|x".split("|"));
    const deps = fc.array(relation, { maxLength: 4 }).map((items) => items.join("|") || "_");
    const comment = fc.constantFrom(
      ...["# sent_id = a", "# text = t t", "#text=t", "# text = t  t", "# newpar", "# x", "# tree = 1 of 2"],
      ...["# score = 1.50", "# score = 2", "# newdoc id = d", "#"],
    );
    const row = fc.tuple(attributes, deps, attributes);
    fc.assert(
      fc.property(
        fc.array(row, { minLength: 1, maxLength: 4 }),
        fc.array(comment),
        row,
        fc.boolean(),
        (rows, comments, extra, isMulti) => {
          const lines = rows.map(
            ([feats, deps, misc], k) => `${k + 1}\tw\tl\tU\tX\t${feats}\t0\troot\t${deps}\t${misc}\n`,
          );
          const [feats, deps, misc] = extra;
          if (isMulti) lines.unshift(`1-1\tt\t_\t_\t_\t${feats}\t_\t_\t${deps}\t${misc}\n`);
          lines.push(`${rows.length}.1\te\t_\t_\t_\t${feats}\t_\t_\t${deps}\t${misc}\n`);
          const text = `${comments.map((line) => `${line}\n`).join("")}${lines.join("")}\n`;
          const [sentence] = readTreebank(text);
          const json = formatSentence(sentence!, "json");
          const [again] = readTreebank(json, { format: "json" });
          expect(again!.toString()).toBe(text);
          expect(formatSentence(again!, "json")).toBe(json);
        },
      ),
      { numRuns: 500 },
    );
  });

  test("is read without a version and lemmas, and from the answer of a server", () => {
    const given = {
      ...{ id: "1", text: "Don't\ngo", start: 3, end: 11, tree: { rank: 1, of: 2, score: 3.5 } },
      words: [
        {
          id: 1,
          form: "Do",
          lemma: "do",
          upos: "AUX",
          xpos: "VB",
          feats: {},
          head: 3,
          deprel: "aux",
          start: 3,
          end: 8,
        },
        {
          id: 2,
          form: "n't",
          lemma: "not",
          upos: "PART",
          xpos: "RB",
          feats: {},
          head: 3,
          deprel: "advmod",
          start: 3,
          end: 8,
        },
        { id: 3, form: "go", feats: { VerbForm: "Inf" }, head: 0, deprel: "root", start: 9, end: 11, score: 0.25 },
      ],
      multiWordTokens: [{ form: "Don't", start: 3, end: 8, from: 1, to: 2 }],
    };
    const expected = [
      "# sent_id = 1\n# text = Don't go\n# tree = 1 of 2\n# score = 3.5",
      "1-2\tDon't\t_\t_\t_\t_\t_\t_\t_\tTokenRange=3:8",
      "1\tDo\tdo\tAUX\tVB\t_\t3\taux\t_\t_",
      "2\tn't\tnot\tPART\tRB\t_\t3\tadvmod\t_\t_",
      "3\tgo\t_\t_\t_\tVerbForm=Inf\t0\troot\t_\tTokenRange=9:11|Score=0.250\n\n",
    ].join("\n");
    const [sentence] = readTreebank(JSON.stringify(given), { format: "json" });
    expect(sentence!.toString()).toBe(expected);
    expect([sentence!.text, sentence!.tree, sentence!.words[2]!.score]).toEqual(["Don't\ngo", given.tree, 0.25]);
    const answer = JSON.stringify({ model: "en", sentences: [sentence, given] });
    const both = readTreebank(answer, { format: "json" });
    expect(both.map(String)).toEqual([expected, expected]);
    expect(readTreebank('{"sentences":[]}', { format: "json" })).toEqual([]);
  });

  test("of a version that is not known is refused", () => {
    const read = () => readTreebank('{"version":2,"words":[{"form":"a"}]}', { format: "json", source: "x" });
    expect(read).toThrow("x:1: invalid version: 2 (expected 1, the only version that this program knows)");
  });
});

test("features may be given as an object", () => {
  const words = [
    { form: "Rek", feats: { Number: "Sing", Case: "Nom" }, misc: { SpaceAfter: "No" }, deps: { 0: "root" } },
  ];
  const sentence = Sentence.from({ words });
  expect([sentence.feats(1), sentence.misc(1), sentence.deps(1)]).toEqual([
    "Number=Sing|Case=Nom",
    "SpaceAfter=No",
    "0:root",
  ]);
  sentence.set("feats", 1, { Case: "Acc" });
  expect(sentence.feats(1)).toBe("Case=Acc");
  expect(() => Sentence.from({ words: [{ form: "a", feats: { Case: 1 } as never }] })).toThrow(
    /^sentence:1: invalid FEATS of 1: "?\{/,
  );
  const { words: parsed } = pipeline.parseTokens([{ form: "Rek", feats: { Case: "Nom" } }, "paints"]);
  expect({ ...parsed[0]!.feats }).toEqual({ Case: "Nom" });
  expect(pipeline.parseTokens([{ form: "Rek", feats: {} }]).feats(1)).toBe("_");
  expect(() => pipeline.parseTokens([{ form: "Rek", feats: ["Case"] as never }])).toThrow('invalid FEATS: ["Case"]');
});
