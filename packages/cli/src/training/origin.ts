import { basename } from "node:path";
import { isFeatureSet } from "@stemma/core/systems";
import type { GivenTemplates, TrainingOrigin } from "@stemma/core/training";
import { readTemplates } from "../options/features-option.js";
import { hashOf, type TrainingSentences } from "./data.js";
import { encoderPaths } from "./encoder.js";
import type { TrainingOptions } from "./options.js";

/** The feature templates of --features, if that is a file. */
export async function templatesOf({ settings: { features } }: TrainingOptions): Promise<GivenTemplates | undefined> {
  if (features === undefined || isFeatureSet(features)) return undefined;
  return { text: await readTemplates(features), source: features };
}

/** The files that the model comes from, as it names them. */
export async function originOf(
  { name, sha256 }: TrainingSentences,
  silver: TrainingSentences | undefined,
  { dev, vectors, vectorWords, encoder, licence, language, settings: { features } }: TrainingOptions,
): Promise<TrainingOrigin> {
  return {
    treebank: { name, sha256 },
    dev: { name: dev && basename(dev) },
    ...(silver === undefined ? {} : { silver: { name: silver.name, sha256: silver.sha256 } }),
    templates: features && basename(features),
    ...(vectors === undefined
      ? {}
      : { vectors: { name: basename(vectors), sha256: await hashOf(vectors), words: vectorWords! } }),
    ...(encoder === undefined ? {} : { encoder: await weightsOf(encoder) }),
    licence,
    ...(language === undefined ? {} : { language }),
  };
}

/** Name and hash of the weights of an encoder. */
async function weightsOf(encoder: string): Promise<{ name: string; sha256: string }> {
  const { weights } = await encoderPaths(encoder);
  return { name: basename(weights), sha256: await hashOf(weights) };
}
