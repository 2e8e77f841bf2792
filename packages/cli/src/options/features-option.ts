import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { FEATURE_SETS, featureTemplates, isFeatureSet, NETWORK_VIEWS } from "@stemma/core/systems";
import type { Command } from "commander";
import { FileError, fileError } from "../files/io.js";

/** Adds --features to a command. */
export function addFeaturesOption(command: Command): Command {
  return command.option(
    "--features <set>",
    "feature templates: a file, or default, zhang-nivre, huang-sagae or two-words, which can be added to, as in default+history; network: chen-manning",
  );
}

/** The file of templates of --features; undefined if that is the name of a set or not given. */
export function featuresFile(features: string | undefined): string | undefined {
  return features === undefined || isFeatureSet(features) ? undefined : features;
}

/** --features as a file of options gives it, whose paths start from a folder. */
export function featuresFrom(folder: string, features: string): string {
  return isFeatureSet(features) ? features : resolve(folder, features);
}

/** The text of --features for a system. */
export async function featuresOf(system: string, features = "default"): Promise<string> {
  if (!isFeatureSet(features)) return readTemplates(features);
  try {
    return featureTemplates(system, features);
  } catch (error) {
    throw new FileError((error as Error).message);
  }
}

/** Reads a file of templates. */
export async function readTemplates(file: string): Promise<string> {
  return readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw fileError("read the feature templates", file, error);
    throw new FileError(
      `${file}: no such file of feature templates (expected one, or ${[...FEATURE_SETS, ...NETWORK_VIEWS].join(", ")})`,
    );
  });
}
