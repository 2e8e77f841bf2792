// How relations are written, in DEPREL and in DEPS.

import { UNIVERSAL_RELATIONS, universalRelation } from "../../universal.js";
import { remembered } from "./remembered.js";

/** Whether a relation is not written like one, or not one of Universal Dependencies. */
type Problem = "form" | "name" | undefined;

/** A relation that is written somewhere. */
export interface Relation {
  readonly label: string;
  /** Without its subtype. */
  readonly base: string;
  readonly isRoot: boolean;
  readonly isOrphan: boolean;
  /** There is nothing to say about it in DEPS, but for the root. */
  readonly isPlain: boolean;
  /** The problem with it in DEPREL. */
  readonly problem: Problem;
  /** The problem with it in DEPS. */
  readonly enhancedProblem: Problem;
}

// Enhanced relations may name a preposition, in any script, and a case besides a subtype.
const WORD = "[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}]+(?:_[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}]+)*";
const BASIC = /^[a-z]+(?::[a-z]+)?$/;
const ENHANCED = new RegExp(`^[a-z]+(?::[a-z]+)?(?::${WORD})?(?::[a-z]+)?$`, "u");

export const relationOf = remembered((label): Relation => {
  const base = universalRelation(label);
  const isName = UNIVERSAL_RELATIONS.has(base);
  const problem = (form: RegExp, isKnown: boolean) => (!form.test(label) ? "form" : isKnown ? undefined : "name");
  const enhancedProblem = problem(ENHANCED, isName || base === "ref");
  return {
    label,
    base,
    isRoot: base === "root",
    isOrphan: base === "orphan",
    problem: problem(BASIC, isName),
    enhancedProblem,
    isPlain: enhancedProblem === undefined && base !== "orphan",
  };
});

export function relationMessage(relation: string, problem: "form" | "name"): string {
  if (relation === "_" || relation === "") return "There is no label.";
  return problem === "name"
    ? `${relation} is no relation of Universal Dependencies.`
    : `${relation} is not written like a relation (expected lower-case letters and, after a colon, a subtype).`;
}
