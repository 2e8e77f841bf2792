/**
 * Search in trees: patterns as text or objects, matches, an index of a treebank, and edits where a pattern fits.
 *
 * @packageDocumentation
 */
export { type Attribute, FLAGS } from "./matching/attributes.js";
export { type EditAction, type Edited, TreeEditor } from "./matching/editing/tree-editor.js";
export { parsePattern } from "./matching/language/parse-pattern.js";
export {
  type Alternatives,
  type Clause,
  type Comparison,
  type Condition,
  type Negation,
  OPERATORS,
  type Operator,
  type OptionalPart,
  type Pattern,
  type Placed,
  RELATIONS,
  type Relation,
  type RelationName,
  type Test,
  type Value,
  type WordPattern,
  type WordReference,
} from "./matching/language/pattern.js";
export { PatternError } from "./matching/language/pattern-error.js";
export { MatchValue } from "./matching/match-value.js";
export type { MatchableSentence } from "./matching/matchable-sentence.js";
export { Match, Matcher, match, TOO_MANY, TooManyMatches, type WordOf } from "./matching/matcher.js";
export { type IndexedColumn, type IndexedTreebank, TreebankIndex } from "./matching/treebank-index.js";

// For the other packages of this repository: no part of the interface.

/** @internal */
export { EDIT_ACTIONS, editAction } from "./matching/editing/edit-action.js";
/** @internal */
export { withComments } from "./matching/editing/sentence-text.js";
