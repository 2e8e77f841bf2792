import { createHash } from "node:crypto";
import { describeSystem } from "@stemma/core/systems";
import { parseTemplates, SILVER_DEFAULTS, TemplateError } from "@stemma/core/training";
import { FileError, type ReadReport, readBytes, readSentences } from "../files/io.js";
import { featuresOf } from "../options/features-option.js";
import type { Cell, CellKey, Part } from "./cell.js";
import {
  type GraphSettings,
  isGraphBased,
  type OracleChoice,
  type Settings,
  type Spec,
  type TreebankSpec,
} from "./spec.js";

/** A treebank that was read once: its size, and the hashes of its files. */
export interface TreebankData {
  spec: TreebankSpec;
  train: FileData;
  dev?: FileData;
  silver?: FileData;
  /** What is tested on, each in a run of its own; [undefined] for a development set. */
  parts: (Part | undefined)[];
}

interface FileData {
  sha256: string;
  sentences: number;
  words: number;
  /** Sentences that cannot be read. */
  skipped: number;
}

export interface Grid {
  spec: Spec;
  treebanks: TreebankData[];
  /** The text of the templates of each system. */
  templates: string[];
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
  const templates = await Promise.all(spec.systems.map(({ settings }) => templatesOf(settings)));
  const treebanks: TreebankData[] = [];
  for (const treebank of spec.treebanks) treebanks.push(await treebankData(treebank, reading));
  const cells: Cell[] = [];
  // Seeds last of all: a run that is stopped early has the whole grid for the first seeds.
  for (const seed of spec.seeds) {
    treebanks.forEach((treebank, t) => {
      spec.systems.forEach((system, s) => {
        for (const oracle of system.oracles) {
          for (const part of treebank.parts) {
            const key = keyOf(program.version, treebank, part, system.settings, oracle, seed, templates[s]!);
            const share = part ? 1 - 1 / part.of : 1;
            cells.push({
              treebank: t,
              system: s,
              oracle,
              seed,
              key,
              id: `${sha256(JSON.stringify(key)).slice(0, 24)}-${program.build}`,
              work: (treebank.train.words * share + silverWords(treebank, system.settings)) * system.settings.epochs,
              label:
                `${treebank.spec.name} ${system.name} ${oracle} seed ${seed}` +
                (part && treebank.spec.folds ? ` fold ${part.at + 1}/${part.of}` : ""),
            });
          }
        }
      });
    });
  }
  return { spec, treebanks, templates, cells, ...program };
}

function silverWords({ silver }: TreebankData, settings: Settings | GraphSettings): number {
  return silver ? silver.words * weightsOf(settings).weight : 0;
}

function weightsOf(settings: Settings | GraphSettings): { weight: number; confidence: number } {
  const { silverWeight, silverConfidence }: Partial<Settings> = isGraphBased(settings) ? {} : settings;
  return {
    weight: silverWeight ?? SILVER_DEFAULTS.silverWeight,
    confidence: silverConfidence ?? SILVER_DEFAULTS.silverConfidence,
  };
}

function keyOf(
  version: string,
  { train, dev, silver }: TreebankData,
  part: Part | undefined,
  settings: Settings | GraphSettings,
  oracle: OracleChoice,
  seed: number,
  templates: string,
): CellKey {
  const options = isGraphBased(settings) ? { ...settings, seed } : optionsOf(settings, oracle, seed, templates);
  const sorted = Object.fromEntries(Object.entries(options).sort(([a], [b]) => (a < b ? -1 : 1)));
  return {
    version,
    train: train.sha256,
    ...(dev ? { dev: dev.sha256 } : {}),
    ...(silver ? { silver: { sha256: silver.sha256, ...weightsOf(settings) } } : {}),
    ...(part ? { part } : {}),
    options: sorted as unknown as CellKey["options"],
  };
}

/** Options that have no effect are left out, so that they do not make another cell. */
function optionsOf(settings: Settings, oracle: OracleChoice, seed: number, templates: string): object {
  const { features: _, silverWeight: __, silverConfidence: ___, ...others } = settings;
  const { exploreFrom, exploreProbability, lossBound, costSensitive, afterError, ...rest } = others;
  const exploration =
    oracle === "dynamic"
      ? {
          exploreFrom,
          exploreProbability,
          ...(lossBound === undefined ? {} : { lossBound }),
          ...(costSensitive === undefined ? {} : { costSensitive }),
        }
      : { exploreFrom: 1, exploreProbability: 0 };
  const choice = oracle === "static" || afterError === undefined ? {} : { afterError };
  return { ...rest, ...exploration, ...choice, oracle, seed, templates: sha256(templates) };
}

/** The templates of a system; a graph-based parser has none. */
async function templatesOf(settings: Settings | GraphSettings): Promise<string> {
  if (isGraphBased(settings)) return "";
  const { system, features } = settings;
  const text = await featuresOf(system, features);
  try {
    parseTemplates(text, features, describeSystem(system).context);
  } catch (error) {
    if (error instanceof TemplateError) throw new FileError(error.message);
    throw error;
  }
  return text;
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
