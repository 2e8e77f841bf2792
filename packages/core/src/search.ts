/**
 * Search in trees: patterns as text or objects, matches, an index of a treebank, and edits where a pattern fits.
 *
 * @packageDocumentation
 */
export { type EditAction, type Edited, TreeEditor } from "./matching/editing/tree-editor.js";
export { parsePattern } from "./matching/language/parse-pattern.js";
export type { Pattern } from "./matching/language/pattern.js";
export { PatternError } from "./matching/language/pattern-error.js";
export { MatchValue } from "./matching/match-value.js";
export type { MatchableSentence } from "./matching/matchable-sentence.js";
export { Match, Matcher, match, TooManyMatches } from "./matching/matcher.js";
export { type IndexedColumn, type IndexedTreebank, TreebankIndex } from "./matching/treebank-index.js";
export type { Column } from "./treebank/formats/layout.js";
export type { Sentence } from "./treebank/sentence/sentence.js";

// For the other packages of this repository: no part of the interface.

/** @internal */
export { FLAGS } from "./matching/attributes.js";
/** @internal */
export { EDIT_ACTIONS, editAction } from "./matching/editing/edit-action.js";
/** @internal */
export { withComments } from "./matching/editing/sentence-text.js";
/** @internal */
export {
  type Clause,
  type Comparison,
  type Condition,
  RELATIONS,
  type Relation,
  type RelationName,
  type Test,
  type Value,
  type WordPattern,
  type WordReference,
} from "./matching/language/pattern.js";
/** @internal */
export { TOO_MANY } from "./matching/matcher.js";
