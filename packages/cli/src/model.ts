import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import "@stemma/core/encoder";
import "@stemma/core/roles";
import { ModelFileError, type PipelineModel, readModel } from "@stemma/core";
import { FileError, fileError } from "./io.js";

/** The model of a file, or the one that ships; what is wrong with it becomes a FileError. */
export async function loadModel(path?: string): Promise<PipelineModel> {
  const file = path ?? shippedModel();
  let bytes: Uint8Array;
  try {
    bytes = await readFile(file);
  } catch (error) {
    throw fileError("read", file, error);
  }
  try {
    return readModel(bytes, file);
  } catch (error) {
    throw error instanceof ModelFileError ? new FileError(error.message) : error;
  }
}

/** The path of the English model. */
export function shippedModel(): string {
  return fileURLToPath(import.meta.resolve("@stemma/model-en/en.stemma"));
}
