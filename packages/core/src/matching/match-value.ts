import { check, STRING } from "../checks/options.js";
import { arrayOf, holding } from "../checks/shapes.js";
import { type Attribute, attributeOf, knownAttribute } from "./attributes.js";
import { PatternError } from "./language/pattern-error.js";
import { type MatchableSentence, sentenceValue, wordValue } from "./matchable-sentence.js";
import type { Match } from "./matcher.js";

const NAMES = arrayOf("an array of names, undefined for words without", {
  expected: "",
  accepts: (name) => name === undefined || typeof name === "string",
});

/**
 * Something that matches have a value of: `subject.lemma`, `sentence.genre`, or of the first word of the pattern
 * `lemma`.
 */
export class MatchValue {
  /** Which word of the pattern, from 0; -1 for the sentence. */
  readonly node: number;
  /** Undefined for the sentence. */
  readonly attribute: Attribute | undefined;
  /** The name of the attribute. */
  readonly name: string;

  /**
   * `names`: those of the matcher.
   * @param text such as x.lemma
   * @param names those of the matcher
   */
  constructor(text: string, names: readonly (string | undefined)[]) {
    check("value", text, STRING);
    check("names", names, NAMES);
    const dot = text.indexOf(".");
    const before = dot < 0 ? undefined : text.slice(0, dot);
    const known = before === undefined ? -1 : names.indexOf(before);
    const isFirst = dot < 0 || (known < 0 && before !== "sentence" && attributeOf(text) !== undefined);
    if (!isFirst && known < 0 && before !== "sentence") {
      const list = [...names.filter((name) => name !== undefined), "sentence"].join(", ");
      throw new PatternError(`unknown name ${before} in ${text}: expected one of ${list}`);
    }
    if (isFirst && names.length === 0) throw new PatternError(`${text}: the pattern has no word outside a negation`);
    this.node = isFirst ? 0 : known;
    this.name = isFirst ? text : text.slice(dot + 1);
    if (this.node >= 0) this.attribute = knownAttribute(this.name);
  }

  /**
   * The value, undefined if there is none, or if the word is an optional one that is not there.
   * @param match found by the matcher of these names
   */
  of(match: Match<MatchableSentence>): string | undefined {
    check("match", match, holding("a Match", "sentence", "nodes"));
    const { sentence, nodes } = match;
    if (this.node < 0) return sentenceValue(sentence, this.name);
    const word = nodes[this.node]!;
    return word === 0 || this.attribute === undefined ? undefined : wordValue(sentence, this.attribute, word);
  }
}
