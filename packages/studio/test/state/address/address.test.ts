import { describeSystem, SYSTEM_NAMES } from "@stemma/core/systems";
import { expect, test } from "vitest";
import { type ErrorFilter, readFilter, writeFilter } from "../../../src/protocol/error-filter.js";
import {
  type Address,
  LONGEST_TEXT,
  longTextKey,
  readAddress,
  START,
  writeAddress,
} from "../../../src/state/address/address.js";
import { numbersBetween } from "../../../src/state/storage/numbers.js";

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
    system: { name: "attardi", root: "none", singleRoot: false, settings: { degree: 3, lazy: true } },
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
    present: true,
    lesson: "swap",
    sides: ["swap", "other-file"],
    otherModel: "second.stemma",
    otherFile: "xyz-9",
    retag: true,
    query: {
      errors: { by: "confusion", gold: "obl", system: "nmod" },
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
  for (const index of [0, 41.25, 8_000_000 + 2 ** -30]) {
    for (const key of ["another", "abc-def-9"]) {
      const elsewhere = { ...state, place: { key, index } };
      expect(readAddress(writeAddress(elsewhere))).toEqual(elsewhere);
    }
  }
});

test("every setting of every system travels in links, also in those to lessons", () => {
  for (const name of SYSTEM_NAMES) {
    for (const setting of describeSystem(name).settings) {
      for (const value of [...setting.values, ...(setting.upTo ? [setting.upTo] : [])]) {
        const system = { name, root: "first" as const, singleRoot: undefined, settings: { [setting.name]: value } };
        const state: Address = { ...START, view: "learn", lesson: "oracles", system };
        expect(readAddress(writeAddress(state)).system).toEqual(system);
        // The setting alone is something that the lesson does not begin with.
        const hash = `#learn?lesson=oracles&${setting.name}=${Number(value)}`;
        expect(readAddress(hash).system).toMatchObject({ settings: { [setting.name]: value } });
      }
    }
  }
});

test("there is room for many sentences that are split off one", () => {
  for (const at of [0, 25_000_000]) {
    let next = at + 1;
    const from: number[] = [];
    for (let i = 0; i < 14; i++) {
      const [number] = numbersBetween(at, next, 1);
      expect(number).toBeGreaterThan(at);
      expect(number).toBeLessThan(next);
      next = number!;
    }
    from.push(...numbersBetween(at, at + 1, 60));
    expect(new Set(from).size).toBe(60);
    expect(from.at(-1)).toBeLessThan(at + 1);
  }
  expect(() => numbersBetween(1, 1 + 2 ** -30, 1)).toThrow(/Save the file and open it again/);
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

test("the errors that are listed stand in the address, and what is none is left out", () => {
  const filters: ErrorFilter[] = [
    { by: "confusion", gold: "acl:relcl", system: "obj" },
    { by: "models", which: "second" },
    { by: "label", value: "obl", side: "either" },
    { by: "upos", value: "NOUN", side: "gold" },
    { by: "length", low: 3, high: 6, side: "system" },
    { by: "rootDistance", low: 7, high: Number.POSITIVE_INFINITY, side: "gold" },
  ];
  for (const errors of filters) expect(readFilter(writeFilter(errors))).toEqual(errors);
  for (const text of ["", "label", "label~obl", "label~obl~no", "length~a~3~gold", "length~6~3~gold", "models~third"]) {
    expect(readFilter(text), text).toBe(undefined);
  }
});
