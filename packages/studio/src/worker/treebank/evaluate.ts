// How good a model is on the open treebank. Sentences are parsed in batches, by this worker and by helpers; they are
// compared with the gold trees in the order of the file, so that the result is the same however many workers there are.

import { type Pipeline, readTreebank, type Sentence } from "@stemma/core";
import { Evaluation, evaluationPlots } from "@stemma/core/evaluation";
import type { EvaluationResult } from "../../protocol/treebank.js";
import { hasTree } from "../parsing/parse.js";
import type { Helpers } from "../tasks/helpers.js";
import { pause } from "../tasks/pause.js";
import { type Task, watched } from "../tasks/task.js";
import { plottedSentenceLengths } from "./judged-words.js";
import type { TreebankFile } from "./treebank-file.js";

/** Words of a batch, at least: some 30 ms of work, so that what is urgent does not wait for long. */
const BATCH = 400;

interface Batch {
  gold: { index: number; sentence: Sentence }[];
  words: number;
  /** The same sentences with the trees of the model, when they are there. */
  system: Sentence[] | undefined;
  /** Fulfilled when they are. */
  parsed: Promise<void> | undefined;
}

const emptyBatch = (): Batch => ({ gold: [], words: 0, system: undefined, parsed: undefined });

/** The sentences of a CoNLL-U text with the trees of the model, and its tags where there are none or if it retags. */
export function parseBatch(pipeline: Pipeline, conllu: string, retag: boolean): Sentence[] {
  const sentences = readTreebank(conllu, { allowNonTrees: true });
  for (const sentence of sentences) {
    pipeline.fillTags(sentence, retag);
    const { heads, labels } = pipeline.parser.parse(sentence);
    for (let i = 1; i <= sentence.length; i++) {
      sentence.setHead(i, heads[i]!);
      sentence.setDeprel(i, labels[i]!);
    }
  }
  return sentences;
}

/** Parses every sentence that has a tree and compares. Undefined if it is stopped. */
export async function evaluate(
  treebank: TreebankFile,
  pipeline: Pipeline,
  helpers: Helpers,
  retag: boolean,
  task: Task,
): Promise<Omit<EvaluationResult, "model"> | undefined> {
  const start = performance.now();
  const evaluation = new Evaluation();
  const watch = watched(task);
  /** In the order of the file; the first one is compared as soon as it is parsed. */
  const underWay: Batch[] = [];

  const compare = ({ gold, system }: Batch) => {
    gold.forEach(({ index, sentence }, k) => {
      const parsed = system![k]!;
      treebank.judge(index, sentence, parsed);
      evaluation.addGold(sentence);
      evaluation.addSystem(parsed);
    });
  };
  const compareParsed = () => {
    while (underWay[0]?.system) compare(underWay.shift()!);
  };
  const parse = async (batch: Batch) => {
    underWay.push(batch);
    const conllu = batch.gold.map(({ sentence }) => sentence.toString()).join("");
    const here = () => {
      batch.system = parseBatch(pipeline, conllu, retag);
    };
    const elsewhere = helpers.parse(conllu, retag);
    if (elsewhere) {
      batch.parsed = elsewhere.then((answer) => {
        batch.system = readTreebank(answer, { allowNonTrees: true });
      }, here);
      // It is waited for in its turn.
      batch.parsed.catch(() => {});
    } else here();
    // Helpers are heard and get more to do.
    await pause();
    compareParsed();
  };

  let batch = emptyBatch();
  for await (const [index, sentences] of treebank.current(watch, () => true)) {
    for (const sentence of sentences) {
      if (!hasTree(sentence)) continue;
      batch.gold.push({ index, sentence });
      batch.words += sentence.length;
    }
    if (batch.words < BATCH) continue;
    await parse(batch);
    batch = emptyBatch();
    if (!(await watch.tick(index / treebank.size))) break;
  }
  if (watch.isStopped) return undefined;
  if (batch.gold.length > 0) await parse(batch);
  while (underWay.length > 0) {
    await underWay[0]!.parsed;
    compareParsed();
    if (!(await watch.tick(1))) return undefined;
  }
  evaluation.end();
  const plots = evaluationPlots([{ name: "model", evaluation }]);
  return {
    summary: evaluation.toJSON(),
    plots: [...plots],
    sentenceLengths: plottedSentenceLengths(evaluation),
    seconds: (performance.now() - start) / 1000,
    workers: 1 + helpers.count,
  };
}
