import { createSystem } from "../registry/system-registry.js";
import { Classes } from "../scoring/classes.js";
import type { LinearModel } from "../scoring/linear/linear-model.js";
import type { NeuralModel } from "../scoring/network/neural-model.js";
import type { NetworkHeader } from "../scoring/network/shape.js";
import type { Confidence } from "../search/confidence/confidence.js";
import type { RootPosition } from "../systems/configuration.js";
import type { SystemSettings } from "../systems/settings.js";
import type { TransitionSystem } from "../systems/system.js";
import type { Scheme } from "../treebank/pseudo-projective.js";

/** Fields that the headers of transition-based and graph-based parsers share. */
export interface CommonHeader {
  /** A transition system, or "graph". */
  system: string;
  /**
   * Whether every tree gets exactly one root, which is the default; false if trees of the training data have several.
   */
  singleRoot?: boolean;
  /** All labels; elsewhere labels are indices into this list. */
  labels: string[];
  /** How non-projective trees were made projective for training, and are made non-projective again after parsing. */
  projectivized?: Scheme;
  /** The size of the network, if the weights are those of one. */
  network?: NetworkHeader;
  /** The beam width of training, which is the default for parsing; absent for a greedy parser. */
  beam?: number;
  /** How doubts become scores, fitted by fitConfidence. */
  confidence?: Confidence;
  /** Where the model comes from: training data with its hash, options, scores, licence. */
  origin: Record<string, unknown>;
}

/**
 * Everything about a transition-based parser but its weights: plain data, written as JSON into the model file.
 */
export interface ModelHeader extends CommonHeader {
  root: RootPosition;
  /** Settings of the system that are not as by default. */
  systemSettings?: SystemSettings;
  /** The text of the feature templates. */
  templates: string;
  /** Labels of arcs to the left and to the right in the training data. */
  leftLabels: number[];
  rightLabels: number[];
  /**
   * If the model was trained step by step: the score that corresponds to a logarithm of 1, to turn scores into
   * probabilities.
   */
  logUnit?: number;
}

/** The transition system of a parser. */
export function systemOf(header: ModelHeader): TransitionSystem {
  const { system, root, singleRoot = true } = header;
  return createSystem(system, { root, singleRoot, ...header.systemSettings });
}

/** The classes of a parser. */
export function classesOf(header: ModelHeader, system = systemOf(header)): Classes {
  const { labels, leftLabels, rightLabels } = header;
  return new Classes(system, labels.length, leftLabels, rightLabels);
}

/** The parts of a trained transition-based parser. */
export interface TrainedParser {
  readonly header: ModelHeader;
  readonly weights: LinearModel | NeuralModel;
}
