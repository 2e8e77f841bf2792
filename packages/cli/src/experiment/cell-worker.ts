// A process that trains one cell of an experiment, told what to do by its parent. Its end is the result's file, written
// at once.

import { existsSync } from "node:fs";
import type { Sentence } from "@stemma/core";
import { isPunctuationForm } from "@stemma/core/evaluation";
import { type CompleteSettings, type TrainingRun, trainingSteps } from "@stemma/core/training";
import { loadCheckpoint, removeCheckpoint, restoreState, saveCheckpoint } from "../files/checkpoint.js";
import { FileError, readSentences } from "../files/io.js";
import { writeBytes } from "../files/output.js";
import { encodeTraining } from "../training/encoder.js";
import { readVectors } from "../training/vectors.js";
import { type CellResult, type Counts, groupOf, type Job, type Message } from "./cell.js";
import { programIdentity } from "./program.js";
import { scoresOf, sum } from "./scores.js";

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
  const run = await trainingOf(job, train, test);
  const { training } = run;
  const { epochs } = key.options;
  const gold = test.map((sentence) => sentence.length);
  const isWord = test.map((sentence) =>
    Array.from({ length: sentence.length + 1 }, (_, d) => Number(d > 0 && !isPunctuationForm(sentence.form(d)))),
  );
  const goldWords = isWord.map((words) => sum(words));
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
  while (!run.isOver) {
    const epoch = training.epoch + 1;
    const started = performance.now();
    let told = started;
    let trained = started;
    const steps = run.epoch();
    let step = steps.next();
    for (; !step.done; step = steps.next()) {
      trained = performance.now();
      if (trained - told < 1000) continue;
      told = trained;
      say({ epoch, share: (epoch - 1 + step.value / training.data.words) / epochs });
    }
    const { uas, las, right } = step.value.counts!;
    const words = (least: number) => right.map((one, i) => sum(isWord[i]!.filter((_, d) => one[d]! >= least)));
    last = { epoch, uas, las, wordUas: words(1), wordLas: words(2) };
    kept.epochs.push({ epoch, ...scoresOf({ ...last, gold, goldWords }) });
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
    ...{ build: job.build, command: job.command, cell: job.cell, time: new Date().toISOString() },
    data: run.data,
    ...{ gold, goldWords },
    epochs: kept.epochs,
    last: last!,
    ...(kept.best!.epoch < last!.epoch ? { best: kept.best! } : {}),
    seconds: kept.seconds,
  };
  await writeBytes(file, new TextEncoder().encode(`${JSON.stringify(result)}\n`));
  await removeCheckpoint(checkpoint);
}

/** The training of a cell, with all that comes before its first epoch. */
async function trainingOf(job: Job, sentences: Sentence[], dev: Sentence[]): Promise<TrainingRun> {
  const { templates, inputs, key } = job;
  const { vectorWords, encoderLayers: _, templates: __, ...settings } = key.options;
  const silver = job.silver === undefined ? undefined : await readAll(job.silver);
  const { vectors, encoder } = inputs;
  const steps = trainingSteps({
    ...{ sentences, dev, silver, settings: settings as CompleteSettings, onlyScores: true },
    templates: templates === undefined ? undefined : { text: templates, source: "templates" },
    vectors: vectors === undefined ? undefined : await readVectors(vectors, sentences, vectorWords!),
    encoded: encoder === undefined ? undefined : await encodeTraining([...sentences, ...(silver ?? [])], inputs, 1),
  });
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

async function sentencesOf({ train, dev, key: { part } }: Job): Promise<[train: Sentence[], test: Sentence[]]> {
  const all = await readAll(train);
  if (!part) return [all, (await Promise.all(dev!.map(readAll))).flat()];
  const isTested =
    "of" in part
      ? (_: Sentence, i: number) => i % part.of === part.at
      : ({ id }: Sentence) => groupOf(id, part.pattern) === part.group;
  return [all.filter((sentence, i) => !isTested(sentence, i)), all.filter(isTested)];
}

async function readAll(file: string): Promise<Sentence[]> {
  const sentences: Sentence[] = [];
  // The parent has said which sentences cannot be read; what is said here is thrown away.
  for await (const sentence of readSentences(file, { requireTree: true })) sentences.push(sentence);
  return sentences;
}
