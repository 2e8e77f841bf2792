import { inspect } from "node:util";
import { beforeAll, expect, test } from "vitest";
import { match } from "../../src/matching/matcher.js";
import { Pipeline } from "../../src/pipeline/pipeline.js";
import { Document } from "../../src/treebank/sentence/document.js";
import { Sentence } from "../../src/treebank/sentence/sentence.js";
import { toyPipeline } from "../toy-pipeline.js";

let pipeline: Pipeline;
beforeAll(() => {
  pipeline = new Pipeline(toyPipeline());
});

test("objects are short in a console", () => {
  const sentence = Sentence.from({
    words: [
      { form: "Birds", lemma: "bird", upos: "NOUN", head: 2, deprel: "nsubj" },
      { form: "sing", lemma: "sing", upos: "VERB", head: 0, deprel: "root" },
    ],
    text: "Birds sing",
    id: "a",
  });
  const shown = (value: unknown) => inspect(value, { breakLength: Number.POSITIVE_INFINITY });
  expect(shown(sentence.words[0])).toBe(
    "Word { index: 1, form: 'Birds', lemma: 'bird', upos: 'NOUN', deprel: 'nsubj', head: '2 sing' }",
  );
  expect(shown(sentence.words)).toContain("[ Word { index: 1,");
  expect(shown(sentence)).toBe("Sentence { text: 'Birds sing', words: 2, root: 'sing' }");
  expect(shown(sentence.span(1, 2))).toBe("Span { text: 'Birds sing', from: 1, to: 2, root: 'sing' }");
  expect(shown(new Document([sentence]))).toBe("Document { sentences: 1, text: 'Birds sing' }");
  expect(shown(match(sentence, "{upos:NOUN}=who")[0])).toBe("Match { nodes: [ 1 ], words: [ 'who: Birds' ] }");
  expect(shown(pipeline)).toMatch(/^Pipeline { system: 'arc-.* }$/);
  expect(shown(pipeline).length).toBeLessThan(200);
});

test("what can never be found is an error", () => {
  const sentence = pipeline.parseTokens(["Mina", "likes", "maps", "."]);
  expect(() => sentence.find("subj")).toThrow(
    'invalid relation: "subj" (expected one of Universal Dependencies, as nsubj)',
  );
  expect([sentence.find("vocative"), sentence.find("nsubj:outer")]).toEqual([[], []]);
  // Other schemes have other relations.
  const other = Sentence.from({ words: [{ form: "go", head: 0, deprel: "ROOT" }] });
  expect([other.find("SBJ"), other.find("ROOT")]).toEqual([[], [other.words[0]]]);
  expect(() => match(sentence, "{upos:verb}")).toThrow("expected upos:VERB, in capitals");
  expect(match(sentence, '{upos:"verb"i}')).toHaveLength(1);
  expect(match(sentence, "{upos:/verb/i}")).toHaveLength(1);
});

test("a text that is none is a TypeError, whatever it is", () => {
  for (const value of [42, null, undefined, {}]) expect(() => pipeline.parse(value as never)).toThrow(TypeError);
  expect(() => pipeline.parse("a", { trees: 0 })).toThrow(RangeError);
});
