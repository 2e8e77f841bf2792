// How good a model is on the open treebank. Sentences are parsed in batches, by this worker and by helpers; they are
// compared with the gold trees in the order of the file, so that the result is the same however many workers there are.

import { type Pipeline, readTreebank, type Sentence } from "@stemma/core";
import { compareSystems, Evaluation, evaluationPlots } from "@stemma/core/evaluation";
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
  /** The same sentences with the trees of each model, when they are there. */
  systems: (Sentence[] | undefined)[];
  /** Fulfilled when they are. */
  parsed: Promise<unknown> | undefined;
}

const emptyBatch = (): Batch => ({ gold: [], words: 0, systems: [], parsed: undefined });

/** A model that is evaluated, with workers that help. */
export interface Evaluated {
  name: string;
  pipeline: Pipeline;
  helpers: Helpers;
}

/** The sentences of a CoNLL-U text with the trees of the model, and its tags where there are none or if it retags. */
export function parseBatch(pipeline: Pipeline, conllu: string, retag: boolean): Sentence[] {
  return readTreebank(conllu, { allowNonTrees: true }).map((sentence) => pipeline.annotate(sentence, { retag }));
}

/** Parses every sentence that has a tree, with one model or two, and compares. Undefined if it is stopped. */
export async function evaluate(
  treebank: TreebankFile,
  models: readonly [Evaluated, Evaluated?],
  retag: boolean,
  task: Task,
): Promise<EvaluationResult | undefined> {
  const start = performance.now();
  const all = models.filter((one) => one !== undefined);
  const evaluations = all.map(() => new Evaluation());
  const watch = watched(task);
  /** In the order of the file; the first one is compared as soon as it is parsed. */
  const underWay: Batch[] = [];
  const isParsed = ({ systems }: Batch) => all.every((_, m) => systems[m]);

  const compare = ({ gold, systems }: Batch) => {
    gold.forEach(({ index, sentence }, k) => {
      const [first, second] = systems.map((sentences) => sentences![k]!);
      treebank.judge(index, sentence, first!, second);
      for (const [m, evaluation] of evaluations.entries()) {
        evaluation.addGold(sentence);
        evaluation.addSystem(systems[m]![k]!);
      }
    });
  };
  const compareParsed = () => {
    while (underWay[0] && isParsed(underWay[0])) compare(underWay.shift()!);
  };
  const parse = async (batch: Batch) => {
    underWay.push(batch);
    const conllu = batch.gold.map(({ sentence }) => sentence.toString()).join("");
    const elsewhere = all.flatMap(({ pipeline, helpers }, m) => {
      const here = () => {
        batch.systems[m] = parseBatch(pipeline, conllu, retag);
      };
      const helped = helpers.parse(conllu, retag)?.then((answer) => {
        batch.systems[m] = readTreebank(answer, { allowNonTrees: true });
      }, here);
      if (!helped) here();
      return helped ?? [];
    });
    batch.parsed = Promise.all(elsewhere);
    // It is waited for in its turn.
    batch.parsed.catch(() => {});
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
  for (const evaluation of evaluations) evaluation.end();
  const [first, second] = evaluations;
  const plots = evaluationPlots(all.map(({ name }, m) => ({ name, evaluation: evaluations[m]! })));
  const result: EvaluationResult = {
    model: models[0].name,
    summary: first!.toJSON(),
    plots: [...plots],
    sentenceLengths: plottedSentenceLengths(first!),
    seconds: (performance.now() - start) / 1000,
    workers: 1 + all.reduce((sum, { helpers }) => sum + helpers.count, 0),
  };
  if (second) {
    result.second = {
      model: models[1]!.name,
      summary: second.toJSON(),
      uas: compareSystems(first!.counts, second.counts, "uas"),
      las: compareSystems(first!.counts, second.counts, "las"),
      words: treebank.differing(),
    };
  }
  return result;
}
