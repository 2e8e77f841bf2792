import type { Pipeline, Sentence, SentenceJSON } from "@stemma/core";
import { isTree, TreebankError, TreebankReader, withRemoval } from "@stemma/core/treebank";
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
    // The page works with CoNLL-U.
    else result.sentences.push(parsedSentence(isOld ? item.copy("conllu") : item, pipeline));
  }
  return result;
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

/** The sentence with what the model has to say about it, instead of what it has of the kind. */
function predict(sentence: Sentence, pipeline: Pipeline): SentenceJSON {
  const bare = sentence.copy();
  bare.setPredicates([]);
  for (let i = 1; i <= bare.length; i++) bare.set("misc", i, withRemoval(bare.misc(i), 0));
  const json = pipeline.annotate(bare, { scores: hasConfidence(pipeline) }).toJSON();
  return findsRoles(pipeline) ? { predicates: [], ...json } : json;
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

export function findsRoles({ model }: Pipeline): boolean {
  return model.parts.some(({ codec }) => codec.program === "roles");
}

export function hasTree(sentence: Sentence): boolean {
  return sentence.length > 0 && isTree(sentence.heads);
}
