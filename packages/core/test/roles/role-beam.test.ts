import { describe, expect, test } from "vitest";
import { scramble } from "../../src/math/hash.js";
import { haveSameFuture, RoleBeam } from "../../src/roles/role-beam.js";
import { RoleWalk, SenseLexicon } from "../../src/roles/role-walk.js";
import { SemanticConfiguration } from "../../src/roles/system/semantic-configuration.js";
import * as SEMANTIC from "../../src/roles/system/semantic-system.js";
import { NONE } from "../../src/systems/configuration.js";
import { readTreebank } from "../../src/treebank.js";

const UNIT = 1000;
const SYSTEM = new SEMANTIC.SemanticSystem();
const VERBS = ["see", "want", "sing", "go"];

/** Scores without sense: each feature adds a number of its own to each class, of `steps` different ones. */
function walkWith(seed: number, roles: number, steps: number): RoleWalk {
  const weight = (feature: number, cls: number) => {
    const share = (scramble(scramble(feature + seed) + cls) >>> 0) / 2 ** 32;
    return Math.round((Math.floor(share * steps) / (steps - 1) - 0.5) * 4 * UNIT);
  };
  const lexicon = new SenseLexicon({
    lemmas: Object.fromEntries(VERBS.map((verb) => [verb, [`${verb}.01`]])),
    openTags: [],
  });
  const scores = new Int32Array(4 + 2 * roles);
  // A few features are enough: the path, roles that s0 and b0 gave, one that s0 got, what is below, the last arcs.
  const some = [1, 31, 32, 37, 47, 62];
  return new RoleWalk(
    lexicon,
    roles,
    (features) => scores.map((_, cls) => some.reduce((sum, k) => sum + weight(features[k]!, cls), 0)),
    (features) => weight(features[1]!, 0),
  );
}

/** A sentence with a tree; the first words of it may be predicates, all if not given. */
function begin(walk: RoleWalk, heads: readonly number[], verbs = heads.length): void {
  const lines = heads.map((head, k) => {
    const lemma = k < verbs ? VERBS[k] : "so";
    return [k + 1, lemma, lemma, "X", "_", "_", head, head === 0 ? "root" : "conj", "_", "_"].join("\t");
  });
  const [words] = [...readTreebank(`${lines.join("\n")}\n\n`)];
  walk.begin(words!, { heads: [NONE, ...heads], labels: ["", ...heads.map((head) => (head === 0 ? "root" : "conj"))] });
}

/** The graph that was built: senses, then arcs in any order. */
function graphOf(c: SemanticConfiguration): string {
  const arcs = Array.from({ length: c.arcCount }, (_, a) => `${c.heads[a]}>${c.dependents[a]}:${c.roles[a]}`);
  return `${c.senses.subarray(1, c.length + 1).join(" ")} | ${arcs.sort().join(" ")}`;
}

/** All derivations from here on, one by one, without merging: the best score, and how many there are. */
function exhaust(walk: RoleWalk): { score: number; graph: string; derivations: number } {
  const { c } = walk;
  if (walk.isOver) return { score: 0, graph: graphOf(c), derivations: 1 };
  const choices: { score: number; apply: () => void }[] = [];
  if (!c.isDecided) {
    const candidates = walk.candidates();
    const scores = walk.scoreSenses(candidates);
    choices.push({ score: 0, apply: () => walk.decide(NONE) });
    for (const [k, sense] of candidates.entries()) {
      choices.push({ score: scores[k]!, apply: () => walk.decide(sense) });
    }
  } else {
    const scores = walk.isOpen ? walk.score(walk.pair()).slice() : new Int32Array(walk.classes);
    for (const cls of walk.open.slice(0, walk.permitted())) {
      choices.push({ score: scores[cls]!, apply: () => walk.apply(cls) });
    }
  }
  const total = UNIT * Math.log(choices.reduce((sum, { score }) => sum + Math.exp(score / UNIT), 0));
  let best = { score: Number.NEGATIVE_INFINITY, graph: "" };
  let derivations = 0;
  for (const { score, apply } of choices) {
    walk.c = new SemanticConfiguration();
    walk.c.copy(c);
    apply();
    const rest = exhaust(walk);
    derivations += rest.derivations;
    const own = score - total + rest.score;
    if (own > best.score) best = { score: own, graph: rest.graph };
  }
  walk.c = c;
  return { ...best, derivations };
}

describe("beam search for semantic roles", () => {
  test("a beam of 1 does what the greedy labeller does, also where scores are equal", () => {
    let arcs = 0;
    for (let seed = 0; seed < 60; seed++) {
      const walk = walkWith(seed, 2, seed % 2 === 0 ? 2 : 1000);
      const beam = new RoleBeam(walk, 1, UNIT);
      for (const heads of [[2, 0, 2, 3], [0, 1, 2, 1], [0]]) {
        begin(walk, heads);
        walk.run();
        const greedy = graphOf(walk.c);
        arcs += walk.c.arcCount;
        begin(walk, heads);
        beam.run();
        expect(graphOf(walk.c)).toBe(greedy);
      }
    }
    expect(arcs).toBeGreaterThan(100);
  });

  test("a wide one finds the best of all derivations, and no narrower one scores more", () => {
    let better = 0;
    const cases = [
      ...[1, 2].flatMap((seed) => [[2, 0, 2], [2, 0], [0]].map((heads) => ({ seed, heads, verbs: 3 }))),
      ...Array.from({ length: 20 }, (_, seed) => ({ seed, heads: [0, 1, 1, 1], verbs: 1 })),
    ];
    for (const { seed, heads, verbs } of cases) {
      const walk = walkWith(seed, 1, 1000);
      begin(walk, heads, verbs);
      const best = exhaust(walk);
      if (heads.length > 2) expect(best.derivations).toBeGreaterThan(400);
      const found = [1, 4, 2000].map((width) => {
        const beam = new RoleBeam(walk, width, UNIT);
        begin(walk, heads, verbs);
        beam.run();
        expect(beam.size).toBeLessThanOrEqual(width);
        return { score: beam.live[0]!.score, graph: graphOf(walk.c) };
      });
      const wide = found.pop()!;
      // Every step is rounded.
      expect(Math.abs(wide.score - best.score)).toBeLessThan(20);
      expect(wide.graph).toBe(best.graph);
      for (const { score } of found) expect(score).toBeLessThanOrEqual(wide.score);
      if (found[0]!.score < wide.score) better++;
    }
    expect(better).toBeGreaterThan(2);
  });

  test("derivations that nothing tells apart any more are one", () => {
    const walk = walkWith(3, 1, 1000);
    begin(walk, [2, 0, 2]);
    const { derivations } = exhaust(walk);
    const beam = new RoleBeam(walk, 2000, UNIT);
    beam.run();
    expect(beam.size).toBeLessThan(derivations / 4);
  });

  test("what tells them apart is the stack, and of its words the sense, the roles given and the last one got", () => {
    // Word 1 is a predicate and shifted; then come the steps of word 2, which is shifted, too, and some of word 3.
    const { SEM_SHIFT, SEM_REDUCE, SEM_RIGHT_ARC } = SEMANTIC;
    const reach = (sense: number, second: [move: number, role?: number][], third: [move: number, role?: number][]) => {
      const c = new SemanticConfiguration();
      c.reset(4);
      const steps = [[[SEM_SHIFT]], [...second, [SEM_SHIFT]], third] as [move: number, role?: number][][];
      for (const [k, moves] of steps.entries()) {
        SYSTEM.apply(c, k === 0 ? SEMANTIC.PRED : SEMANTIC.NO_PRED, sense);
        for (const [move, role] of moves) SYSTEM.apply(c, move, role);
      }
      return c;
    };
    const [arc, other, reduce, shift]: [move: number, role?: number][] = [
      ...([
        [SEM_RIGHT_ARC, 0],
        [SEM_RIGHT_ARC, 1],
      ] as [number, number][]),
      ...([[SEM_REDUCE], [SEM_SHIFT]] as [number][]),
    ];
    const plain = reach(0, [], [reduce!]);
    const same = (c: SemanticConfiguration) => haveSameFuture(plain, c, 3) && haveSameFuture(c, plain, 3);
    expect(same(plain)).toBe(true);
    expect(same(reach(0, [], [reduce!, shift!]))).toBe(true);
    // Words that are gone do not count: the first word, whatever it was.
    const gone = (sense: number, second: [number, number?][]) => reach(sense, second, [reduce!, reduce!]);
    expect(haveSameFuture(gone(0, [arc!]), gone(1, [other!]), 3)).toBe(true);
    expect(same(gone(0, []))).toBe(false);
    expect(same(reach(0, [reduce!], []))).toBe(false);
    expect(same(reach(1, [], [reduce!]))).toBe(false);
    // A role given to a word that is gone, and one that a word on the stack got.
    expect(same(reach(0, [arc!], [reduce!]))).toBe(false);
    expect(haveSameFuture(reach(0, [arc!], [reduce!]), reach(0, [other!], [reduce!]), 3)).toBe(false);
    const got = (role: [number, number?]) => reach(0, [], [reduce!, role, reduce!, shift!]);
    expect(haveSameFuture(got(arc!), got(other!), 3)).toBe(false);
    expect(haveSameFuture(got(arc!), got(arc!), 3)).toBe(true);
  });

  test("a configuration becomes like another one, longer or shorter", () => {
    const walk = walkWith(5, 2, 1000);
    const copy = new SemanticConfiguration();
    for (const heads of [[2, 0, 2, 3], [0], [0, 1]]) {
      begin(walk, heads);
      walk.run();
      copy.copy(walk.c);
      expect(graphOf(copy)).toBe(graphOf(walk.c));
      expect([...copy.stack.subarray(0, copy.stackSize)]).toEqual([...walk.c.stack.subarray(0, walk.c.stackSize)]);
      expect([copy.front, copy.isDecided, copy.isSwapped]).toEqual([heads.length + 1, false, false]);
    }
  });
});
