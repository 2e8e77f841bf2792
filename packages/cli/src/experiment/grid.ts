import { createHash } from "node:crypto";
import { describeSystem, isFeatureSet } from "@stemma/core/systems";
import { parseTemplates, TemplateError, templatesOf } from "@stemma/core/training";
import { FileError, type ReadReport, readBytes, readSentences } from "../files/io.js";
import { readTemplates } from "../options/features-option.js";
import { hashOf } from "../training/data.js";
import { encoderPaths } from "../training/encoder.js";
import { type Cell, type CellKey, groupOf, NO_GROUP, type Part } from "./cell.js";
import { hasNoOracle, type Inputs, type Spec, type TrainingSpec, type TreebankSpec } from "./spec.js";

/** A treebank that was read once: its size, and the hashes of its files. */
export interface TreebankData {
  spec: TreebankSpec;
  train: FileData;
  tests?: FileData[];
  silver?: FileData;
  /** The parts that are tested on, each in a run of its own; [undefined] for files. */
  parts: (Part | undefined)[];
  /** The test set of each sentence that is tested on, in the order of the parts; undefined if there is only one. */
  sets?: string[];
}

export interface FileData {
  sha256: string;
  sentences: number;
  words: number;
  /** Sentences that cannot be read. */
  skipped: number;
}

/** Files that a training reads besides treebanks. */
interface InputData {
  /** The text of its templates; a parser without transitions has none. */
  templates: string | undefined;
  vectors?: string;
  encoder?: string;
}

export interface Grid {
  spec: Spec;
  treebanks: TreebankData[];
  /** The text of the templates of each training. */
  templates: ReadonlyMap<TrainingSpec, string | undefined>;
  cells: Cell[];
  version: string;
  build: string;
  /** The command that computes it. */
  command: string;
}

interface Reading {
  report: ReadReport;
  strict?: boolean | undefined;
}

/** Reads the treebanks and templates of a specification, with all errors in them, and lays out the cells. */
export async function layOut(
  spec: Spec,
  program: Pick<Grid, "version" | "build" | "command">,
  reading: Reading,
): Promise<Grid> {
  const inputs = new Map<TrainingSpec, InputData>();
  for (const [s, { runs }] of spec.systems.entries()) {
    for (const run of runs) {
      const data = inputData(run).catch((error) => {
        throw error instanceof FileError ? new FileError(`${spec.path}: systems[${s}]: ${error.message}`) : error;
      });
      inputs.set(run, await data);
    }
  }
  const treebanks: TreebankData[] = [];
  for (const treebank of spec.treebanks) treebanks.push(await treebankData(treebank, reading));
  const cells: Cell[] = [];
  // Seeds last of all: a run that is stopped early has the whole grid for the first seeds.
  for (const seed of spec.seeds) {
    treebanks.forEach((treebank, t) => {
      spec.systems.forEach((system, s) => {
        for (const run of system.runs) {
          for (const part of treebank.parts) {
            const key = keyOf(program.version, treebank, part, run, seed, inputs.get(run)!);
            const share = part ? 1 - 1 / ("of" in part ? part.of : treebank.parts.length) : 1;
            const { epochs, silverWeight = 1 } = run.settings;
            cells.push({
              treebank: t,
              system: s,
              oracle: run.oracle,
              seed,
              key,
              id: `${sha256(JSON.stringify(key)).slice(0, 24)}-${program.build}`,
              work: (treebank.train.words * share + (treebank.silver?.words ?? 0) * silverWeight) * epochs,
              label:
                `${treebank.spec.name} ${system.name} ${run.oracle} seed ${seed}` +
                (part && "group" in part ? ` without ${part.group}` : "") +
                (part && "of" in part && treebank.spec.folds ? ` fold ${part.at + 1}/${part.of}` : ""),
            });
          }
        }
      });
    });
  }
  const templates = new Map([...inputs].map(([run, { templates }]) => [run, templates]));
  return { spec, treebanks, templates, cells, ...program };
}

function keyOf(
  version: string,
  { train, tests, silver }: TreebankData,
  part: Part | undefined,
  { settings, inputs: { vectorWords, encoderLayers } }: TrainingSpec,
  seed: number,
  { templates, vectors, encoder }: InputData,
): CellKey {
  const { features: _, silverWeight, silverConfidence, ...others } = settings;
  const options = {
    ...others,
    ...(silver ? { silverWeight, silverConfidence } : {}),
    ...{ vectorWords, encoderLayers, seed, templates: templates && sha256(templates) },
  };
  const key = {
    version,
    ...{ train: train.sha256, dev: tests?.length === 1 ? tests[0]!.sha256 : tests?.map(({ sha256 }) => sha256) },
    ...{ silver: silver?.sha256, vectors, encoder },
    part,
    options: Object.fromEntries(Object.entries(options).sort(([a], [b]) => (a < b ? -1 : 1))),
  };
  // As it is read again from a file.
  return JSON.parse(JSON.stringify(key)) as CellKey;
}

async function inputData(run: TrainingSpec): Promise<InputData> {
  const { vectors, encoder }: Inputs = run.inputs;
  return {
    templates: await templatesFor(run),
    ...(vectors === undefined ? {} : { vectors: await hashOf(vectors) }),
    ...(encoder === undefined ? {} : { encoder: await hashOf((await encoderPaths(encoder)).weights) }),
  };
}

/** The templates of a training, if it has any. */
async function templatesFor({ settings }: TrainingSpec): Promise<string | undefined> {
  const { system, features, network } = settings;
  if (hasNoOracle(system)) return undefined;
  try {
    const isFile = features !== undefined && !isFeatureSet(features);
    const text = isFile ? await readTemplates(features) : templatesOf(settings);
    if (!network) parseTemplates(text, features, describeSystem(system).context);
    return text;
  } catch (error) {
    if (error instanceof TemplateError || error instanceof RangeError) throw new FileError(error.message);
    throw error;
  }
}

async function treebankData(spec: TreebankSpec, reading: Reading): Promise<TreebankData> {
  const { groups, tests, folds, holdOut } = spec;
  const [train, trainGroups] = await fileData(spec.train, reading, groups);
  const data = { spec, train, ...(spec.silver ? { silver: (await fileData(spec.silver, reading))[0] } : {}) };
  if (tests) {
    const read: Awaited<ReturnType<typeof fileData>>[] = [];
    for (const { file } of tests) read.push(await fileData(file, reading, groups));
    const sets = read.flatMap(([{ sentences }, own], t) =>
      own.length > 0 ? own : Array<string>(sentences).fill(tests[t]!.name!),
    );
    const isDivided = tests.length > 1 || groups !== undefined;
    return { ...data, tests: read.map(([test]) => test), parts: [undefined], ...(isDivided ? { sets } : {}) };
  }
  if (spec.leaveOut) {
    const names = [...new Set(trainGroups)].sort();
    if (names.length < 2) {
      throw new FileError(`${spec.train}: all sentences are of the same group, "${names[0]}" (expected two or more)`);
    }
    const parts = names.map((group) => ({ pattern: groups!, group }));
    return { ...data, parts, sets: names.flatMap((group) => trainGroups.filter((own) => own === group)) };
  }
  const of = folds ?? holdOut!;
  if (of > train.sentences) {
    throw new FileError(
      `${spec.train}: ${train.sentences} sentences (expected at least ${of} to divide them by ${of})`,
    );
  }
  const parts = Array.from({ length: folds ?? 1 }, (_, at) => ({ of, at: folds ? at : of - 1 }));
  const sets = parts.flatMap(({ at }) => trainGroups.filter((_, i) => i % of === at));
  return { ...data, parts, ...(groups === undefined ? {} : { sets }) };
}

/** The size of a file and, with a pattern, the group of each sentence. */
async function fileData(
  path: string,
  { report, strict }: Reading,
  pattern?: string,
): Promise<[data: FileData, groups: string[]]> {
  const hash = createHash("sha256");
  for await (const chunk of readBytes(path)) hash.update(chunk);
  const groups: string[] = [];
  let sentences = 0;
  let words = 0;
  let last: string | undefined;
  const before = report.skipped;
  for await (const sentence of readSentences(path, { strict, requireTree: true, report })) {
    sentences++;
    words += sentence.length;
    last = sentence.id;
    if (pattern !== undefined) groups.push(groupOf(sentence.id, pattern));
  }
  if (sentences === 0) throw new FileError(`${path}: no sentences`);
  if (pattern !== undefined && groups.every((group) => group === NO_GROUP)) {
    const found = last === undefined ? "its sentences have no sent_id" : `not in "${last}"`;
    throw new FileError(`${path}: "groups": ${JSON.stringify(pattern)} matches no sent_id (${found})`);
  }
  return [{ sha256: hash.digest("hex"), sentences, words, skipped: report.skipped - before }, groups];
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
