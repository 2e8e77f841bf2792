import { check, checkOptions } from "../../checks/options.js";
import { having } from "../../checks/shapes.js";
import type { Sentence } from "../sentence/sentence.js";
import { VALIDATION_OPTIONS, type ValidationOptions, Validator } from "./validator.js";
import type { Violation } from "./violation.js";

/**
 * The problems of a sentence in CoNLL-U by the guidelines of Universal Dependencies, in the order of its lines: format,
 * names and references, metadata, relations. The rules are those that hold for every language, in our words; UD's own
 * validator knows more for single languages. What holds between sentences is for a `Validator`.
 *
 * @param sentence the sentence
 * @param options the level
 * @example
 * ```ts
 * import { readTreebank, validate } from "@stemma/core/treebank";
 *
 * const conllu = "1\tShe\tshe\tPRON\t_\t_\t2\tnsubj\t_\t_\n2\treads\tread\tVERB\t_\t_\t0\tparataxis\t_\t_\n\n";
 * const [sentence] = readTreebank(conllu);
 * for (const { word, message } of validate(sentence!)) console.log(word, message);
 * ```
 */
export function validate(sentence: Sentence, options: ValidationOptions = {}): Violation[] {
  check("sentence", sentence, having("a Sentence", "comment", "dependentsOf"));
  checkOptions("validate", options, VALIDATION_OPTIONS);
  const text = sentence.toString();
  // Lines before the comments belong to the text of a sentence, and its own begin after them.
  const blank = /^\s*/.exec(text)![0].split("\n").length - 1;
  return new Validator(options).check(text, Math.max(1, sentence.line - blank));
}
