import { type Pipeline, readTreebank, type Sentence, type SentenceJSON } from "@stemma/core";
import { isTree, TreebankError, TreebankReader, withoutScore, withRemoval, withScore } from "@stemma/core/treebank";
import { formatOf, type InputFormat, withTabs } from "../../protocol/input-format.js";
import type { ParsedSentence, ParseResult, Tree } from "../../protocol/sentence.js";
import { seenScripts, unseenScript } from "./scripts.js";

/**
 * More sentences than anyone looks at on one page; longer texts belong into the treebank view or on the command line.
 */
const MOST_SENTENCES = 500;

export function parse(text: string, pipeline: Pipeline | undefined): ParseResult {
  const format = formatOf(text);
  if (format === "text") return parseText(text, pipeline);
  return parseTreebank(format === "spaced" ? withTabs(text) : text, format, pipeline);
}

function parseText(text: string, pipeline: Pipeline | undefined): ParseResult {
  const result: ParseResult = { format: "text", sentences: [], errors: [], truncated: false };
  if (!pipeline) return result;
  const seen = seenScripts(pipeline);
  for (const sentence of pipeline.parse(text, { scores: hasConfidence(pipeline) })) {
    if (result.sentences.length === MOST_SENTENCES) {
      result.truncated = true;
      break;
    }
    const predicted = sentence.toJSON();
    result.sentences.push({ given: undefined, predicted, unseenScript: unseenScript(predicted, seen) });
  }
  return result;
}

function parseTreebank(text: string, format: InputFormat, pipeline: Pipeline | undefined): ParseResult {
  const result: ParseResult = { format, sentences: [], errors: [], truncated: false };
  const isOld = format === "conll09";
  const reader = new TreebankReader({
    source: "input",
    format: isOld ? "conll09" : "conllu",
    allowNonTrees: true,
  });
  // Pasted text often lacks the last line end.
  const bytes = new TextEncoder().encode(`${text}\n\n`);
  for (const item of [...reader.push(bytes), ...reader.end()]) {
    if (item instanceof TreebankError) result.errors.push(item.message);
    else if (result.sentences.length === MOST_SENTENCES) result.truncated = true;
    else result.sentences.push(parsedSentence(isOld ? asConllu(item) : item, pipeline));
  }
  return result;
}

/** The page works with CoNLL-U. */
function asConllu(sentence: Sentence): Sentence {
  return readTreebank(sentence.toConllu(), { allowNonTrees: true })[0]!;
}

function parsedSentence(sentence: Sentence, pipeline: Pipeline | undefined): ParsedSentence {
  const given = sentence.toJSON();
  if (!pipeline) return { given, predicted: undefined, unseenScript: undefined };
  return {
    given,
    predicted: predict(sentence, pipeline),
    unseenScript: unseenScript(given, seenScripts(pipeline)),
  };
}

/** Writes into a sentence what the model has to say about it, instead of what it has of the kind. */
function predict(sentence: Sentence, pipeline: Pipeline): SentenceJSON {
  pipeline.fillTags(sentence);
  const scores = hasConfidence(pipeline) ? new Float64Array(sentence.length + 1) : undefined;
  const tree = pipeline.parser.parse(sentence, { scores });
  pipeline.completeTree(sentence, formsOf(sentence), tree);
  const annotations = pipeline.annotations(sentence, tree);
  sentence.setPredicates([]);
  for (let i = 1; i <= sentence.length; i++) {
    sentence.setHead(i, tree.heads[i]!);
    sentence.setDeprel(i, tree.labels[i]!);
    sentence.set("misc", i, withScore(withoutScore(withRemoval(sentence.misc(i), 0)), scores?.[i]));
  }
  for (const annotation of annotations) annotation.writeTo(sentence);
  const json = sentence.toJSON();
  return annotations.some((found) => "predicates" in found) ? { predicates: [], ...json } : json;
}

/** The forms of a sentence, from index 1. */
function formsOf(sentence: Sentence): string[] {
  return ["", ...sentence.words.map(({ form }) => form)];
}

export function treeOf(sentence: Sentence): Tree {
  const labels = [""];
  for (let i = 1; i <= sentence.length; i++) labels.push(sentence.deprel(i));
  return { heads: [...sentence.heads], labels };
}

/** Without a fitted confidence the numbers mean little, and finding them takes a while. */
function hasConfidence({ model }: Pipeline): boolean {
  return model.parser.header.confidence !== undefined;
}

export function hasTree(sentence: Sentence): boolean {
  return sentence.length > 0 && isTree(sentence.heads);
}
