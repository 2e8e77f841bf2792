import { basename } from "node:path";
import { isFeatureSet, ownSettings, systemNames } from "@stemma/core/systems";
import {
  completeSettings,
  type GivenTemplates,
  type OptionRule,
  PRESETS,
  type Preset,
  TRAINING_RULES,
  type TrainingOrigin,
} from "@stemma/core/training";
import type { Command } from "commander";
import { readTemplates } from "../options/features-option.js";
import { checkOptions } from "../options/option-rules.js";
import { settingRules } from "../options/system-options.js";
import { hashOf, type TrainingSentences } from "./data.js";
import { encoderPaths } from "./encoder.js";
import type { GivenTrainingOptions, TrainingOptions } from "./options.js";

/** The options with everything put in that was not given; those that would have no effect are refused. */
export function completeOptions(given: GivenTrainingOptions, command: Command): TrainingOptions {
  if (given.preset) applyPreset(given.preset, given, command);
  const { model } = given;
  if (model === undefined) command.error("error: required option '--model <file>' not specified");
  const complete = completeSettings(given);
  const hasSettings = systemNames().includes(complete.system);
  const systemSettings = hasSettings ? ownSettings(complete.system, { ...given }) : {};
  const options: TrainingOptions = {
    ...complete,
    ...(Object.keys(systemSettings).length > 0 ? { systemSettings } : {}),
    model: model!,
  };
  const isGiven = (name: string) => ["cli", "config"].includes(command.getOptionValueSource(name) ?? "");
  checkOptions([...settingRules(), ...TRAINING_RULES, ...addToRules(command)], options, isGiven);
  return options;
}

/** What --add-to goes with: nothing is trained but the roles. */
const WITH_ADD_TO = ["model", "dev", "config", "roles", "addTo", "partWeights", "seed", "json", "strict"];

function addToRules(command: Command): OptionRule<TrainingOptions>[] {
  const others = command.options
    .map((option) => option.attributeName())
    .filter((name) => !WITH_ADD_TO.includes(name))
    .map((option) => ({
      option,
      works: ({ addTo }: TrainingOptions) => addTo === undefined,
      needs: "a parser to train, without --add-to",
    }));
  return [{ option: "addTo", works: ({ roles }) => roles === true, needs: "--roles" }, ...others];
}

/** The feature templates of --features, if that is a file. */
export async function templatesOf({ features }: TrainingOptions): Promise<GivenTemplates | undefined> {
  if (features === undefined || isFeatureSet(features)) return undefined;
  return { text: await readTemplates(features), source: features };
}

/** What the model says of the files that it comes from. */
export async function originOf(
  { name, sha256 }: TrainingSentences,
  silver: TrainingSentences | undefined,
  { dev, features, vectors, vectorWords, encoder, licence }: TrainingOptions,
): Promise<TrainingOrigin> {
  return {
    treebank: { name, sha256 },
    dev: { name: dev && basename(dev) },
    ...(silver === undefined ? {} : { silver: { name: silver.name, sha256: silver.sha256 } }),
    templates: features && basename(features),
    ...(vectors === undefined
      ? {}
      : { vectors: { name: basename(vectors), sha256: await hashOf(vectors), words: vectorWords } }),
    ...(encoder === undefined ? {} : { encoder: await weightsOf(encoder) }),
    licence,
  };
}

/** Name and hash of the weights of an encoder. */
async function weightsOf(encoder: string): Promise<{ name: string; sha256: string }> {
  const { weights } = await encoderPaths(encoder);
  return { name: basename(weights), sha256: await hashOf(weights) };
}

/** Gives options that were not given the values of a preset. */
function applyPreset(preset: Preset, options: object, command: Command): void {
  for (const [name, value] of Object.entries(PRESETS[preset])) {
    if (!["cli", "config"].includes(command.getOptionValueSource(name) ?? ""))
      Object.assign(options, { [name]: value });
  }
}
