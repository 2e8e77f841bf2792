import { createHash } from "node:crypto";
import { describeSystem, isFeatureSet } from "@stemma/core/systems";
import { parseTemplates, TemplateError, templatesOf } from "@stemma/core/training";
import { FileError, type ReadReport, readBytes, readSentences } from "../files/io.js";
import { readTemplates } from "../options/features-option.js";
import { hashOf } from "../training/data.js";
import { encoderPaths } from "../training/encoder.js";
import type { Cell, CellKey, Part } from "./cell.js";
import { hasNoOracle, type Inputs, type Spec, type TrainingSpec, type TreebankSpec } from "./spec.js";

/** A treebank that was read once: its size, and the hashes of its files. */
export interface TreebankData {
  spec: TreebankSpec;
  train: FileData;
  dev?: FileData;
  silver?: FileData;
  /** The test sets, each in a run of its own; [undefined] for a development set. */
  parts: (Part | undefined)[];
}

interface FileData {
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
}

interface Reading {
  report: ReadReport;
  strict?: boolean | undefined;
}

/** Reads the treebanks and templates of a specification, with all errors in them, and lays out the cells. */
export async function layOut(spec: Spec, program: { version: string; build: string }, reading: Reading): Promise<Grid> {
  const inputs = new Map<TrainingSpec, InputData>();
  for (const run of spec.systems.flatMap(({ runs }) => runs)) inputs.set(run, await inputData(run));
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
            const share = part ? 1 - 1 / part.of : 1;
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
                (part && treebank.spec.folds ? ` fold ${part.at + 1}/${part.of}` : ""),
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
  { train, dev, silver }: TreebankData,
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
    ...{ train: train.sha256, dev: dev?.sha256, silver: silver?.sha256, vectors, encoder },
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
  const train = await fileData(spec.train, reading);
  const silver = spec.silver === undefined ? {} : { silver: await fileData(spec.silver, reading) };
  const of = spec.folds ?? spec.holdOut;
  if (of === undefined) return { spec, train, ...silver, dev: await fileData(spec.dev!, reading), parts: [undefined] };
  if (of > train.sentences) {
    throw new FileError(
      `${spec.train}: ${train.sentences} sentences (expected at least ${of} to divide them by ${of})`,
    );
  }
  const parts = Array.from({ length: spec.folds ?? 1 }, (_, at) => ({ of, at: spec.folds ? at : of - 1 }));
  return { spec, train, ...silver, parts };
}

async function fileData(path: string, { report, strict }: Reading): Promise<FileData> {
  const hash = createHash("sha256");
  for await (const chunk of readBytes(path)) hash.update(chunk);
  let sentences = 0;
  let words = 0;
  const before = report.skipped;
  for await (const sentence of readSentences(path, { strict, requireTree: true, report })) {
    sentences++;
    words += sentence.length;
  }
  if (sentences === 0) throw new FileError(`${path}: no sentences`);
  return { sha256: hash.digest("hex"), sentences, words, skipped: report.skipped - before };
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
