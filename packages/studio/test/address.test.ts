import { expect, test } from "vitest";
import { type Address, LONGEST_TEXT, longTextKey, readAddress, START, writeAddress } from "../src/page/address.js";

test("what has its default value is left out", () => {
  expect(writeAddress(START)).toBe("#parse");
  expect(readAddress("")).toEqual(readAddress("#parse"));
  expect(readAddress("#parse")).toMatchObject({ view: "parse", text: START.text, step: 0, branches: [] });
});

test("an address holds the whole state", () => {
  const state: Address = {
    view: "step",
    text: "1\tÄhren\t_\t_\t_\t_\t0\troot\t_\t_\n# + & % ~ . =",
    longText: undefined,
    treebank: "abc-def-9",
    place: { key: "abc-def-9", index: 41 },
    model: "greek model.stemma",
    sentence: 2,
    gold: { 2: { heads: [-1, 2, 0], labels: ["", "acl:relcl", "root"] } },
    system: { name: "attardi", root: "none", degree: 3, lazy: true, singleRoot: false },
    policy: "dynamic",
    branches: [
      {
        prefix: [
          { move: "SHIFT", label: undefined },
          { move: "LEFT-ARC-2", label: "obl:tmod" },
        ],
        after: "model",
      },
      { prefix: [{ move: "RIGHT-ARC", label: "dep" }], after: "hand" },
    ],
    branch: 0,
    step: 17,
    quiz: true,
    lesson: "swap",
    sides: ["swap", "other-file"],
    otherModel: "second.stemma",
    otherFile: "xyz-9",
    query: {
      form: "be*",
      label: "acl",
      nonProjective: true,
      wrong: true,
      pattern: "{upos:VERB}=verb >nsubj {}",
      by: "verb.lemma",
      value: "",
      order: "unsure",
      marks: "open",
    },
  };
  expect(readAddress(writeAddress(state))).toEqual(state);
  for (const branch of [undefined, 1]) {
    const other = { ...state, branch };
    expect(readAddress(writeAddress(other))).toEqual(other);
  }
  const elsewhere = { ...state, place: { key: "another", index: 0 } };
  expect(readAddress(writeAddress(elsewhere))).toEqual(elsewhere);
});

test("of a text that is too long, the address holds the key", () => {
  const text = "word ".repeat(LONGEST_TEXT / 5 + 1);
  const key = longTextKey(text);
  expect(longTextKey(text.slice(5))).toBeUndefined();
  const hash = writeAddress({ ...START, text, longText: key });
  expect(hash.length).toBeLessThan(100);
  expect(readAddress(hash)).toMatchObject({ text: "", longText: key });
});

test("what makes no sense is ignored", () => {
  const address = readAddress(
    "#nowhere?sys=mst&root=middle&k=-4&s=0&g=1~x&sides=a~b&by=me&hand=&branch=7&lesson=chess",
  );
  expect(address).toMatchObject({
    view: "parse",
    step: 0,
    sentence: 0,
    gold: {},
    sides: START.sides,
    policy: "model",
    branches: [],
    branch: undefined,
    lesson: undefined,
  });
  expect(address.system.name).toBeUndefined();
});
