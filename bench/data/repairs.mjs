// Arc-standard with an oracle that is a list of repairs, as the transition parser of Stanza has it since 2026: the gold
// derivation is a list of transitions, and after some wrong transitions it is known how to rewrite the rest of the list.
// After all others the gold transition is taken in place of the wrong one. docs/experiments/repairs.md describes it.
import {
  Configuration,
  createSystem,
  defineSystem,
  describeSystem,
  LEFT_ARC,
  RIGHT_ARC,
  SHIFT,
  staticOracle,
} from "../../packages/core/dist/systems.js";

export const REPAIRED = "arc-standard-repairs";

/** The wrong transitions for which there is a repair, and the others. */
export const KINDS = ["too early left", "too early right", "too late", "unknown"];

/**
 * Where the subtree on top of the stack has got all that the derivation gives it, if one is on top before transition
 * `at`: the place of the transition that joins it with what lies below.
 * @param {readonly number[]} moves
 * @param {number} at
 */
function endOfSubtree(moves, at) {
  let trees = 1;
  for (let i = at; i < moves.length; i++) {
    if (trees === 1 && moves[i] !== SHIFT) return i;
    trees += moves[i] === SHIFT ? 1 : -1;
  }
  return moves.length;
}

/**
 * The derivation after `wrong` was taken in place of transition `at`; undefined if no repair is known. LEFT-ARC makes
 * the top of the stack the head.
 * @param {readonly number[]} moves
 * @param {number} at
 * @param {number} wrong
 * @returns {{ kind: string, moves: number[] } | undefined}
 */
export function repaired(moves, at, wrong) {
  const gold = moves[at];
  const before = moves.slice(0, at);
  if (gold === SHIFT && wrong !== SHIFT) {
    // The arc takes away a word that was to get its head from a later word: that later arc is left out. For LEFT-ARC the
    // word is the second, whose head is the root of the subtree into which the top goes; for RIGHT-ARC it is the top.
    const later = endOfSubtree(moves, wrong === LEFT_ARC ? at : at + 1);
    if (moves[later] !== LEFT_ARC) return undefined;
    const kind = wrong === LEFT_ARC ? "too early left" : "too early right";
    return { kind, moves: [...before, wrong, ...moves.slice(at, later), ...moves.slice(later + 1)] };
  }
  if (gold === LEFT_ARC && wrong === SHIFT && moves[at + 1] === SHIFT) {
    // The arc is still possible after the top has got its next dependent.
    const end = endOfSubtree(moves, at + 2);
    if (moves[end] !== RIGHT_ARC) return undefined;
    return { kind: "too late", moves: [...before, ...moves.slice(at + 1, end + 1), gold, ...moves.slice(end + 1)] };
  }
  return undefined;
}

export const PLAIN = createSystem("arc-standard", { root: "none" });
const CANONICAL = staticOracle(PLAIN);

/** The transitions of the canonical derivation of a projective tree with one root. */
export function derivation(gold, words) {
  const c = new Configuration();
  const moves = [];
  CANONICAL.bind(gold);
  PLAIN.initialize(c, words);
  while (!PLAIN.isTerminal(c)) {
    const move = CANONICAL.next(c);
    if (move < 0)
      throw new RangeError(`no derivation for heads ${gold.heads.slice(1, words + 1)} (expected a projective tree)`);
    moves.push(move);
    PLAIN.apply(c, move);
  }
  return moves;
}

/**
 * The oracle for `Training`. It is asked about the predicted transition first, in every configuration, and its `loss`
 * says whether that one may be followed (0) or not (1): with a bound of 1 on the loss training does so.
 */
class RepairOracle {
  exact = true;
  /** How often each kind of repair was made, and how often none was known. */
  counts = Object.fromEntries(KINDS.map((kind) => [kind, 0]));
  #gold;
  #words = 0;
  #moves = [];
  #at = -1;
  #asked = -1;
  /** Of the configuration that was asked about last. */
  #size = 0;
  #top = -1;

  bind(gold) {
    this.#gold = gold;
    this.#at = -1;
  }

  /** Takes over what was done since it was asked last: one transition at most. */
  #follow(c) {
    if (this.#at < 0) this.#words = c.bufferSize;
    const done = 2 * (this.#words - c.bufferSize) - c.stackSize;
    if (this.#at < 0) {
      this.#moves = derivation(this.#gold, this.#words);
      this.#at = 0;
    } else if (done > this.#at) {
      const taken = c.stackSize > this.#size ? SHIFT : c.s(0) === this.#top ? LEFT_ARC : RIGHT_ARC;
      if (taken !== this.#moves[this.#at]) this.#moves = repaired(this.#moves, this.#at, taken).moves;
      this.#at = done;
    } else return;
    this.#asked = -1;
    this.#size = c.stackSize;
    this.#top = c.s(0);
  }

  isOptimal(c, move) {
    this.#follow(c);
    if (this.#asked < 0) this.#asked = move;
    return move === this.#moves[this.#at];
  }

  cost(c, move) {
    return this.isOptimal(c, move) ? 0 : 1;
  }

  optimal(c) {
    this.#follow(c);
    return this.#moves[this.#at];
  }

  loss(c) {
    this.#follow(c);
    if (this.#asked < 0 || this.#asked === this.#moves[this.#at]) return 0;
    const repair = repaired(this.#moves, this.#at, this.#asked);
    this.counts[repair?.kind ?? "unknown"]++;
    return repair ? 0 : 1;
  }
}

/** The oracle that was made last. */
export let lastOracle;

/** Makes the system known to training. */
export function defineRepairs() {
  const { title, ...description } = describeSystem("arc-standard");
  defineSystem(
    {
      ...description,
      name: REPAIRED,
      title: `${title} with repairs`,
      create: (options) =>
        new (class extends PLAIN.constructor {
          description = describeSystem(REPAIRED);
        })(options),
    },
    {
      oracles: {
        static: () => CANONICAL,
        nonDeterministic: () => undefined,
        dynamic: () => (lastOracle = new RepairOracle()),
      },
    },
  );
}
