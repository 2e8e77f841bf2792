// Where removed words hang: what is learned, and what holds whatever was learned.
import { expect, test } from "vitest";
import { Attacher, AttachmentSearch } from "../../src/disfluencies/attachment/attacher.js";
import { AttachmentModel } from "../../src/disfluencies/attachment/attachment-model.js";
import { disfluencies } from "../../src/disfluencies/attachment/program.js";
import { trainAttachment } from "../../src/disfluencies/learning/attachment-training.js";
import { removedWords } from "../../src/disfluencies/removed-words.js";
import { hashString } from "../../src/math/hash.js";
import { Random } from "../../src/math/random.js";
import { loadModel } from "../../src/model-file/load.js";
import { readModel, writeModel } from "../../src/model-file/model-file.js";
import { Pipeline } from "../../src/pipeline/pipeline.js";
import { train } from "../../src/training/train.js";
import { Sentence } from "../../src/treebank/sentence/sentence.js";
import { isTree } from "../../src/treebank/tree.js";

const SEED = Number(process.env.SEED ?? 20281);
console.log(`attachment.test.ts: seed ${SEED} (SEED=…)`);

/** A sentence of words "form upos head deprel". */
function sentence(...words: string[]): Sentence {
  return Sentence.from({
    words: words.map((word) => {
      const [form, upos, head, deprel] = word.split(" ");
      return { form: form!, upos: upos!, head: Number(head), deprel: deprel! };
    }),
  });
}

const labelsOf = (one: Sentence) => ["", ...one.words.map(({ deprel }) => deprel)];

/** "flights uh from X, you see, from Y": the filler goes left and takes its pause along, the marker has an object. */
const said = (taken: string, meant: string) =>
  sentence(
    ...["we PRON 2 nsubj", "want VERB 0 root", "flights NOUN 2 obj"],
    ...["uh INTJ 2 discourse:filler", "# PUNCT 4 punct"],
    ...["from ADP 7 case", `${taken} PROPN 11 reparandum`],
    ...["you PRON 9 nsubj", "see VERB 2 parataxis:discourse"],
    ...["from ADP 11 case", `${meant} PROPN 3 nmod`],
  );
const CITIES = ["Boston", "Denver", "Oslo", "Rome"];
const LEARNED = CITIES.flatMap((taken) => CITIES.map((meant) => said(taken, meant)));
const MODEL = trainAttachment(LEARNED)!;

/** The tree of a sentence before its removed words are attached, as the rule would have them: to the next word. */
function parsed(one: Sentence) {
  const leftOut = removedWords(one.heads, labelsOf(one))!;
  const heads = Int32Array.from(one.heads);
  const labels = labelsOf(one);
  for (let d = one.length, next = 11; d > 0; d--) {
    if (leftOut[d] === 0) next = d;
    else [heads[d], labels[d]] = [next, ["", "discourse:filler", "discourse", "reparandum"][leftOut[d]!]!];
  }
  return { heads, labels, leftOut };
}

test("heads and labels are learned: in a reparandum, on the repair, to the left, and with dependents", () => {
  const unseen = said("Lima", "Paris");
  const tree = parsed(unseen);
  MODEL.createStep().complete(unseen, tree);
  expect([...tree.heads]).toEqual([...unseen.heads]);
  expect(tree.labels).toEqual(labelsOf(unseen));
});

test("sentences without removed words, and those of nothing else, stay as they are", () => {
  const step = MODEL.createStep();
  const [plain, nothing] = [parsed(said("A", "B")), parsed(said("A", "B"))];
  const [before, rest] = [structuredClone(plain), structuredClone(nothing)];
  plain.leftOut.fill(0);
  step.complete(said("A", "B"), plain);
  expect([plain.heads, plain.labels]).toEqual([before.heads, before.labels]);
  nothing.leftOut.fill(2, 1);
  step.complete(said("A", "B"), nothing);
  expect([nothing.heads, nothing.labels]).toEqual([rest.heads, rest.labels]);
  expect(trainAttachment([sentence("we PRON 2 nsubj", "sing VERB 0 root")])).toBeUndefined();
  expect(trainAttachment([sentence("uh INTJ 0 discourse")])).toBeUndefined();
});

/** A random sentence with a tree of the words that stay, at least one; the others hang on its root. */
function randomTree(random: Random, n: number, share: number) {
  const pick = <T>(list: readonly T[]) => list[Math.floor(random.next() * list.length)]!;
  const below = (count: number) => Math.floor(random.next() * count);
  const words = Array.from({ length: n }, () => `${pick(["uh", "we", "from", "Rome"])} ${pick(["INTJ", "ADP", "X"])}`);
  const leftOut = Uint8Array.from({ length: n + 1 }, (_, i) => (i > 0 && random.next() < share ? 1 + below(3) : 0));
  leftOut[1 + below(n)] = 0;
  const staying = Array.from({ length: n }, (_, i) => i + 1).filter((i) => leftOut[i] === 0);
  const heads = new Int32Array(n + 1).fill(staying[0]!);
  heads[0] = -1;
  staying.forEach((word, k) => {
    heads[word] = k === 0 ? 0 : staying[below(k)]!;
  });
  const labels = Array.from(
    { length: n + 1 },
    (_, i) => ["dep", "discourse:filler", "discourse", "reparandum"][leftOut[i]!]!,
  );
  return { one: sentence(...words.map((word) => `${word} 0 dep`)), tree: { heads, labels, leftOut } };
}

test("whatever was learned: a tree, the words that stay as they were, and all removed as they were", () => {
  const random = new Random(SEED);
  const step = MODEL.createStep();
  for (const [n, share] of [...Array.from({ length: 300 }, (_, i) => [1 + (i % 14), 0.6]), [300, 0.9], [300, 0.3]]) {
    const { one, tree } = randomTree(random, n!, share!);
    const before = structuredClone(tree);
    step.complete(one, tree);
    expect(isTree(tree.heads)).toBe(true);
    expect([...(removedWords(tree.heads, tree.labels) ?? new Uint8Array(n! + 1))]).toEqual([...before.leftOut]);
    for (let i = 1; i <= n!; i++) {
      if (before.leftOut[i] === 0) expect([tree.heads[i], tree.labels[i]]).toEqual([before.heads[i], before.labels[i]]);
    }
  }
});

test("all heads together have the highest score of all trees", () => {
  const random = new Random(SEED + 1);
  const seen = new Map<string, number>();
  const search = new AttachmentSearch((features) => (hashString(features.join()) % 1000) + 1000);
  for (let run = 0; run < 60; run++) {
    const { one, tree } = randomTree(random, 2 + (run % 5), 0.6);
    const removed = tree.leftOut;
    const [group] = AttachmentSearch.groupsOf(removed);
    if (!group) continue;
    search.features.bind(one, { ...tree, removed });
    seen.clear();
    for (const d of group) {
      search.features.forEachHead(d, (head, list) => {
        seen.set(`${d} ${head}`, (hashString(list.join()) % 1000) + 1000);
      });
    }
    const scoreOf = (heads: readonly number[]) => group.reduce((sum, d, i) => sum + seen.get(`${d} ${heads[i]}`)!, 0);
    let best = Number.NEGATIVE_INFINITY;
    const go = (heads: number[]) => {
      if (heads.length < group.length) {
        for (let head = 1; head <= one.length; head++) if (head !== group[heads.length]) go([...heads, head]);
        return;
      }
      const all = tree.heads.slice();
      group.forEach((d, i) => {
        all[d] = heads[i]!;
      });
      if (isTree(all)) best = Math.max(best, scoreOf(heads));
    };
    go([]);
    expect(scoreOf(search.headsOf(group, { ...tree, removed }))).toBe(best);
  }
});

test("a word with nothing that stays in reach goes with what it hung on", () => {
  const n = 3000;
  const one = sentence(...Array.from({ length: n }, () => "uh INTJ 0 dep"));
  const heads = new Int32Array(n + 1).fill(1);
  heads.set([-1, 0]);
  const leftOut = new Uint8Array(n + 1).fill(1, 2);
  const labels = Array.from({ length: n + 1 }, (_, i) => (leftOut[i] === 1 ? "discourse:filler" : "root"));
  const tree = { heads, labels, leftOut };
  MODEL.createStep().complete(one, tree);
  expect(isTree(tree.heads)).toBe(true);
  expect([...removedWords(tree.heads, tree.labels)!]).toEqual([...leftOut]);
});

test("a model that removes words has it in its file, and says what to import", async () => {
  const { model } = await train({ sentences: LEARNED, joint: "disfluencies", epochs: 3 });
  const bytes = writeModel(model);
  expect(() => readModel(bytes)).toThrow('import { disfluencies } from "@stemma/core/disfluencies"');
  const read = readModel(bytes, { programs: [disfluencies] });
  expect(read.steps).toEqual([expect.any(AttachmentModel)]);
  expect(writeModel(read)).toEqual(bytes);
  const given = said("Oslo", "Rome");
  const tokens = given.words.map(({ form, upos }) => ({ form, upos }));
  for (const one of [model, read, await loadModel(bytes)]) {
    const found = new Pipeline(one).parseTokens(tokens);
    expect([[...found.heads], labelsOf(found)]).toEqual([[...given.heads], labelsOf(given)]);
  }
  const { steps } = (await train({ sentences: LEARNED, system: "arc-eager", epochs: 1 })).model;
  expect(steps).toEqual([]);
});

test.each([
  [null, "attachment"],
  [{}, "attachment.labels"],
  [{ labels: ["reparandum"] }, "attachment.labels"],
  [{ labels: { reparandum: 4 } }, "attachment.labels.reparandum: 4 (expected a whole number from 0 to 3)"],
  [{ labels: { "a b": 0 } }, "attachment.labels.a b"],
])("the header %o is refused", (header, message) => {
  expect(() => disfluencies.codecs[0]!.open(header, {})).toThrow(message);
});

test("a label that the treebank does not have stays the rule's", () => {
  const step = new Attacher({ labels: { reparandum: 3 } }, MODEL.linear);
  const tree = parsed(said("A", "B"));
  step.complete(said("A", "B"), tree);
  expect(tree.labels[4]).toBe("discourse:filler");
  expect(tree.labels[7]).toBe("reparandum");
});
