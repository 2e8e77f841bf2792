import { expect, test } from "vitest";
import { placeEdits } from "../../../src/state/treebank/place-edits.js";

const sentence = (id: string, ...words: string[]) =>
  `# sent_id = ${id}\n${words.map((word, i) => `${i + 1}\t${word}\t_\tX\t_\t_\t${i}\tdep\t_\t_\n`).join("")}\n`;
const FILE = sentence("a", "one", "two") + sentence("b", "three") + sentence("c", "four", "five");

test("edits follow their sentences, by sent_id or by words, and are merged with what has changed", () => {
  const edit = (text: string) => text.replace("\tX\t", "\tY\t");
  const states = new Map([
    [0, { text: edit(sentence("a", "one", "two")), fixed: [[1]] }],
    [1, { done: true }],
    [2, { text: edit(sentence("c", "four", "five")), note: "look" }],
  ]);
  const moved = sentence("new", "zero") + FILE.replace("sent_id = c", "sent_id = d").replace("1\tdep", "1\tobj");
  const changed = sentence("d", "four", "five");
  expect(placeEdits(FILE, moved, states)).toEqual({
    placed: [
      [1, { text: edit(sentence("a", "one", "two")).replace("1\tdep", "1\tobj"), fixed: [[1]] }],
      [2, { done: true }],
      [3, { text: edit(changed), note: "look" }],
    ],
    left: [],
  });
});

test("what is gone, has other words, or was split is left", () => {
  const text = sentence("a", "one", "2");
  const states = new Map([
    [0, { text }],
    [1, { text: sentence("b", "3") }],
    [2, { text: sentence("c", "four") }],
    [2.25, { text: sentence("c2", "five") }],
  ]);
  const now = sentence("a", "one", "and", "two") + sentence("c", "four", "five", "six");
  expect(placeEdits(FILE, now, states)).toEqual({ placed: [], left: [...states.values()].map((one) => one.text) });
  const kept = placeEdits(FILE, sentence("z", "z") + FILE, states);
  expect(kept.placed.map(([index]) => index)).toEqual([1, 2, 3, 3.25]);
});

test("sentences that have other numbers now keep their edits, and so do those after comments on their own", () => {
  const edited = sentence("b", "three").replace("\tX\t", "\tY\t");
  const states = new Map([[1, { text: edited, done: true }]]);
  // Numbered anew: what was b is c, and another sentence of one word is b.
  const renumbered = sentence("a", "one", "two") + sentence("b", "other") + sentence("c", "three");
  expect(placeEdits(FILE, renumbered, states)).toEqual({
    placed: [[2, { text: edited.replace("sent_id = b", "sent_id = c"), done: true }]],
    left: [],
  });
  // It is gone, and its number is that of another one.
  const gone = sentence("a", "one", "two") + sentence("b", "other");
  expect(placeEdits(FILE, gone, states)).toEqual({ placed: [], left: [edited] });
  expect(placeEdits(FILE, gone, new Map([[1, { done: true, note: "ask\nher" }]]))).toEqual({
    placed: [],
    left: [`# note = ask her\n${sentence("b", "three")}`],
  });
  const headed = `# newdoc\n\n${FILE}`;
  const headedEdit = new Map([[1, { text: edited }]]);
  expect(placeEdits(headed, `# newdoc\n\n${sentence("z", "z")}${FILE}`, headedEdit)).toEqual({
    placed: [[2, { text: edited }]],
    left: [],
  });
});

test("another word of the sentence may have changed, and comments may have come; an edited word may not", () => {
  const edited = sentence("a", "one", "two").replace("1\tone\t_\tX", "1\tone\t_\tY");
  const states = new Map([[0, { text: edited }]]);
  const corrected = FILE.replace("2\ttwo", "2\ttoo").replace("# sent_id = a", "# checked\n# sent_id = a");
  expect(placeEdits(FILE, corrected, states)).toEqual({
    placed: [[0, { text: edited.replace("2\ttwo", "2\ttoo").replace("# sent_id", "# checked\n# sent_id") }]],
    left: [],
  });
  expect(placeEdits(FILE, FILE.replace("1\tone", "1\tOne"), states)).toEqual({ placed: [], left: [edited] });
});

test("two sentences do not take one place", () => {
  const twice = sentence("a", "one", "two") + sentence("a", "one", "two");
  const edited = sentence("a", "one", "two").replace("\tX\t", "\tY\t");
  const states = new Map([
    [0, { text: edited }],
    [1, { text: edited.replace("\tY\t", "\tZ\t") }],
  ]);
  const { placed, left } = placeEdits(twice, sentence("a", "one", "two"), states);
  expect(placed).toEqual([[0, { text: edited }]]);
  expect(left).toHaveLength(1);
});
