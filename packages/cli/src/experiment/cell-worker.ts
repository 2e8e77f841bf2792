// A process that trains one cell of an experiment, told what to do by its parent. Its end is the result's file, written
// at once.

import { existsSync } from "node:fs";
import type { PipelineModel, Sentence } from "@stemma/core";
import { GraphTraining, Training, type TreebankSentence, weighSilver } from "@stemma/core/training";
import { loadCheckpoint, removeCheckpoint, restoreState, saveCheckpoint } from "../files/checkpoint.js";
import { FileError, readSentences } from "../files/io.js";
import { writeBytes } from "../files/output.js";
import type { CellResult, Counts, Job, Message } from "./cell.js";
import { programIdentity } from "./program.js";
import { scoresOf, sum } from "./scores.js";
import { isGraphBased } from "./spec.js";

const say = (message: Message) => process.send!(message);
// The parent has died.
process.on("disconnect", () => process.exit(1));
process.once("message", async (job: Job) => {
  try {
    await run(job);
    process.send!({ done: true } satisfies Message, () => process.exit(0));
  } catch (error) {
    process.send!({ error: (error as Error).message } satisfies Message, () => process.exit(1));
  }
});

type Kept = Pick<CellResult, "epochs" | "seconds"> & { best: Counts | undefined };

async function run(job: Job): Promise<void> {
  const { key, result: file, checkpoint } = job;
  if (programIdentity().build !== job.build) throw new Error("the program was rebuilt since the experiment began");
  const [train, test] = await sentencesOf(job);
  const training = trainingOf(job, [...train, ...(await silverOf(job))]);
  const { epochs } = key.options;
  const gold = test.map((sentence) => sentence.length);
  let kept: Kept = { epochs: [], seconds: { training: 0, parsing: 0 }, best: undefined };
  if (existsSync(checkpoint)) {
    // Of a run that was killed; one that cannot be read is as good as none.
    try {
      const saved = await loadCheckpoint(checkpoint, job.build);
      restoreState(training, saved.state, checkpoint);
      kept = saved.scores[0] as Kept;
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
    }
  }
  let last: Counts | undefined;
  let unsaved = 0;
  while (training.epoch < epochs) {
    const epoch = training.epoch + 1;
    const started = performance.now();
    let told = started;
    training.runEpoch((words) => {
      const now = performance.now();
      if (now - told < 1000) return;
      told = now;
      say({ epoch, share: (training.epoch - 1 + words / training.data.words) / epochs });
    });
    const trained = performance.now();
    last = countsOf(training.model(), test, epoch);
    kept.epochs.push({ epoch, ...scoresOf(last, gold) });
    if (!kept.best || sum(last.las) > sum(kept.best.las)) kept.best = last;
    kept.seconds.training += (trained - started) / 1000;
    kept.seconds.parsing += (performance.now() - trained) / 1000;
    say({ epoch, share: epoch / epochs });
    unsaved += (performance.now() - started) / 1000;
    if (unsaved >= job.checkpointEvery && epoch < epochs) {
      await saveCheckpoint(checkpoint, { fingerprint: job.build, state: training.save(), scores: [kept] });
      unsaved = 0;
    }
    // Lets messages out, and the end of the parent in.
    await new Promise((resolve) => setImmediate(resolve));
  }
  const result: CellResult = {
    key,
    build: job.build,
    data: training.data,
    gold,
    epochs: kept.epochs,
    last: last!,
    best: kept.best!,
    seconds: kept.seconds,
  };
  await writeBytes(file, new TextEncoder().encode(`${JSON.stringify(result)}\n`));
  await removeCheckpoint(checkpoint);
}

function trainingOf(
  { key: { options }, templates }: Job,
  train: readonly TreebankSentence[],
): Training | GraphTraining {
  if (isGraphBased(options)) {
    const { system: _, ...own } = options;
    return new GraphTraining(train, own);
  }
  return new Training(train, { ...options, lossBound: options.lossBound ?? Number.POSITIVE_INFINITY, templates });
}

async function sentencesOf({ train, dev, key: { part } }: Job): Promise<[train: Sentence[], test: Sentence[]]> {
  const all = await readAll(train);
  if (!part) return [all, await readAll(dev!)];
  const isTested = (_: Sentence, i: number) => i % part.of === part.at;
  return [all.filter((sentence, i) => !isTested(sentence, i)), all.filter(isTested)];
}

async function silverOf({ silver, key }: Job): Promise<readonly TreebankSentence[]> {
  if (silver === undefined) return [];
  const { weight, confidence } = key.silver!;
  const partial = "oracle" in key.options && key.options.oracle === "dynamic";
  return weighSilver(await readAll(silver), { weight, confidence, partial }).trees;
}

async function readAll(file: string): Promise<Sentence[]> {
  const sentences: Sentence[] = [];
  // The parent has said which sentences cannot be read; what is said here is thrown away.
  for await (const sentence of readSentences(file, { requireTree: true })) sentences.push(sentence);
  return sentences;
}

function countsOf(model: PipelineModel["parser"], sentences: readonly Sentence[], epoch: number): Counts {
  const parser = model.createParser();
  const counts: Counts = { epoch, uas: [], las: [] };
  for (const sentence of sentences) {
    const { heads, labels } = parser.parse(sentence);
    let uas = 0;
    let las = 0;
    for (let d = 1; d <= sentence.length; d++) {
      if (heads[d] !== sentence.heads[d]) continue;
      uas++;
      if (labels[d] === sentence.deprel(d)) las++;
    }
    counts.uas.push(uas);
    counts.las.push(las);
  }
  return counts;
}
