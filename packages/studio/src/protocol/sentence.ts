// Sentences between page and worker are the core's SentenceJSON. What it lacks is here.

import type { SentenceJSON } from "@stemma/core";
import type { RootPosition, SystemName, SystemSettings } from "@stemma/core/systems";
import type { InputFormat } from "./input-format.js";

/** A sentence as it was given, and as the model has it. One of them is there. */
export interface ParsedSentence {
  /** As it came, be its arcs a tree or not; undefined for running text. */
  given: SentenceJSON | undefined;
  /**
   * With the model's tags where none were given, its tree, and what else it finds: scores of arcs, predicates, removed
   * words. `predicates` is there, be it empty, if the model looks for them. Undefined without a model.
   */
  predicted: SentenceJSON | undefined;
  /** The script of most of its letters, if the model never saw any of it: its tree is then a mere guess. */
  unseenScript: string | undefined;
}

/** Heads and labels by word; index 0 is unused. */
export interface Tree {
  heads: number[];
  labels: string[];
}

export interface ParseResult {
  format: InputFormat;
  sentences: ParsedSentence[];
  /** Sentences that could not be read, with place and reason. */
  errors: string[];
  /** There was more than is shown. */
  truncated: boolean;
}

export interface ModelInfo {
  name: string;
  bytes: number;
  /** The kind of parser in a few words: "arc-hybrid, root last", "graph, eisner, order 2". */
  kind: string;
  /** The transition system of the model, its root and its other settings; other parsers have none. */
  transitions: { system: SystemName; root: RootPosition; settings: SystemSettings } | undefined;
  /** Why there is no derivation of its own, if there is none. */
  noDerivation?: string | undefined;
  parts: string[];
  labels: string[];
}
