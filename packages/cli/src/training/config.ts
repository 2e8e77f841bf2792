import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import type { Setting } from "@stemma/core/training";
import { FileError, fileError } from "../files/io.js";
import { featuresFrom } from "../options/features-option.js";
import { threadCount } from "../options/threads.js";
import { commandSettings } from "./schema.js";

/** Options that belong to a run, not to what is trained. */
const NOT_IN_FILES = ["config", "resume", "json", "strict"];

/**
 * Reads options from a JSON file, {"system": "arc-eager", "lossBound": 5, …}; paths start from the folder of the file.
 * Also returns the files in "train".
 */
export async function readConfig(path: string): Promise<{ files: string[]; given: Record<string, unknown> }> {
  const text = await readFile(path, "utf8").catch((error: Error) => {
    throw fileError("read", path, error);
  });
  let values: unknown;
  try {
    values = JSON.parse(text);
  } catch (error) {
    throw new FileError(`${path}: not JSON: ${(error as Error).message}`);
  }
  if (typeof values !== "object" || values === null || Array.isArray(values))
    throw new FileError(`${path}: invalid configuration: ${text.trim().slice(0, 40)} (expected an object)`);
  const settings = new Map(commandSettings().filter(([name]) => !NOT_IN_FILES.includes(name)));
  const folder = dirname(path);
  const given: Record<string, unknown> = {};
  let files: string[] = [];
  for (const [name, value] of Object.entries(values)) {
    const fail = (expected: string): never => {
      throw new FileError(`${path}: invalid ${name}: ${JSON.stringify(value)} (expected ${expected})`);
    };
    if (name === "train") {
      files = [value].flat().map((file) => (typeof file === "string" ? resolve(folder, file) : fail("files")));
    } else if (settings.has(name)) given[name] = fieldValue(name, settings.get(name)!, value, folder, fail);
    else throw new FileError(`${path}: unknown field: ${name} (expected ${["train", ...settings.keys()].join(", ")})`);
  }
  return { files, given };
}

/** The value of a setting in a file of settings, whose paths start from its folder. */
export function fieldValue(
  name: string,
  { kind, choices, accepts, expected }: Setting,
  value: unknown,
  folder: string,
  fail: (expected: string) => never,
): unknown {
  if (kind === "file") return typeof value === "string" ? resolve(folder, value) : fail("a file");
  if (choices && !choices.includes(value as string)) return fail(`one of ${choices.join(", ")}`);
  if (!accepts(value)) return fail(expected);
  if (name === "features") return featuresFrom(folder, value as string);
  return name === "threads" ? threadCount(String(value)) : value;
}
