import type { DrawablePredicate } from "@stemma/core";
import type { SentenceData } from "../../protocol/requests.js";
import { originalOf } from "./original.js";

const NONE: readonly DrawablePredicate[] = [];
const known = new WeakMap<SentenceData, readonly DrawablePredicate[]>();

/** The predicates that a sentence came with. */
function givenPredicates(data: SentenceData): readonly DrawablePredicate[] {
  let given = known.get(data);
  if (!given) {
    given = originalOf(data)?.predicates.map((one) => one.toJSON()) ?? NONE;
    known.set(data, given);
  }
  return given;
}

/** The predicates to draw below a tree: those of the sentence, or below the model's tree those of the model. */
export function predicatesOf(data: SentenceData, ofModel: boolean): readonly DrawablePredicate[] {
  return ofModel ? (data.predicates ?? NONE) : givenPredicates(data);
}

/** What a word is among predicates and arguments, for its card and for screen readers. */
export interface RoleOfWord {
  /** Its own sense, if it is a predicate, and its arguments. */
  predicate: DrawablePredicate | undefined;
  /** The roles that it has, each with the predicate. */
  roles: { role: string; of: DrawablePredicate }[];
}

export function roleOfWord(predicates: readonly DrawablePredicate[], word: number): RoleOfWord {
  return {
    predicate: predicates.find((one) => one.word === word),
    roles: predicates.flatMap((of) =>
      of.arguments.filter((one) => one.word === word).map(({ role }) => ({ role, of })),
    ),
  };
}
