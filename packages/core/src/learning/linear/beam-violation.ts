import type { Words } from "../../features/columns.js";
import type { DerivationStep } from "../../search/beam/beam-history.js";
import type { BeamSearch } from "../../search/beam/beam-search.js";
import type { Hypothesis } from "../../search/beam/hypothesis.js";
import type { BeamJudge } from "../beam-judge.js";
import { type LossBound, lossBoundOf } from "./online.js";

/** Where in a sentence structured training updates. */
export const UPDATES = ["max-violation", "early"] as const;
/**
 * Where the derivations end that an update compares: where the correct one is furthest behind, or where the last
 * correct one leaves the beam.
 */
export type UpdateStrategy = (typeof UPDATES)[number];

/** Options of the search for derivations to learn from. */
export interface ViolationOptions {
  /** Max-violation if not given. */
  update?: UpdateStrategy | undefined;
  /**
   * When no correct hypothesis is left in the beam, learn from the one in it that has lost least, unless that is the
   * best one, and not from the correct one that fell out.
   */
  lowestLoss?: boolean | undefined;
  lossBound: LossBound;
}

/** Parses a sentence in training, and finds a wrong derivation that comes out ahead of a correct one. */
export interface ViolationFinder {
  /** The derivations to learn from, after `find`. */
  readonly right: readonly DerivationStep[];
  readonly wrong: readonly DerivationStep[];
  begin(words: Words): void;
  /** Parse the sentence; false if there is nothing to learn from. */
  find(): boolean;
}

/** Finds them in a beam, which keeps the best correct hypothesis in any case. */
export class BeamViolation implements ViolationFinder {
  right: readonly DerivationStep[] = [];
  wrong: readonly DerivationStep[] = [];
  private length = 0;

  constructor(
    private readonly search: BeamSearch,
    private readonly judge: BeamJudge,
    private readonly options: ViolationOptions,
  ) {
    search.judge = judge;
  }

  begin(words: Words): void {
    this.length = words.length;
    this.search.begin(words);
  }

  find(): boolean {
    const { search, options } = this;
    const early = options.update === "early";
    let most = -1;
    let right = 0;
    let wrong = 0;
    const bound = lossBoundOf(options.lossBound, this.length);
    const isBound = bound < Number.POSITIVE_INFINITY;
    while (search.step() && (isBound || !(early && search.aside))) {
      const best = search.live[0]!;
      const reference = this.reference();
      if (!best.correct && best.score - reference.score > most) {
        most = best.score - reference.score;
        right = reference.step;
        wrong = best.step;
      }
      if (isBound && this.allLost(bound)) break;
    }
    const best = search.live[0]!;
    const better = options.lowestLoss && search.aside ? this.leastLost() : best;
    if (better !== best || (early && !best.correct)) {
      wrong = best.step;
      right = (better !== best ? better : this.reference()).step;
    }
    if (right === wrong) return false;
    this.right = search.history.stepsTo(right);
    this.wrong = search.history.stepsTo(wrong);
    return true;
  }

  /** The best correct derivation, after `find`. */
  correct(): DerivationStep[] {
    return this.search.history.stepsTo(this.reference().step);
  }

  /** The best correct hypothesis. */
  private reference(): Hypothesis {
    const { live, size, aside } = this.search;
    for (let h = 0; h < size; h++) if (live[h]!.correct) return live[h]!;
    return aside!;
  }

  /** Has every hypothesis in the beam lost this much or more? (Thesis 5.3.1.) Correct ones have not. */
  private allLost(bound: number): boolean {
    const { live, size, aside } = this.search;
    if (!aside) return false;
    for (let h = 0; h < size; h++) if (this.judge.loss(live[h]!.c) < bound) return false;
    return true;
  }

  /** The hypothesis in the beam that has lost least, of equals the best. */
  private leastLost(): Hypothesis {
    const { live, size } = this.search;
    let found = live[0]!;
    let least = Number.POSITIVE_INFINITY;
    for (let h = 0; h < size; h++) {
      const loss = this.judge.loss(live[h]!.c);
      if (loss >= least) continue;
      least = loss;
      found = live[h]!;
    }
    return found;
  }
}
