// Patterns as plain data. docs/search.md defines what they mean; parsePattern makes them from text.

/** A pattern: a sentence matches if all clauses hold. */
export interface Pattern {
  /** Words and relations, all of which must hold. */
  readonly clauses: readonly Clause[];
  /** The text that it comes from, for errors. */
  readonly source?: string | undefined;
}

/** One part of a pattern. */
export type Clause = WordPattern | WordReference | Relation | Alternatives | Negation | OptionalPart | Condition;

/** The place of a part of a pattern in its text. */
export interface Placed {
  /** Where it begins in the text of the pattern, for errors. */
  readonly at?: number | undefined;
}

/** A word: `{upos:VERB; Tense:Past}=name` and what holds of it. Patterns with the same name are the same word. */
export interface WordPattern extends Placed {
  readonly kind: "word";
  readonly name?: string | undefined;
  readonly tests?: readonly Test[] | undefined;
  /** Relations and groups that begin at this word, and any other clauses. */
  readonly clauses?: readonly Clause[] | undefined;
}

/** A word that is described elsewhere, by its name. */
export interface WordReference extends Placed {
  readonly kind: "reference";
  readonly name: string;
  readonly clauses?: readonly Clause[] | undefined;
}

/**
 * The relation between the word it belongs to, A, and another, B. `>`: B is a dependent of A; `<`: B is the head of A;
 * `>>`, `<<`: descendant, ancestor; `$`: sibling; `.`: A immediately before B; `..`: A before B; `-`, `--`: after;
 * `==`: the same.
 */
export type RelationName = (typeof RELATIONS)[number];
/** The relations between two words of a pattern, as they are written. */
export const RELATIONS = [">>", "<<", ">", "<", "$", "..", ".", "--", "-", "=="] as const;

/** A relation that two words must have. */
export interface Relation extends Placed {
  readonly kind: "relation";
  readonly relation: RelationName;
  readonly to: WordPattern | WordReference;
  /** Label of the arc; of a sibling its own; of a path that of every arc. Not with order and `==`. */
  readonly label?: Comparison | undefined;
  /** In DEPS in place of HEAD and DEPREL; with `>` and `<`. */
  readonly enhanced?: boolean | undefined;
  /** Fewest and most arcs of a path (`>>`, `<<`), or words from A to B (`..`, `--`). */
  readonly distance?: readonly [fewest: number, most: number] | undefined;
}

/** `[ … | … ]`: at least one of the lists of clauses. */
export interface Alternatives extends Placed {
  readonly kind: "either";
  readonly alternatives: readonly (readonly Clause[])[];
}

/** `! …`: there are no words for which all of the clauses hold. */
export interface Negation extends Placed {
  readonly kind: "not";
  readonly clauses: readonly Clause[];
}

/** `? …`: with the words for which the clauses hold, or without if there are none. */
export interface OptionalPart extends Placed {
  readonly kind: "optional";
  readonly clauses: readonly Clause[];
}

/** `a.lemma = b.lemma`, `a.Number`, `sentence.text : /…/`. */
export interface Condition extends Placed, Partial<Comparison> {
  readonly kind: "condition";
  /** The name of a word, or "sentence". */
  readonly word: string;
  readonly attribute: string;
  /** In place of values: an attribute of another word. */
  readonly other?: { readonly word: string; readonly attribute: string; readonly at?: number | undefined } | undefined;
}

/**
 * `:` accepts what counts as the same (a subtype of a relation, one of several values of a feature), `=` does not; with
 * `!` there has to be another value; `<` and so on compare numbers. Without a value no comparison holds.
 */
export type Operator = (typeof OPERATORS)[number];
/** How an attribute is compared with a value. */
export const OPERATORS = ["!:", "!=", "<=", ">=", ":", "=", "<", ">"] as const;

/** The value that an attribute is compared with. */
export type Value =
  | string
  | { readonly text: string; readonly ignoreCase: boolean }
  | { readonly regex: string; readonly ignoreCase?: boolean | undefined; readonly at?: number | undefined };

/** An operator and values, one of which has to fit. */
export interface Comparison {
  readonly operator: Operator;
  readonly values: readonly Value[];
}

/** A test of an attribute; without an operator: that it has a value. */
export interface Test extends Placed, Partial<Comparison> {
  /**
   * form, lemma, upos, xpos, feats, deprel, deps, misc, a feature (`Number`, `feats.number`), an item of MISC
   * (`misc.SpaceAfter`), id (the number of the word), or one of first, last, root, which are there or not.
   */
  readonly attribute: string;
  /** The opposite. */
  readonly negated?: boolean | undefined;
}
