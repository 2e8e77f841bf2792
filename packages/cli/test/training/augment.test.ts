// Sentences that packages/model-en/augment.mjs makes of those of a treebank.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { readTreebank, type Sentence } from "@stemma/core";
import { validate } from "@stemma/core/treebank";
import { afterAll, describe, expect, test } from "vitest";

const script = fileURLToPath(new URL("../../../model-en/augment.mjs", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "stemma-augment-"));
afterAll(() => rmSync(folder, { recursive: true }));

const ROWS = [
  "Although although SCONJ IN _ 4 mark",
  "the the DET DT Definite=Def|PronType=Art 3 det",
  "miller miller NOUN NN Number=Sing 4 nsubj",
  "grinds grind VERB VBZ Mood=Ind|Number=Sing|Person=3|Tense=Pres|VerbForm=Fin 8 advcl",
  "flour flour NOUN NN Number=Sing 4 obj",
  ", , PUNCT , _ 4 punct",
  "she she PRON PRP Case=Nom|Gender=Fem|Number=Sing|Person=3|PronType=Prs 8 nsubj",
  "thanked thank VERB VBD Mood=Ind|Number=Sing|Person=3|Tense=Past|VerbForm=Fin 0 root",
  "him he PRON PRP Case=Acc|Gender=Masc|Number=Sing|Person=3|PronType=Prs 8 obj",
  ". . PUNCT . _ 8 punct",
].map((row, i) => {
  const [form, lemma, upos, xpos, feats, head, deprel] = row.split(" ");
  const glued = i === 4 || i === 8 ? "SpaceAfter=No" : "_";
  return [i + 1, form, lemma, upos, xpos, feats, head, deprel, "_", glued].join("\t");
});
const TREEBANK = `# sent_id = 1\n# text = Although the miller grinds flour, she thanked him.\n${ROWS.join("\n")}\n\n`;

function augmented(seed: string): string {
  const source = join(folder, "source.conllu");
  const out = join(folder, `${seed}.conllu`);
  writeFileSync(source, TREEBANK);
  execFileSync(process.execPath, [script, source, out, "--share", "3", "--seed", seed], { stdio: "pipe" });
  return readFileSync(out, "utf8");
}

describe("augment.mjs", () => {
  const text = augmented("1");
  const sentences = readTreebank(text);
  const of = (kind: string): Sentence[] => sentences.filter(({ id }) => id?.startsWith(`augmented-${kind}-`));

  test("gives the same bytes for a seed, others for another", () => {
    expect(augmented("1")).toBe(text);
    expect(augmented("2")).not.toBe(text);
  });

  test("makes trees by the guidelines, each with its text", () => {
    expect(sentences.flatMap((sentence) => validate(sentence)).map(({ rule }) => rule)).toEqual([]);
  });

  test("puts them into documents of several kinds, which those with emoji end", () => {
    const documents = text.split("# newdoc\n").slice(1);
    const kindsOf = (document: string) => [...document.matchAll(/augmented-(\w+)-/g)].map(([, kind]) => kind!);
    const kinds = documents.map(kindsOf);
    expect(text.startsWith("# newdoc\n")).toBe(true);
    expect(kinds.flat()).toHaveLength(sentences.length);
    expect(kinds.some((own) => new Set(own).size > 2)).toBe(true);
    for (const own of kinds) {
      const others = own.filter((kind) => kind !== "pictured");
      expect(others.length).toBeGreaterThan(0);
      expect(others.length).toBeLessThanOrEqual(9);
      expect(own.slice(0, others.length)).toEqual(others);
    }
  });

  test.each([
    ["capitals", /^ALTHOUGH THE MILLER GRINDS FLOUR, SHE THANKED HIM\.$/],
    ["small", /^although the miller grinds flour, she thanked him\.$/],
    ["unmarked", /^Although the miller grinds flour, she thanked him$/],
    ["named", /^Although the miller grinds flour, \p{Lu}\p{Ll}+ thanked \p{Lu}\p{Ll}+\.$/u],
    ["clause", /^(The miller grinds flour|She thanked him)\.$/],
    ["pictured", /\p{Extended_Pictographic}|\p{Regional_Indicator}/u],
    ["short", /^([-*•] )?(@[\w.]+|\p{L}+)( (\p{L}+|\d{1,2}(:\d\d)?([ap]m)?)){1,15}[.?]?$/iu],
  ])("%s", (kind, pattern) => {
    expect(of(kind).length).toBeGreaterThan(0);
    for (const { text: made } of of(kind)) expect(made).toMatch(pattern);
  });

  test("emoji are symbols that hang on the root", () => {
    for (const sentence of of("pictured")) {
      const root = sentence.root!.index;
      for (const word of sentence.words) {
        if (word.xpos !== "NFP") continue;
        expect([word.upos, word.deprel, sentence.head(word.index)]).toEqual(["SYM", "discourse", root]);
      }
    }
  });
});
