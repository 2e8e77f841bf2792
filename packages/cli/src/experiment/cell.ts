import type { CompleteSettings } from "@stemma/core/training";
import type { Scores, SentenceRights } from "./scores.js";
import type { Inputs, OracleChoice } from "./spec.js";

/**
 * The part of a treebank that is tested on: sentences i with i mod `of` = `at`, or those of a group; all others are
 * trained on.
 */
export type Part = { of: number; at: number } | { pattern: string; group: string };

/** The group of sentences that the pattern does not match. */
export const NO_GROUP = "other";

/**
 * The group of a sentence, such as its genre: what a pattern matches in its sent_id, or what its first parentheses do.
 */
export function groupOf(id: string | undefined, pattern: string): string {
  const found = new RegExp(pattern, "u").exec(id ?? "");
  return (found?.[1] ?? found?.[0]) || NO_GROUP;
}

/** Everything that determines the result of a training run but the build of the program. */
export interface CellKey {
  version: string;
  /** SHA-256 of the files. */
  train: string;
  dev?: string | string[];
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

/** Per-sentence counts of right heads, and of right heads with right labels, with punctuation and without. */
export interface Counts extends Omit<SentenceRights, "gold" | "goldWords"> {
  epoch: number;
}

export interface EpochScores extends Scores {
  epoch: number;
}

/** The record of a run. All scores follow from the counts. */
export interface CellResult {
  key: CellKey;
  build: string;
  /** The command that computed it, and the name of the cell there. */
  command: string;
  cell: string;
  /** When it was finished. */
  time: string;
  data: { sentences: number; words: number; projectivized: number; skipped: number };
  /** Words of each tested sentence, and how many of them are no punctuation. */
  gold: number[];
  goldWords: number[];
  epochs: EpochScores[];
  last: Counts;
  /** Of the epoch with the best LAS, the first of them, if it is not the last. */
  best?: Counts;
  seconds: { training: number; parsing: number };
}

/** The message to a worker process. */
export interface Job {
  train: string;
  dev?: readonly string[] | undefined;
  silver?: string | undefined;
  key: CellKey;
  build: string;
  command: string;
  cell: string;
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
