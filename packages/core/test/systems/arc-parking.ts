// A transition system from outside the package, made with what the package exports and nothing else. It has transitions
// of its own, a second stack, marks on words, and a setting that no other system has.

import {
  type Configuration,
  defineSystem,
  FIRST_FREE_KIND,
  FixedMovesSystem,
  LEFT_ARC,
  type Move,
  NONE,
  RIGHT_ARC,
  SearchedKnownHeads,
  SHIFT,
  type SystemDescription,
  type SystemOptions,
} from "@stemma/core/systems";

export const PARK = FIRST_FREE_KIND;
export const FETCH = FIRST_FREE_KIND + 1;

export const parking: SystemDescription = {
  name: "arc-parking",
  title: "Arc-parking",
  reference: "these tests",
  settings: [
    {
      name: "room",
      title: "Words parked at once",
      help: "the most words that are parked at once",
      values: [9],
      from: 0,
      upTo: 9,
      changes: "trees",
    },
  ],
  create: (options) => new ArcParking(options),
  attachesToSpines: false,
  reordersWords: true,
  leavesHeadless: false,
  extraArrays: 2,
  lists: (c) => ({ parked: parked(c) }),
  risks(system, c, move, arcs) {
    const dependent = system.dependent(c, move);
    if (dependent > 0) arcs.loseDependents(dependent);
  },
  knownHeads: (system) => new SearchedKnownHeads(system),
};

/** The second stack, from the bottom; place 0 of the array holds the place of its top, -1 if it is empty. */
export function parked(c: Configuration): number[] {
  return Array.from(c.extra[0]!.subarray(1, c.extra[0]![0]! + 2));
}

/**
 * Arc-standard with a second stack (σ, β, π, A), which builds all trees:
 *   PARK   (σ|t|s, β, π, A) ⇒ (σ|s, β, π|t, A)    t ≠ 0, t was not parked before, and there is room in π
 *   FETCH  (σ, β, π|t, A)   ⇒ (σ|t, β, π, A)
 */
export class ArcParking extends FixedMovesSystem {
  readonly description = parking;
  readonly moves: readonly Move[] = [LEFT_ARC, RIGHT_ARC, SHIFT, PARK, FETCH];
  private readonly room: number;

  constructor(options: SystemOptions) {
    super(options);
    this.room = Number(options.room ?? 9);
  }

  override nameOf(move: Move): string {
    return move === PARK ? "PARK" : move === FETCH ? "FETCH" : super.nameOf(move);
  }

  isTerminal(c: Configuration): boolean {
    return c.bufferSize === 0 && c.stackSize <= 1 && parked(c).length === 0;
  }

  permits(c: Configuration, move: Move): boolean {
    const isLast = c.bufferSize === 0 && parked(c).length === 0;
    switch (move) {
      case SHIFT:
        return c.bufferSize > 0 && !(this.singleRoot && c.b(0) === 0 && (c.stackSize > 1 || parked(c).length > 0));
      case LEFT_ARC:
        return c.stackSize > 1 && c.s(1) !== 0;
      case RIGHT_ARC:
        return c.stackSize > 1 && c.s(0) !== 0 && !(this.singleRoot && c.s(1) === 0 && !(isLast && c.stackSize === 2));
      case PARK:
        return c.stackSize > 1 && c.s(1) > 0 && c.extra[1]![c.s(1)] === NONE && parked(c).length < this.room;
      default:
        return parked(c).length > 0;
    }
  }

  apply(c: Configuration, move: Move, label = NONE): void {
    const [side, marks] = c.extra as [Int32Array, Int32Array];
    switch (move) {
      case SHIFT:
        c.shift();
        break;
      case PARK:
        side[++side[0]! + 1] = c.s(1);
        marks[c.s(1)] = 1;
        c.remove(1);
        break;
      case FETCH:
        c.push(side[side[0]!-- + 1]!);
        break;
      default:
        c.addArc(this.head(c, move), this.dependent(c, move), label);
        c.remove(move === LEFT_ARC ? 1 : 0);
    }
  }

  head(c: Configuration, move: Move): number {
    return move === LEFT_ARC ? c.s(0) : move === RIGHT_ARC ? c.s(1) : NONE;
  }

  dependent(c: Configuration, move: Move): number {
    return move === LEFT_ARC ? c.s(1) : move === RIGHT_ARC ? c.s(0) : NONE;
  }
}

defineSystem(parking);
