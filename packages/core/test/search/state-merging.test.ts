// State merging, one thing that templates see at a time: states that differ in it stay apart, states that differ in all
// else are merged.
import { describe, expect, test } from "vitest";
import { Hypothesis } from "../../src/search/beam/hypothesis.js";
import { StateMerger } from "../../src/search/beam/state-merger.js";
import type { NoiseOptions } from "../scoring/noise-model.js";
import { noiseModel, noiseWords } from "../scoring/noise-model.js";

/** Transitions with the labels of their arcs: "SHIFT LEFT-ARC:1". */
function hypothesisOf(system: ReturnType<typeof noiseModel>["system"], length: number, derivation: string): Hypothesis {
  const hypothesis = new Hypothesis();
  system.initialize(hypothesis.c, length);
  for (const step of derivation.split(" ").filter(Boolean)) {
    const [name, label] = step.split(":");
    const move = system.moveOf(name!);
    if (!system.permits(hypothesis.c, move)) expect.fail(`${derivation}: ${step} is not permitted`);
    system.take(hypothesis.c, move, label === undefined ? -1 : Number(label));
  }
  return hypothesis;
}

/** How often two derivations are merged, over many beginnings: states whose hashes differ mostly do not meet. */
function merged(options: NoiseOptions, templates: string, one: string, other: string): number {
  const { system, decider, templates: set, scorer } = noiseModel({ ...options, templates });
  const words = noiseWords(BEGINNINGS + 10, 1);
  decider.bind(words);
  const merger = new StateMerger(system, set, scorer.extractor.columns, 2);
  let count = 0;
  for (let before = 0; before < BEGINNINGS; before++) {
    merger.clear();
    const beginning = "SHIFT ".repeat(before);
    const first = hypothesisOf(system, words.length, beginning + one);
    expect(merger.add(first)).toBeUndefined();
    const twin = merger.add(hypothesisOf(system, words.length, beginning + other));
    if (twin) expect(twin).toBe(first);
    if (twin) count++;
  }
  return count;
}

/** Short stacks are looked through from top to bottom, long ones only where they differ. */
const BEGINNINGS = 90;
const STANDARD = { system: "arc-standard", root: "last" } as const;
const SEEN: [string, string, string, string, string][] = [
  // what differs, a template that sees it, one that does not, and two derivations
  ["the label of the leftmost dependent", "s0l.label", "s0r.label", "SHIFT SHIFT LEFT-ARC:0", "SHIFT SHIFT LEFT-ARC:1"],
  [
    "the label of the rightmost dependent",
    "s0r.label",
    "s0l.label",
    "SHIFT SHIFT RIGHT-ARC:0",
    "SHIFT SHIFT RIGHT-ARC:1",
  ],
  [
    "the label of the second dependent on the left",
    "s0l2.label",
    "s0l.label",
    "SHIFT SHIFT SHIFT LEFT-ARC:0 LEFT-ARC:0",
    "SHIFT SHIFT SHIFT LEFT-ARC:1 LEFT-ARC:0",
  ],
  [
    "the label of the second dependent on the right",
    "s0r2.label",
    "s0r.label",
    "SHIFT SHIFT RIGHT-ARC:0 SHIFT RIGHT-ARC:0",
    "SHIFT SHIFT RIGHT-ARC:1 SHIFT RIGHT-ARC:0",
  ],
  [
    "the label of an outermost dependent that may become the second on the left",
    "s0l2.label",
    "s0r2.label",
    "SHIFT SHIFT LEFT-ARC:0",
    "SHIFT SHIFT LEFT-ARC:1",
  ],
  [
    "the label of an outermost dependent that may become the second on the right",
    "s0r2.label",
    "s0l2.label",
    "SHIFT SHIFT RIGHT-ARC:0",
    "SHIFT SHIFT RIGHT-ARC:1",
  ],
  [
    "the labels on the left",
    "s0.lset",
    "s0.rset",
    "SHIFT SHIFT SHIFT LEFT-ARC:0 LEFT-ARC:0",
    "SHIFT SHIFT SHIFT LEFT-ARC:1 LEFT-ARC:0",
  ],
  [
    "the labels on the right",
    "s0.rset",
    "s0.lset",
    "SHIFT SHIFT RIGHT-ARC:0 SHIFT RIGHT-ARC:0",
    "SHIFT SHIFT RIGHT-ARC:1 SHIFT RIGHT-ARC:0",
  ],
  [
    "which labels on the left, not in which order",
    "s0l.label",
    "s0.lset",
    "SHIFT SHIFT SHIFT LEFT-ARC:0 LEFT-ARC:1",
    "SHIFT SHIFT SHIFT LEFT-ARC:1 LEFT-ARC:0",
  ],
  [
    "how many dependents there are on the left",
    "s0.lval",
    "s0.rval",
    "SHIFT SHIFT SHIFT LEFT-ARC:0 LEFT-ARC:0",
    "SHIFT SHIFT LEFT-ARC:0 SHIFT LEFT-ARC:0",
  ],
  [
    "how many dependents there are on the right",
    "s0.rval",
    "s0.lval",
    "SHIFT SHIFT SHIFT RIGHT-ARC:0 RIGHT-ARC:0",
    "SHIFT SHIFT RIGHT-ARC:0 SHIFT RIGHT-ARC:0",
  ],
  [
    "what is seen of a dependent's dependent",
    "s0ll.label",
    "s0lr.label",
    "SHIFT SHIFT LEFT-ARC:0 SHIFT LEFT-ARC:0",
    "SHIFT SHIFT LEFT-ARC:1 SHIFT LEFT-ARC:0",
  ],
  [
    "the label of the next word, which hangs on another",
    "s0n.label",
    "s0r.label",
    "SHIFT SHIFT SHIFT LEFT-ARC:0",
    "SHIFT SHIFT SHIFT LEFT-ARC:1",
  ],
  [
    "the label of the next word's head",
    "s0nh.label",
    "s0r.label",
    "SHIFT SHIFT SHIFT SHIFT LEFT-ARC:0 LEFT-ARC:0 SHIFT LEFT-ARC:0",
    "SHIFT SHIFT SHIFT SHIFT LEFT-ARC:0 LEFT-ARC:0 SHIFT LEFT-ARC:1",
  ],
  [
    "how far away the leftmost dependent is",
    "dist(s0,s0l)",
    "dist(s0,s0r)",
    "SHIFT SHIFT LEFT-ARC:0 SHIFT LEFT-ARC:0",
    "SHIFT SHIFT SHIFT LEFT-ARC:0 LEFT-ARC:0",
  ],
];

const BEFORE: [string, string, string, string, string][] = [
  // The same state, reached in two ways.
  ["the label of the last transition", "t0.label", "t0.move", "SHIFT SHIFT LEFT-ARC:0", "SHIFT SHIFT LEFT-ARC:1"],
  [
    "the transition before the last",
    "t1.move",
    "t0.move",
    "SHIFT SHIFT SHIFT LEFT-ARC:0 LEFT-ARC:0",
    "SHIFT SHIFT LEFT-ARC:0 SHIFT LEFT-ARC:0",
  ],
];

describe("arc-standard, what was done before", () => {
  test.each(BEFORE)("%s: seen with %s", (_, sees, blind, one, other) => {
    expect(merged(STANDARD, `s0.tag; ${sees}`, one, other)).toBe(0);
    // A template that sees the move sees its label, too, for it will be the move before the last.
    expect(merged(STANDARD, `s0.tag; ${blind}`, one, other)).toBe(
      blind === "t0.move" && sees === "t0.label" ? 0 : BEGINNINGS,
    );
    expect(merged(STANDARD, "s0.tag", one, other)).toBe(BEGINNINGS);
    // Another transition later what was the last is the one before, and out of sight for t0.
    expect(merged(STANDARD, `s0.tag; ${sees}`, `${one} SHIFT SHIFT`, `${other} SHIFT SHIFT`)).toBe(BEGINNINGS);
  });
});

const EAGER = { system: "arc-eager", root: "last" } as const;
const SEEN_BY_EAGER: typeof SEEN = [
  ["the label of the head", "s0h.label", "s0r.tag", "SHIFT RIGHT-ARC:0 RIGHT-ARC:0", "SHIFT RIGHT-ARC:1 RIGHT-ARC:0"],
  [
    "the label of the head's leftmost dependent",
    "s0hl.label",
    "s0r.label",
    "SHIFT LEFT-ARC:0 SHIFT RIGHT-ARC:0",
    "SHIFT LEFT-ARC:1 SHIFT RIGHT-ARC:0",
  ],
  ["whether there is a head", "s0.tag", "", "SHIFT RIGHT-ARC:0", "SHIFT SHIFT"],
];

describe.each([
  ["arc-standard", STANDARD, SEEN],
  ["arc-eager", EAGER, SEEN_BY_EAGER],
] as const)("%s", (_, system, seen) => {
  test.each(seen)("%s: seen with %s, not with %s", (_, sees, blind, one, other) => {
    // From a node that is not on top, too: it may come to the top again.
    for (const after of ["", " SHIFT", " SHIFT SHIFT SHIFT"]) {
      expect(merged(system, sees, one + after, other + after)).toBe(0);
      if (blind) expect(merged(system, blind, one + after, other + after)).toBe(BEGINNINGS);
    }
  });
});
