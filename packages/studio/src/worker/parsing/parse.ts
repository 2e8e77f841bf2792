import type { Annotation, Pipeline, Sentence } from "@stemma/core";
import type { FoundPredicates } from "@stemma/core/roles";
import { isTree, readTreebank, TreebankError, TreebankReader } from "@stemma/core/treebank";
import { formatOf, type InputFormat, withTabs } from "../../protocol/input-format.js";
import { removedMarks } from "../../protocol/removed-marks.js";
import type { ParseResult, SentenceData, Tree } from "../../protocol/requests.js";
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
  const scores = tellsSureness(pipeline);
  for (const sentence of pipeline.parse(text, { scores })) {
    if (result.sentences.length === MOST_SENTENCES) {
      result.truncated = true;
      break;
    }
    result.sentences.push({
      ...columnsOf(sentence),
      id: undefined,
      gold: undefined,
      draft: undefined,
      predicted: treeOf(sentence),
      unseenScript: unseenScript(
        list(sentence, (i) => sentence.form(i)),
        seen,
      ),
      sureness: scores ? [0, ...sentence.words.map((word) => word.score!)] : undefined,
      predicates: sentence.predicates.map((one) => one.toJSON()),
      removed: removedMarks(sentence),
      multiWordTokens: multiWordTokensOf(sentence),
      conllu: sentence.toConllu(),
    });
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
    else result.sentences.push(sentenceData(isOld ? asConllu(item) : item, pipeline));
  }
  return result;
}

/** The page works with CoNLL-U. */
function asConllu(sentence: Sentence): Sentence {
  return readTreebank(sentence.toConllu(), { allowNonTrees: true })[0]!;
}

/** A sentence of a treebank with its own tree and the model's. */
export function sentenceData(sentence: Sentence, pipeline: Pipeline | undefined): SentenceData {
  const conllu = sentence.toString();
  pipeline?.fillTags(sentence);
  return {
    ...columnsOf(sentence),
    id: sentence.id,
    gold: hasTree(sentence) ? treeOf(sentence) : undefined,
    draft: hasDraft(sentence) ? treeOf(sentence) : undefined,
    ...predict(sentence, pipeline),
    unseenScript:
      pipeline &&
      unseenScript(
        list(sentence, (i) => sentence.form(i)),
        seenScripts(pipeline),
      ),
    multiWordTokens: multiWordTokensOf(sentence),
    conllu,
  };
}

function columnsOf(sentence: Sentence): Pick<SentenceData, "text" | "forms" | "lemmas" | "upos" | "xpos" | "feats"> {
  return {
    text: sentence.text,
    forms: list(sentence, (i) => sentence.form(i)),
    lemmas: list(sentence, (i) => sentence.lemma(i)),
    upos: list(sentence, (i) => sentence.upos(i)),
    xpos: list(sentence, (i) => sentence.xpos(i)),
    feats: list(sentence, (i) => sentence.feats(i)),
  };
}

export function treeOf(sentence: Sentence): Tree {
  return { heads: [...sentence.heads], labels: list(sentence, (i) => sentence.deprel(i)) };
}

function list(sentence: Sentence, value: (i: number) => string): string[] {
  const values = [""];
  for (let i = 1; i <= sentence.length; i++) values.push(value(i));
  return values;
}

function multiWordTokensOf(sentence: Sentence): SentenceData["multiWordTokens"] {
  return sentence.multiWordTokens.map(({ from, to, form }) => ({ from, to, form }));
}

function predict(
  sentence: Sentence,
  pipeline: Pipeline | undefined,
): Pick<SentenceData, "predicted" | "sureness" | "predicates" | "removed"> {
  if (!pipeline) return { predicted: undefined, sureness: undefined, predicates: undefined, removed: undefined };
  const scores = tellsSureness(pipeline) ? new Float64Array(sentence.length + 1) : undefined;
  const tree = pipeline.parser.parse(sentence, { scores });
  return {
    predicted: { heads: Array.from(tree.heads), labels: tree.labels },
    sureness: scores && Array.from(scores),
    predicates: pipeline.annotations(sentence, tree).find(isPredicates)?.predicates,
    removed: tree.leftOut && Array.from(tree.leftOut),
  };
}

function isPredicates(found: Annotation): found is FoundPredicates {
  return "predicates" in found;
}

/** Without a fitted confidence the numbers mean little, and finding them takes a while. */
function tellsSureness({ model }: Pipeline): boolean {
  return model.parser.header.confidence !== undefined;
}

export function hasTree(sentence: Sentence): boolean {
  return sentence.length > 0 && isTree(sentence.heads);
}

/** Does it have arcs, but no tree? */
function hasDraft(sentence: Sentence): boolean {
  return !hasTree(sentence) && sentence.heads.some((head) => head >= 0);
}
