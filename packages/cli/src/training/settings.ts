import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { completeSettings, PRESETS, type Preset, type TrainOptions, trainOptionsOf } from "@stemma/core/training";
import type { Command } from "commander";
import { fileError } from "../io.js";
import { checkOptions, TRAINING_RULES } from "../option-rules.js";
import { hashOf } from "./data.js";
import { encoderPaths } from "./encoder.js";
import type { GivenTrainingOptions, TrainingOptions } from "./options.js";

/** The options with everything put in that was not given; those that would have no effect are refused. */
export function completeOptions(given: GivenTrainingOptions, command: Command): TrainingOptions {
  if (given.preset) applyPreset(given.preset, given, command);
  const { model } = given;
  if (model === undefined) command.error("error: required option '--model <file>' not specified");
  const options: TrainingOptions = { ...completeSettings(given), model: model! };
  const isGiven = (name: string) => ["cli", "config"].includes(command.getOptionValueSource(name) ?? "");
  checkOptions(TRAINING_RULES, options, isGiven);
  return options;
}

/** What the core is told. */
export async function settingsOf(options: TrainingOptions): Promise<TrainOptions> {
  const { features } = options;
  if (features === undefined) return trainOptionsOf(options);
  const text = await readFile(features, "utf8").catch((error: Error) => {
    throw fileError("read the feature templates", features, error);
  });
  return trainOptionsOf(options, { text, source: features });
}

/** What the result of a network depends on besides the options of all models; not the threads. */
export async function networkSettingsOf(options: TrainingOptions): Promise<object | undefined> {
  const { network, layers, width, hidden, dropout, vectors, vectorWords } = options;
  const { encoder, encoderLayers } = options;
  if (!network) return undefined;
  const settings: Record<string, unknown> = { network: true, layers, width, hidden, dropout };
  if (vectors !== undefined)
    settings.vectors = { name: basename(vectors), sha256: await hashOf(vectors), words: vectorWords };
  if (encoder !== undefined) {
    const { weights } = await encoderPaths(encoder);
    settings.encoder = { name: basename(weights), sha256: await hashOf(weights), layers: encoderLayers };
  }
  return settings;
}

/** Gives options that were not given the values of a preset. */
function applyPreset(preset: Preset, options: object, command: Command): void {
  for (const [name, value] of Object.entries(PRESETS[preset])) {
    if (!["cli", "config"].includes(command.getOptionValueSource(name) ?? ""))
      Object.assign(options, { [name]: value });
  }
}
