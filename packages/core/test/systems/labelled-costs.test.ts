// Loss and costs with labels against the brute force: every configuration with every way to label its arcs, every tree.

import { expect, test } from "vitest";
import { labelledOracle } from "../../src/registry/oracles.js";
import { createSystem } from "../../src/registry/systems.js";
import { Configuration } from "../../src/systems/configuration.js";
import { GoldTree } from "../../src/systems/oracles/gold-tree.js";
import type { TransitionSystem } from "../../src/systems/system.js";
import * as disfluent from "../disfluencies/disfluencies-brute-force.js";
import * as brute from "./brute-force.js";
import { EXHAUSTIVE } from "./exhaustive.js";
import { LabelledBruteForce } from "./labelled-brute-force.js";
import { systemOf } from "./walk.js";

/** The gold label of a word: they differ, so that one is not taken for another. */
const goldLabel = (word: number) => word + 10;

/** Systems in which arcs are undone, and one in which they stay, with three words; the others with two. */
const WORDS = (options: Omit<brute.Options, "root">) =>
  EXHAUSTIVE || options.monotonic === false || options.system === "arc-eager" ? 3 : 2;

/** All configurations of the system, in the order of the brute force. */
function configurations<State extends { heads: number[] }>(
  system: TransitionSystem,
  truth: LabelledBruteForce<State>,
): Configuration[] {
  const n = truth.states[0]!.heads.length - 1;
  const found: Configuration[] = new Array(truth.states.length);
  const first = new Configuration(n);
  system.initialize(first, n);
  found[truth.start] = first;
  // By short ways: a derivation may have only so many EXTRACTs.
  const agenda = [truth.start];
  for (const place of agenda) {
    for (const { name, label, to } of truth.steps[place]!) {
      if (found[to]) continue;
      const next = new Configuration(n);
      next.copyFrom(found[place]!);
      const move = moveNamed(system, next, name);
      system.apply(next, move, label === undefined ? -1 : label === 1 ? 9 : goldLabel(system.dependent(next, move)));
      found[to] = next;
      agenda.push(to);
    }
  }
  return found;
}

function moveNamed(system: TransitionSystem, c: Configuration, name: string): number {
  const moves: number[] = [];
  const count = system.permitted(c, moves);
  return moves.slice(0, count).find((move) => system.nameOf(move) === name)!;
}

function compare<State extends { heads: number[] }>(
  system: TransitionSystem,
  truth: LabelledBruteForce<State>,
  golds: Iterable<{ gold: GoldTree; difference: (state: State) => number }>,
): number {
  const oracle = labelledOracle(system);
  const found = configurations(system, truth);
  let compared = 0;
  for (const { gold, difference } of golds) {
    oracle.bind(gold);
    const losses = truth.losses(difference);
    for (let place = 0; place < found.length; place++) {
      const c = found[place]!;
      const where = () => `gold ${gold.heads.slice(1, gold.length + 1)}, ${JSON.stringify(truth.states[place])}`;
      const loss = oracle.loss(c);
      if (!oracle.exact) continue;
      compared++;
      if (loss !== losses[place])
        expect.fail(`${where()}, labels ${truth.labels[place]}: loss ${loss}, truth ${losses[place]}`);
      for (const { name, label, to } of truth.steps[place]!) {
        const move = moveNamed(system, c, name);
        const number = label === undefined ? -1 : label === 1 ? 9 : goldLabel(system.dependent(c, move));
        const cost = oracle.cost(c, move, number);
        const right = losses[to]! - losses[place]!;
        if (cost !== right && oracle.exact)
          expect.fail(`${where()}, labels ${truth.labels[place]}: ${name}:${label} costs ${cost}, truth ${right}`);
      }
    }
  }
  return compared;
}

const VARIANTS = brute.SYSTEMS_AND_SETTINGS.flatMap((options) =>
  brute.ROOTS.flatMap((root) => [false, true].map((singleRoot): brute.Options => ({ ...options, root, singleRoot }))),
);

test.each(VARIANTS.map((options) => [brute.nameOf(options), options] as const))("%s", (_, options) => {
  const system = systemOf(options);
  for (let n = 1; n <= WORDS(options); n++) {
    const truth = new LabelledBruteForce<brute.State>(
      brute.initial(options, n),
      (state) => brute.successors(options, state),
      brute.key,
    );
    const labels = Array.from({ length: n + 1 }, (_, word) => goldLabel(word));
    const golds = brute.allTrees(n).map((heads) => ({
      gold: new GoldTree(heads, labels),
      difference: (state: brute.State) => brute.arcDifference(options, state.heads, heads),
    }));
    expect(compare(system, truth, golds)).toBe(golds.length * truth.states.length);
  }
});

const KINDS = ["", "IJ", "DM", "RP"];
const DISFLUENT = disfluent.ROOTS.flatMap((root) =>
  [false, true].map((atOnce): disfluent.Options => ({ root, atOnce, front: ["IJ"] })),
);

test.each(
  DISFLUENT.map((options) => [`disfluencies, root ${options.root}, at once ${options.atOnce}`, options] as const),
)("%s", (_, options) => {
  const system = createSystem("disfluencies", { root: options.root, atOnce: options.atOnce });
  for (let n = 1; n <= (EXHAUSTIVE ? 3 : 2); n++) {
    const plain = new disfluent.Configurations(options, n);
    const truth = new LabelledBruteForce<disfluent.State>(
      disfluent.initial(options, n),
      (state) => plain.steps[plain.placeOf(state)]!.map(({ name, to }) => [name, plain.states[to]!]),
      disfluent.key,
    );
    const labels = Array.from({ length: n + 1 }, (_, word) => goldLabel(word));
    const golds = disfluent.allGold(n, ["IJ", "RP"]).map((one) => ({
      gold: new GoldTree(
        one.heads,
        labels,
        one.removed.map((kind) => KINDS.indexOf(kind)),
      ),
      difference: (state: disfluent.State) => disfluent.difference(options, state, one),
    }));
    expect(compare(system, truth, golds)).toBeGreaterThan(0);
  }
});

test("a tree without labels has no labelled costs", () => {
  expect(() => labelledOracle(createSystem("arc-eager")).bind(new GoldTree([-1, 0]))).toThrow(/no labels/);
});
