import { readFile } from "node:fs/promises";
import { ModelFileError, type ParserModel, readModel } from "@stemma/core";
import { FileError } from "./io.js";

/** The model of a file; what is wrong with it becomes a FileError. */
export async function loadModel(path: string): Promise<ParserModel> {
  let bytes: Uint8Array;
  try {
    bytes = await readFile(path);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new FileError(`${path}: cannot read: ${code === "ENOENT" ? "no such file or directory" : message}`);
  }
  try {
    return readModel(bytes, path);
  } catch (error) {
    throw error instanceof ModelFileError ? new FileError(error.message) : error;
  }
}
