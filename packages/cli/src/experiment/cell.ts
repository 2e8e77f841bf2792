import type { CompleteSettings } from "@stemma/core/training";
import type { Inputs, OracleChoice } from "./spec.js";

/** The part of a treebank that is tested on: sentences i with i mod `of` = `at`; all others are trained on. */
export interface Part {
  of: number;
  at: number;
}

/** Everything that determines the result of a training run but the build of the program. */
export interface CellKey {
  version: string;
  /** SHA-256 of the files. */
  train: string;
  dev?: string;
  silver?: string;
  vectors?: string;
  encoder?: string;
  part?: Part;
  /** Everything that has an effect; of templates the SHA-256. */
  options: Omit<CompleteSettings, "features"> & Pick<Inputs, "vectorWords" | "encoderLayers"> & { templates?: string };
}

/** One training run: a point of the grid, and for cross-validation one fold. */
export interface Cell {
  treebank: number;
  system: number;
  oracle: OracleChoice;
  seed: number;
  key: CellKey;
  /** Name of its file without ".json": hash of the key, "-", build of the program. */
  id: string;
  /** For the display: training words times epochs. */
  work: number;
  label: string;
}

/** Per-sentence counts of right heads, and of right heads with right labels. */
export interface Counts {
  epoch: number;
  uas: number[];
  las: number[];
}

export interface EpochScores {
  epoch: number;
  /** Words with the right head, with the right head and label; sentences with all heads right. */
  uas: number;
  las: number;
  uem: number;
}

/** The record of a run. UAS, LAS and unlabelled exact match follow from the counts. */
export interface CellResult {
  key: CellKey;
  build: string;
  data: { sentences: number; words: number; projectivized: number; skipped: number };
  /** Words of each tested sentence. */
  gold: number[];
  epochs: EpochScores[];
  last: Counts;
  /** Of the epoch with the best LAS, the first of them. */
  best: Counts;
  seconds: { training: number; parsing: number };
}

/** The message to a worker process. */
export interface Job {
  train: string;
  dev?: string | undefined;
  silver?: string | undefined;
  key: CellKey;
  build: string;
  /** Of a parser with transitions. */
  templates?: string | undefined;
  inputs: Inputs;
  /** Where the result goes, and the checkpoint before it. */
  result: string;
  checkpoint: string;
  /** A checkpoint is written after an epoch when it would take so many seconds to repeat what is not saved. */
  checkpointEvery: number;
}

/** Its answer: how far it is, from 0 to 1, or how it ended. */
export type Message = { epoch: number; share: number } | { done: true } | { error: string };
