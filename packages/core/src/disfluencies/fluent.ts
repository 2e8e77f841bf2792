import { check } from "../checks/options.js";
import { having } from "../checks/shapes.js";
import { formatSentence } from "../treebank/formats/format-sentence.js";
import { readTreebank } from "../treebank/formats/reader.js";
import { linesOf, newIds, rangeOfLine, renumbered, textOfLines } from "../treebank/restructuring/lines.js";
import type { Sentence } from "../treebank/sentence/sentence.js";
import { surfaceText } from "../treebank/sentence/spaces.js";
import { removedWords } from "./removed-words.js";

/** The columns and methods of a sentence that tell which words are disfluent. */
export function disfluentWords(sentence: Sentence): Uint8Array | undefined {
  check("sentence", sentence, having("a Sentence", "form", "toString"));
  const labels = [""];
  for (let i = 1; i <= sentence.length; i++) labels.push(sentence.deprel(i));
  return removedWords(sentence.heads, labels);
}

/**
 * The sentence without its disfluent words (`removedWords`), numbered anew, and `# text` with it; as CoNLL-U. The same
 * sentence if it has none, undefined if it has no others. What is left of a multiword token is words.
 * @param sentence the sentence
 */
export function fluentSentence(sentence: Sentence): Sentence | undefined {
  const removed = disfluentWords(sentence);
  if (!removed) return sentence;
  if (removed.every((kind, i) => i === 0 || kind > 0)) return undefined;
  const lines = linesOf(formatSentence(sentence, "conllu"));
  let count = 0;
  const ids = newIds(lines.rows, (word) => (removed[word]! > 0 ? undefined : ++count));
  const rows = lines.rows.filter((columns) => {
    const range = rangeOfLine(columns);
    if (!range) return columns[0]!.includes(".") || removed[Number(columns[0])] === 0;
    for (let word = range[0]; word <= range[1]; word++) if (removed[word]! > 0) return false;
    return true;
  });
  const text = textOfLines({ ...lines, rows: rows.map((columns) => renumbered(columns, ids)) });
  const fluent = readTreebank(text, { line: sentence.line, allowNonTrees: true })[0]!;
  if (/^#\s*text\s*=/m.test(lines.before)) fluent.setComment("text", surfaceText(fluent).trim());
  return fluent;
}
