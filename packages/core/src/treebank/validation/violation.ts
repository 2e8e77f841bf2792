/** The names of the rules. */
export const RULES = [
  "head",
  "one-root",
  "root-label",
  "cycle",
  "punct-projective",
  "upos",
  "lemma",
  "feature-form",
  "feature-order",
  "feature-upos",
  "label",
  "label-upos",
  "leaf",
  "left-to-right",
  "goeswith-gap",
  "too-many",
  "sent-id",
  "text",
] as const;
/** The name of a rule. */
export type Rule = (typeof RULES)[number];

/** A place where a sentence goes against a rule. */
export interface Violation {
  readonly rule: Rule;
  /** "error": it goes against the guidelines in any language; "warning": it is rarely meant. */
  readonly level: "error" | "warning";
  /** 0 for the sentence as a whole. */
  readonly word: number;
  readonly message: string;
  /** The page of the guidelines. */
  readonly link: string;
}

export type Report = (violation: Violation) => void;

const GUIDELINES = "https://universaldependencies.org";

/** The page about a relation, without its subtype. */
export function relationPage(label: string): string {
  return `${GUIDELINES}/u/dep/${label.split(":", 1)[0]}.html`;
}

export function page(path: string): string {
  return `${GUIDELINES}/${path}`;
}
