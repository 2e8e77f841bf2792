import { expect, test } from "vitest";
import type { Change, SentenceState } from "../../../src/state/storage/changes.js";
import { rebase } from "../../../src/state/storage/merge.js";

const words = (...rows: string[]) =>
  `# sent_id = 1\n${rows.map((one, i) => `${i + 1}\t${one.replaceAll(" ", "\t")}`).join("\n")}\n\n`;
const FILE = words("a a X _ _ 2 det _ _", "b b Y _ _ 0 root _ _", "c c Z _ _ 2 obj _ _");

function change(before: SentenceState | undefined, after: SentenceState, document = "file"): Change {
  const sentences = [{ index: 3, before, after, original: FILE }];
  return { kind: "sentences", document, what: "a change", sentences, typed: false, made: 1 };
}

const after = ({ change: made }: { change: Change }) => (made.kind === "sentences" ? made.sentences[0]! : undefined);

test("changes of two tabs to different words of a sentence are both kept", () => {
  const theirs = { text: FILE.replace("a\ta\tX", "a\taa\tX"), fixed: [[1]] };
  const mine = { text: FILE.replace("2\tobj", "1\tnmod"), fixed: [[3]], note: "look" };
  const rebased = rebase(change(undefined, mine), undefined, [change(undefined, theirs)]);
  expect(rebased.clashes).toBe(0);
  expect(after(rebased)).toEqual({
    index: 3,
    original: FILE,
    before: theirs,
    after: { text: FILE.replace("a\ta\tX", "a\taa\tX").replace("2\tobj", "1\tnmod"), fixed: [[1, 3]], note: "look" },
  });
});

test("what both changed is that of the later one, and counted; an arc is one value", () => {
  const theirs = { text: FILE.replace("2\tobj", "2\tiobj") };
  const mine = { text: FILE.replace("2\tobj", "1\tobj") };
  const rebased = rebase(change(undefined, mine), undefined, [change(undefined, theirs)]);
  expect(rebased.clashes).toBe(1);
  expect(after(rebased)!.after!.text).toBe(mine.text);
});

test("a sentence with other words is not mixed with it, and the other version stays before the change", () => {
  const theirs = { text: words("ab ab X _ _ 0 root _ _", "c c Z _ _ 1 obj _ _") };
  const mine = { text: FILE.replace("2\tobj", "1\tobj") };
  const rebased = rebase(change(undefined, mine), undefined, [change(undefined, theirs)]);
  expect(rebased.clashes).toBe(1);
  expect(after(rebased)).toMatchObject({ before: theirs, after: { text: mine.text } });
});

test("other treebanks and other sentences do not matter", () => {
  const mine = change(undefined, { done: true });
  expect(rebase(mine, undefined, [change(undefined, { done: false }, "another")])).toEqual({
    change: mine,
    clashes: 0,
  });
});

test("trees of texts are merged by word", () => {
  const tree = (...heads: number[]) => ({ heads: [-1, ...heads], labels: heads.map(String) });
  const made = (before: ReturnType<typeof tree>, then: ReturnType<typeof tree>): Change => ({
    ...{ kind: "tree", sentence: "s", index: 0, before, after: then },
  });
  const base = tree(2, 0, 2);
  const { change: merged } = rebase(made(base, tree(2, 0, 1)), undefined, [made(base, tree(3, 0, 2))]);
  expect(merged.kind === "tree" && merged.after!.heads).toEqual([-1, 3, 0, 1]);
});
