import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import {
  createSystem,
  defaultTemplates,
  defaultView,
  dynamicOracle,
  REGULARIZATION,
  STRUCTURED,
  type TrainOptions,
  UPDATES,
} from "@stemma/core";
import type { Command } from "commander";
import { fileError } from "../io.js";
import { checkOptions, TRAINING_RULES } from "../option-rules.js";
import { hashOf } from "./data.js";
import { NETWORK_DEFAULTS } from "./network.js";
import { EPOCHS, type GivenTrainingOptions, type TrainingOptions } from "./options.js";
import { applyPreset } from "./presets.js";

/** The options with everything put in that was not given; those that would have no effect are refused. */
export function completeOptions(given: GivenTrainingOptions, command: Command): TrainingOptions {
  if (given.preset) applyPreset(given.preset, given, command);
  const { model, system, network, oracle, epochs } = given;
  if (model === undefined) command.error("error: required option '--model <file>' not specified");
  const options: TrainingOptions = {
    ...given,
    model: model!,
    oracle: oracle ?? (dynamicOracle(createSystem(system)) ? "dynamic" : "static"),
    epochs: epochs ?? (network ? NETWORK_DEFAULTS.epochs : EPOCHS),
  };
  const isGiven = (name: string) => ["cli", "config"].includes(command.getOptionValueSource(name) ?? "");
  checkOptions(TRAINING_RULES, options, isGiven);
  return options;
}

/** What the core is told. */
export async function settingsOf(options: TrainingOptions): Promise<TrainOptions> {
  const { learner, network } = options;
  const structured = options.beam !== undefined && !network;
  const { prune: _, ...regularization } = network ? { prune: 0 } : REGULARIZATION[learner];
  const given = <Name extends keyof TrainingOptions>(name: Name) =>
    options[name] === undefined ? {} : { [name]: options[name] };
  return {
    system: options.system,
    root: options.root,
    regime: options.oracle,
    ...given("degree"),
    ...(options.lazy ? { lazy: true } : {}),
    templates: await templatesOf(options),
    ...(options.features === undefined ? {} : { templatesSource: options.features }),
    epochs: options.epochs,
    seed: options.seed,
    members: options.members,
    exploreFrom: options.exploreFrom,
    exploreProbability: options.exploreProbability,
    lossBound: options.lossBound ?? Number.POSITIVE_INFINITY,
    afterUpdate: options.afterUpdate,
    ...(network ? {} : { learner }),
    ...(structured ? STRUCTURED : regularization),
    ...given("beam"),
    ...(structured ? { update: options.update ?? UPDATES[0] } : {}),
    ...(options.lowestLoss ? { lowestLoss: true } : {}),
    ...given("margin"),
    ...given("rate"),
    ...given("minUpdates"),
    ...given("wordDropout"),
    ...given("featureDropout"),
    ...given("projectivize"),
    ...given("prune"),
  };
}

async function templatesOf({ features, network, system }: TrainingOptions): Promise<string> {
  if (features === undefined) return network ? defaultView(system) : defaultTemplates(system);
  try {
    return await readFile(features, "utf8");
  } catch (error) {
    throw fileError("read the feature templates", features, error);
  }
}

/** What the result of a network depends on besides the options of all models; not the threads. */
export async function networkSettingsOf(options: TrainingOptions): Promise<object | undefined> {
  const { network, layers, width, hidden, dropout, vectors, vectorWords } = options;
  if (!network) return undefined;
  const sizes = { network: true, layers, width, hidden, dropout };
  if (vectors === undefined) return sizes;
  return { ...sizes, vectors: { name: basename(vectors), sha256: await hashOf(vectors), words: vectorWords } };
}
