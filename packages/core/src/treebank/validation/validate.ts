import { check } from "../../checks/options.js";
import { having } from "../../checks/shapes.js";
import type { Sentence } from "../sentence/sentence.js";
import { checkColumns } from "./columns.js";
import { checkRelations } from "./relations.js";
import { checkText } from "./text.js";
import { checkTree } from "./tree-shape.js";
import type { Report, Violation } from "./violation.js";

/**
 * The problems of a sentence by the guidelines of Universal Dependencies, in the order of its words: its tree, its
 * columns, relations that do not go with their parts of speech, punctuation, its text. The rules are those that hold
 * for every language, in our words; UD's own validator knows more, some of it for single languages.
 *
 * @example
 * ```ts
 * import { readTreebank, validate } from "@stemma/core/treebank";
 *
 * const conllu = "1\tShe\tshe\tPRON\t_\t_\t2\tnsubj\t_\t_\n2\treads\tread\tVERB\t_\t_\t0\tparataxis\t_\t_\n\n";
 * const [sentence] = readTreebank(conllu);
 * for (const { word, message } of validate(sentence!)) console.log(word, message);
 * ```
 */
export function validate(sentence: Sentence): Violation[] {
  check("sentence", sentence, having("a Sentence", "comment", "dependentsOf"));
  const found: Violation[] = [];
  const report: Report = (violation) => found.push(violation);
  checkText(sentence, report);
  checkTree(sentence, report);
  checkColumns(sentence, report);
  checkRelations(sentence, report);
  return found.sort((a, b) => a.word - b.word);
}
