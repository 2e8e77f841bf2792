// The rules, by the names that UD's own validator has for them where it has them, so that its documentation and lists
// of exceptions can be used with ours. Level 1 is the format, 2 what Universal Dependencies adds to it (names,
// references, metadata), 3 the guidelines that hold for every language.

/** A level of validation: 1 format, 2 names, references and metadata, 3 guidelines for all languages. */
export type ValidationLevel = 1 | 2 | 3;

/** The rules of each level. */
export const LEVELS = {
  1: [
    "empty-column",
    "empty-sentence",
    "extra-empty-line",
    "invalid-line",
    "invalid-utf",
    "invalid-whitespace",
    "invalid-whitespace-mwt",
    "invalid-word-id",
    "leading-whitespace",
    "misplaced-comment",
    "misplaced-empty-node",
    "misplaced-word-interval",
    "missing-empty-line",
    "non-unix-newline",
    "number-of-columns",
    "overlapping-word-intervals",
    "pseudo-empty-line",
    "repeated-whitespace",
    "reversed-word-interval",
    "trailing-whitespace",
    "unicode-normalization",
    "word-id-sequence",
    "word-interval-out",
  ],
  2: [
    "deps-self-loop",
    "edeps-only-sometimes",
    "empty-misc",
    "empty-node-nonempty-field",
    "empty-text",
    "head-self-loop",
    "invalid-deprel",
    "invalid-deps",
    "invalid-edeprel",
    "invalid-ehead",
    "invalid-feature",
    "invalid-head",
    "invalid-parallel-id",
    "invalid-sent-id",
    "misc-attr-typo",
    "misc-extra-space",
    "missing-sent-id",
    "missing-spaceafter",
    "missing-text",
    "multiple-newdoc",
    "multiple-newpar",
    "multiple-parallel-id",
    "multiple-roots",
    "multiple-sent-id",
    "multiple-text",
    "mwt-nonempty-field",
    "non-tree",
    "non-unique-parallel-id",
    "non-unique-sent-id",
    "nospaceafter-yes",
    "parallel-id-alt",
    "parallel-id-part",
    "repeated-deps",
    "repeated-feature",
    "repeated-feature-value",
    "repeated-misc",
    "slash-in-sent-id",
    "spaceafter-empty-node",
    "spaceafter-mwt-node",
    "spaceafter-newdocpar",
    "spaceafter-value",
    "text-extra-chars",
    "text-form-mismatch",
    "text-trailing-whitespace",
    "unconnected-egraph",
    "unknown-deprel",
    "unknown-edeprel",
    "unknown-ehead",
    "unknown-head",
    "unknown-upos",
    "unsorted-deps",
    "unsorted-deps-2",
    "unsorted-feature-values",
    "unsorted-features",
  ],
  3: [
    "0-is-not-root",
    "edeps-identical-to-basic-trees",
    "empty-node-after-eorphan",
    "enhanced-0-is-not-root",
    "enhanced-root-is-not-0",
    "eorphan-after-empty-node",
    "feature-upos",
    "goeswith-edeps",
    "goeswith-feats",
    "goeswith-gap",
    "goeswith-lemma",
    "goeswith-missing-typo",
    "goeswith-nospace",
    "goeswith-upos",
    "leaf",
    "lemma-space",
    "missing-lemma",
    "obl-should-be-nmod",
    "orphan-parent",
    "punct-causes-nonproj",
    "punct-is-nonproj",
    "rel-upos",
    "right-to-left",
    "root-is-not-0",
    "too-many-objects",
    "too-many-subjects",
    "upos-rel-punct",
  ],
} as const;

/** The name of a rule. */
export type Rule = (typeof LEVELS)[ValidationLevel][number];

/** The level of each rule. */
export const RULE_LEVELS = new Map<Rule, ValidationLevel>(
  ([1, 2, 3] as const).flatMap((level) => LEVELS[level].map((rule) => [rule, level] as const)),
);

/** The names of the rules. */
export const RULES: readonly Rule[] = [...RULE_LEVELS.keys()];

/** A place where a sentence goes against a rule. */
export interface Violation {
  /** The name of the rule. */
  readonly rule: Rule;
  /** The level of the rule. */
  readonly level: ValidationLevel;
  /** "error": it goes against the guidelines in any language; "warning": it is rarely meant. */
  readonly severity: "error" | "warning";
  /** The line in the file, from 1. */
  readonly line: number;
  /** The column of the line, 1 (ID) to 10 (MISC); 0 for the line as a whole. */
  readonly column: number;
  /** 0 for the sentence as a whole, or for a line that is not that of a word. */
  readonly word: number;
  /** A sentence for people. */
  readonly message: string;
  /** The page of the guidelines. */
  readonly link: string;
}

/** Where a violation is, and the page about it if that is not the one on the format. */
export interface Place {
  readonly line: number;
  readonly column?: number;
  readonly word?: number;
  readonly link?: string;
  readonly severity?: "warning";
}

export type Report = (rule: Rule, place: Place, message: string) => void;

const GUIDELINES = "https://universaldependencies.org";

/** The page about a relation, without its subtype. */
export function relationPage(label: string): string {
  return `${GUIDELINES}/u/dep/${label.split(":", 1)[0]}.html`;
}

export function page(path: string): string {
  return `${GUIDELINES}/${path}`;
}
