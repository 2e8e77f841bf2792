// The model that fits a text: --model auto.
import { constants, gunzipSync } from "node:zlib";
import { covers, identifyLanguage, languageOf, nameOfLanguage } from "@stemma/core/languages";
import { DEFAULT_FIELDS, TEXT_FORMATS, type TextFormat } from "@stemma/server/annotation";
import { type InstalledModel, installedModels } from "../files/installed.js";
import { beginningOfInput, FileError } from "../files/io.js";
import { note, warn } from "../terminal/messages.js";
import { type Input, sniffed, withFormat } from "./inputs.js";

/** Bytes of an input that are looked at. */
const ENOUGH = 1 << 13;
/** Whoever writes to a pipe may wait for an answer. */
const ENOUGH_OF_A_PIPE = 500;

/** The name of the installed model that fits the inputs; a FileError if none does. */
export async function autoModel(inputs: readonly Input[], textField = DEFAULT_FIELDS.text): Promise<string> {
  let text = "";
  for (const input of inputs) {
    text += `${await beginningOf(input, textField)}\n`;
    if (text.length >= ENOUGH) break;
  }
  const installed = installedModels().map((model) => ({ ...model, language: languageOf(model) }));
  const has = installed.length === 0 ? "none" : installed.map(({ name }) => name).join(", ");
  const { language, isSure, script, candidates } = identifyLanguage(text);
  if (language === undefined) {
    const what = script === undefined ? "there are no letters in the text" : `no known language has ${script} letters`;
    throw new FileError(`invalid --model auto: ${what} (expected text; or give a model: ${has})`);
  }
  const forLanguage = (one: string) =>
    bestOf(installed.filter((model) => model.language && covers(model.language, one)));
  const best = forLanguage(language);
  if (best) {
    if (isSure) note(`model: ${best.name} (the text looks like ${nameOfLanguage(language)})`);
    else {
      const second = candidates[1];
      const or = second ? ` or ${nameOfLanguage(second.language)}` : "";
      warn(
        `model: ${best.name}, which is not sure: the text looks like ${nameOfLanguage(language)}${or} (--model NAME says it)`,
      );
    }
    return best.name;
  }
  const looks = `the text looks like ${nameOfLanguage(language)}${isSure ? "" : ", which is not sure"}`;
  throw new FileError(`invalid --model auto: ${looks}, and no installed model is for it (installed: ${has})`);
}

/** Of several models for a language the one that is named after it, or else the first. */
function bestOf<Model extends InstalledModel & { language: string | undefined }>(
  models: readonly Model[],
): Model | undefined {
  return models.find(({ name, language }) => name === language) ?? models[0];
}

/** Text from the beginning of an input, which can be read again. */
async function beginningOf(input: Input, textField: string): Promise<string> {
  if (input.text !== undefined) return input.text;
  if (input.path === "-") {
    const bytes = await beginningOfInput(ENOUGH_OF_A_PIPE);
    const start = (bytes[0] === 0x1f ? gunzipSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH }) : bytes).toString(
      "utf8",
    );
    return textIn(start, input.format ?? sniffed(start), textField);
  }
  const { format, chunks } = await withFormat(input);
  const start: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    start.push(chunk);
    length += chunk.length;
    if (length >= ENOUGH) break;
  }
  return textIn(Buffer.concat(start).toString("utf8"), format, textField);
}

/** The words of what is in a file, by its format. */
function textIn(start: string, format: string, textField: string): string {
  if (TEXT_FORMATS.includes(format as TextFormat)) return start;
  if (format === "jsonl") {
    return start
      .split("\n")
      .slice(0, -1)
      .map((line) => stringAt(line, textField))
      .join("\n");
  }
  return [...start.matchAll(/^\d+\t([^\t]+)/gm)].map(([, form]) => form).join(" ");
}

function stringAt(line: string, field: string): string {
  try {
    const value = field
      .split(".")
      .reduce((found: unknown, name) => (found as Record<string, unknown>)?.[name], JSON.parse(line));
    return typeof value === "string" ? value : "";
  } catch {
    return "";
  }
}
