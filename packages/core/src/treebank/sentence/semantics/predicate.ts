import { check, STRING } from "../../../checks/options.js";
import type { Sentence } from "../sentence.js";
import { Span } from "../span.js";
import type { Word } from "../word.js";
import type { PredicateData } from "./predicate-data.js";

/** An argument of a predicate. */
export interface Argument {
  /** ARG0, ARGM-TMP, … */
  readonly role: string;
  /** The word that the rest of the argument depends on. */
  readonly word: Word;
  /** The argument as a whole. */
  readonly span: Span;
}

/** A predicate of a sentence: its word, its sense, and who did what to whom. */
export class Predicate {
  /** The word that it is. */
  readonly word: Word;
  /** Such as give.01; "_" if it is not known. */
  readonly sense: string;
  /** In the order of their words. */
  readonly arguments: readonly Argument[];

  /**
   * @param sentence the sentence of the word
   * @param data the word, its sense and its arguments, by their numbers
   */
  constructor(sentence: Sentence, data: PredicateData) {
    this.word = sentence.words[data.word - 1]!;
    this.sense = data.sense;
    this.arguments = Object.freeze(
      data.arguments.map(({ word, role }) => ({
        role,
        word: sentence.words[word - 1]!,
        get span() {
          return argumentSpan(sentence, word, data.word);
        },
      })),
    );
  }

  /**
   * The argument with a role, such as ARG0; the first if there are several.
   * @param role the role, such as ARG0
   */
  argument(role: string): Argument | undefined {
    check("role", role, STRING);
    return this.arguments.find((argument) => argument.role === role);
  }

  /** The word with its sense. */
  toString(): string {
    return this.sense;
  }

  /** As plain data. */
  toJSON(): PredicateData {
    const own = this.arguments.map(({ word, role }) => ({ word: word.index, role }));
    return { word: this.word.index, sense: this.sense, arguments: own };
  }
}

/**
 * The words around an argument that depend on it, without the branch that the predicate is on: in "the mill that
 * burned" what burned is "the mill". O(n) for usual trees.
 */
function argumentSpan(sentence: Sentence, argument: number, predicate: number): Span {
  const isOwn = (i: number): boolean => {
    // Heads may form a cycle.
    for (let steps = 0; i > 0 && steps <= sentence.length; steps++) {
      if (i === argument) return true;
      if (branch.has(i)) return false;
      i = sentence.head(i);
    }
    return false;
  };
  const branch = new Set<number>();
  for (let i = predicate; i > 0 && i !== argument && !branch.has(i); i = sentence.head(i)) branch.add(i);
  let [from, to] = [argument, argument];
  while (from > 1 && isOwn(from - 1)) from--;
  while (to < sentence.length && isOwn(to + 1)) to++;
  return new Span(sentence, from, to);
}
