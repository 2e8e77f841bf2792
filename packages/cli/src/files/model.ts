import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { loadModel as load, ModelFileError, type PipelineModel } from "@stemma/core";
import { installedModels } from "./installed.js";
import { FileError, fileError } from "./io.js";

/** The model of a file or of a package, or the one that ships; what is wrong with it becomes a FileError. */
export async function loadModel(model?: string): Promise<PipelineModel> {
  const file = modelFile(model);
  let bytes: Uint8Array;
  try {
    bytes = await readFile(file);
  } catch (error) {
    throw fileError("read", file, error);
  }
  try {
    return await load(bytes, file);
  } catch (error) {
    throw error instanceof ModelFileError ? new FileError(error.message) : error;
  }
}

/** The name that stands for the installed model that fits a text. */
export const AUTO = "auto";

/** Several models that vote on every tree, each as much as its weight says. */
export async function loadCombination(files: readonly string[], weights?: readonly number[]): Promise<PipelineModel> {
  const models: PipelineModel[] = [];
  for (const file of files) models.push(await loadModel(file));
  const { combineModels } = await import("@stemma/core/combination");
  try {
    return combineModels(models, weights);
  } catch (error) {
    throw new FileError(`${files.join(" + ")}: ${(error as Error).message}`);
  }
}

/** The name of a model that is in a package: en-large is in @stemma/model-en-large. */
const PACKAGED = /^[a-z]{2,3}(-[a-z]+)*$/;

/** The path of a model that is given by its file or the name of its package; without either, of the one that ships. */
export function modelFile(model = "en"): string {
  if (!PACKAGED.test(model) || (model !== "en" && existsSync(model))) return model;
  const name = `@stemma/model-${model}`;
  const file = `${name}/${model}.stemma`;
  // Beside this program, or in the project that it is used in.
  const resolvers = [
    () => fileURLToPath(import.meta.resolve(file)),
    () => createRequire(join(process.cwd(), "project.js")).resolve(file),
  ];
  for (const resolve of resolvers) {
    try {
      const path = resolve();
      if (existsSync(path) || model === "en") return path;
      throw new FileError(`${path}: not there (in a clone of the repository: npm run train:model-${model})`);
    } catch (error) {
      if (error instanceof FileError) throw error;
    }
  }
  if (model === AUTO)
    throw new FileError(`invalid model: ${AUTO} (expected a file or a name: only stemma parse chooses by the text)`);
  // The code of a language also stands for the only model that is for it.
  const forLanguage = installedModels().filter(({ name }) => name.startsWith(`${model}-`));
  if (forLanguage.length === 1) return forLanguage[0]!.file;
  if (forLanguage.length > 1) {
    throw new FileError(
      `${model}: several models are for it (expected one of ${forLanguage.map(({ name }) => name).join(", ")})`,
    );
  }
  throw new FileError(`${model}: no such file, and no package ${name} (npm install ${name}, or give a model file)`);
}
