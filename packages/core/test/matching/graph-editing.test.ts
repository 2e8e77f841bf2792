import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { TreeEditor } from "../../src/search.js";
import {
  joinSentences,
  joinWords,
  readTreebank,
  removeEmptyNode,
  type Sentence,
  splitSentence,
  splitWord,
  validate,
} from "../../src/treebank.js";

const rows = (...lines: string[]) => `${lines.map((line) => `${line.replace(/ +/g, "\t")}\n`).join("")}\n`;

const DOGS = rows(
  "1 I    I   PRON _ _ 2 nsubj 2:nsubj _",
  "2 saw  see VERB _ _ 0 root  0:root  _",
  "3 old  old ADJ  _ _ 4 amod  4:amod  _",
  "4 dogs dog NOUN _ _ 2 obj   2:obj   _",
  "5 in   in  ADP  _ _ 6 case  6:case  _",
  "6 town town NOUN _ _ 2 obl  2:obl:in _",
);

const read = (text: string) => readTreebank(text, { allowNonTrees: true })[0]!;
const graph = (sentence: Sentence) => sentence.words.map((word) => sentence.deps(word.index));

describe("DEPS follow", () => {
  const edited = (pattern: string, ...actions: ConstructorParameters<typeof TreeEditor>[1]) =>
    new TreeEditor(pattern, actions).edit(read(DOGS)).sentence;

  test("the dependents of a word that is deleted", () => {
    expect(graph(edited("{form:dogs}=d", { delete: "d" }))).toEqual([
      "2:nsubj",
      "0:root",
      "2:amod",
      "5:case",
      "2:obl:in",
    ]);
  });
  test("those of several, and of the root", () => {
    expect(graph(edited("{form:/dogs|town/}=d", { delete: "d" }))).toEqual(["2:nsubj", "0:root", "2:amod", "2:case"]);
    const short = read(rows("1 Old old ADJ _ _ 2 amod 2:amod _", "2 dogs dog NOUN _ _ 0 root 0:root _"));
    const { sentence } = new TreeEditor("{form:dogs}=d", [{ delete: "d" }]).edit(short);
    expect([graph(sentence), sentence.deprel(1)]).toEqual([["0:root"], "root"]);
  });
  test("a word to its new head, with its new label", () => {
    expect(edited("{form:town}=t; {form:dogs}=d", { attach: "t", to: "d" }).deps(6)).toBe("4:obl:in");
    const moved = edited("{form:town}=t; {form:dogs}=d", { attach: "t", to: "d" }, { set: "t.deprel", to: "nmod" });
    expect(moved.deps(6)).toBe("4:nmod");
    expect(edited("{form:dogs}=d", { set: "d.deprel", to: "iobj" }).deps(4)).toBe("2:iobj");
    expect(edited("{form:dogs}=d", { set: "d.upos", to: "PROPN" }).toString()).toBe(DOGS.replace("NOUN", "PROPN"));
  });
});

/** Valid sentences with a graph: a random tree, further arcs, empty nodes, multiword tokens. */
const sentences = fc
  .integer({ min: 2, max: 8 })
  .chain((n) =>
    fc.record({
      heads: fc.tuple(...Array.from({ length: n }, (_, i) => fc.integer({ min: 0, max: Math.max(0, i - 1) }))),
      order: fc.shuffledSubarray(
        Array.from({ length: n }, (_, i) => i),
        { minLength: n, maxLength: n },
      ),
      more: fc.array(fc.tuple(fc.nat(n - 1), fc.nat(n - 1)), { maxLength: 4 }),
      empty: fc.array(fc.tuple(fc.nat(n - 1), fc.nat(n - 1)), { maxLength: 2 }),
      tokens: fc.uniqueArray(fc.nat(n - 1), { maxLength: 2 }),
    }),
  )
  .map(({ heads, order, more, empty, tokens }) => {
    const n = heads.length;
    // Node k of the tree, from 0, stands at order[k]; its head is an earlier node, and that of node 0 is the root.
    const headOf = new Map(order.map((place, k) => [place, k === 0 ? 0 : order[heads[k]!]! + 1]));
    const lines: string[] = [];
    const written: string[] = [];
    // Where the last token ends, from 0.
    let end = -1;
    for (let i = 0; i < n; i++) {
      if (i > end && i + 1 < n && tokens.includes(i)) {
        end = i + 1;
        lines.push(`${i + 1}-${i + 2} t${i} _ _ _ _ _ _ _ _`);
        written.push(`t${i}`);
      } else if (i > end) written.push(`w${i}`);
      const head = headOf.get(i)!;
      const label = head === 0 ? "root" : "dep";
      const arcs = new Set([`${head}:${label}`]);
      for (const [d, h] of more) if (d === i && h !== i) arcs.add(`${h + 1}:dep`);
      const own = empty.filter(([place]) => place === i);
      for (const k of own.keys()) arcs.add(`${i + 1}.${k + 1}:dep`);
      const sorted = [...arcs].sort((a, b) => Number.parseFloat(a) - Number.parseFloat(b));
      lines.push(`${i + 1} w${i} w${i} X _ _ ${head} ${label} ${sorted.join("|")} _`);
      for (const [k, [, h]] of own.entries()) lines.push(`${i + 1}.${k + 1} _ _ X _ _ _ _ ${h + 1}:dep _`);
    }
    return `# sent_id = s\n# text = ${written.join(" ")}\n${rows(...lines)}`;
  });

const errors = (sentence: Sentence) =>
  validate(sentence)
    // A part of a word has no tag yet.
    .filter(({ severity, rule }) => severity === "error" && rule !== "unknown-upos")
    .map(({ message }) => message);

test("random edits leave no sentence invalid that was valid", () => {
  const kinds = ["delete", "two", "subtree", "attach", "split", "join", "cut", "append", "emptied"] as const;
  let tried = 0;
  fc.assert(
    fc.property(sentences, sentences, fc.constantFrom(...kinds), fc.nat(7), fc.nat(7), (text, other, kind, a, b) => {
      const sentence = read(text);
      expect(errors(sentence)).toEqual([]);
      const n = sentence.length;
      const [i, j] = [(a % n) + 1, (b % n) + 1];
      let results: Sentence[];
      try {
        if (kind === "split") results = [splitWord(sentence, i, ["x", "y"])];
        else if (kind === "join") results = [joinWords(sentence, Math.min(i, n - 1), Math.min(i, n - 1) + 1)];
        else if (kind === "cut") results = splitSentence(sentence, Math.max(2, i));
        else if (kind === "append") results = [joinSentences(sentence, read(other))];
        else if (kind === "emptied") results = sentence.emptyNodes.map(({ id }) => removeEmptyNode(sentence, id));
        else {
          const actions =
            kind === "attach" ? [{ attach: "d", to: "h" }] : [{ delete: "d", subtree: kind === "subtree" }];
          const pattern =
            kind === "attach"
              ? `{form:w${i - 1}}=d; {form:w${j - 1}}=h`
              : `{form:/^(w${i - 1}|${kind === "two" ? `w${j - 1}` : ""})$/}=d`;
          results = [new TreeEditor(pattern, actions).edit(sentence).sentence];
        }
      } catch (error) {
        // An edit that would leave no tree is refused.
        expect(String(error)).toMatch(/expected/);
        return;
      }
      tried++;
      for (const result of results) expect(errors(result), result.toString()).toEqual([]);
    }),
    { numRuns: Number(process.env.RUNS ?? 600) },
  );
  expect(tried).toBeGreaterThan(200);
});
