import { expect, test } from "vitest";
import { placeEdits } from "../src/state/treebank/place-edits.js";

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
