/**
 * Search in trees: patterns as text or objects, matches, an index of a treebank, and edits where a pattern fits.
 *
 * @packageDocumentation
 */

export type { Attribute } from "./matching/attributes.js";
export { FLAGS } from "./matching/attributes.js";
export { withComments } from "./matching/editing/sentence-text.js";
export { type EditAction, type Edited, TreeEditor } from "./matching/editing/tree-editor.js";
export { parsePattern } from "./matching/language/parse-pattern.js";
export type {
  Alternatives,
  Clause,
  Comparison,
  Condition,
  Negation,
  Operator,
  OptionalPart,
  Pattern,
  Placed,
  Relation,
  RelationName,
  Test,
  Value,
  WordPattern,
  WordReference,
} from "./matching/language/pattern.js";
export { OPERATORS, RELATIONS } from "./matching/language/pattern.js";
export { PatternError } from "./matching/language/pattern-error.js";
export { MatchValue } from "./matching/match-value.js";
export type { MatchableSentence } from "./matching/matchable-sentence.js";
export type { WordOf } from "./matching/matcher.js";
export { Match, Matcher, match, TOO_MANY, TooManyMatches } from "./matching/matcher.js";
export type { IndexedColumn } from "./matching/treebank-index.js";
export { TreebankIndex } from "./matching/treebank-index.js";
