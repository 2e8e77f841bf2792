import type { DrawablePredicate } from "@stemma/core";

/** The part of a word among predicates and arguments, for its card and for screen readers. */
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
