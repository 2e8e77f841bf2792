import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import type { Command, Option } from "commander";
import { FileError, fileError } from "../files/io.js";
import { featuresFrom } from "../options/features-option.js";

/** Options that belong to a run, not to what is trained. */
const NOT_IN_FILES = ["config", "resume", "json", "strict", "quiet", "help"];
const PATHS = ["model", "dev", "silver", "vectors", "encoder"];

/**
 * Reads options from a JSON file, {"system": "arc-eager", "lossBound": 5, …}: each is checked as on the command line,
 * and counts if it is not given there. Paths start from the folder of the file. Returns the files in "train".
 */
export async function applyConfig(path: string, command: Command): Promise<string[]> {
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
  const known = new Map(command.options.map((option) => [option.attributeName(), option]));
  for (const name of NOT_IN_FILES) known.delete(name);
  const folder = dirname(path);
  let files: string[] = [];
  for (const [name, value] of Object.entries(values)) {
    const fail = (expected: string): never => {
      throw new FileError(`${path}: invalid ${name}: ${JSON.stringify(value)} (expected ${expected})`);
    };
    if (name === "train") {
      files = [value].flat().map((file) => (typeof file === "string" ? resolve(folder, file) : fail("files")));
      continue;
    }
    const option = known.get(name);
    if (!option) {
      throw new FileError(`${path}: unknown field: ${name} (expected ${["train", ...known.keys()].join(", ")})`);
    }
    if (command.getOptionValueSource(name) === "cli") continue;
    command.setOptionValueWithSource(name, checkedValue(option, value, folder, fail), "config");
  }
  return files;
}

function checkedValue(option: Option, value: unknown, folder: string, fail: (expected: string) => never): unknown {
  if (option.isBoolean()) return typeof value === "boolean" ? value : fail("true or false");
  if (typeof value !== "string" && typeof value !== "number") return fail("text or a number");
  if (option.attributeName() === "features") return featuresFrom(folder, String(value));
  if (PATHS.includes(option.attributeName())) return resolve(folder, String(value));
  const { argChoices, parseArg } = option;
  if (argChoices && !argChoices.includes(String(value))) return fail(`one of ${argChoices.join(", ")}`);
  if (argChoices || !parseArg) return String(value);
  try {
    return parseArg(String(value), undefined);
  } catch (error) {
    return fail((error as Error).message.replace(/^expected /, ""));
  }
}
