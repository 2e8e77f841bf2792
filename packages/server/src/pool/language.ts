// The language of a request's text: whether the model is for it, and which one is.
import { covers, identifyLanguage, type Misfit, misfit, nameOfLanguage } from "@stemma/core/languages";
import type { PieceInput } from "../annotation/piece.js";
import { Problem } from "../http/problem.js";
import type { Models } from "./models.js";

/** The name that stands for the model that fits the text. */
export const AUTO = "auto";

type Inputs = AsyncIterable<PieceInput> | Iterable<PieceInput>;

/** The text that inputs begin with, and the same inputs from their beginning. */
export async function withBeginning(inputs: Inputs): Promise<[text: string, inputs: Inputs]> {
  const iterator = Symbol.asyncIterator in inputs ? inputs[Symbol.asyncIterator]() : inputs[Symbol.iterator]();
  const first = await iterator.next();
  if (first.done) return ["", []];
  const whole = (async function* () {
    try {
      yield first.value;
      for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value;
    } finally {
      await iterator.return?.();
    }
  })();
  return [textOf(first.value), whole];
}

/** Units of a piece that are looked at. */
const ENOUGH = 1000;

function textOf(input: PieceInput): string {
  switch (input.kind) {
    case "text":
      return input.text.slice(0, ENOUGH);
    case "documents":
      return input.texts[0]?.text.slice(0, ENOUGH) ?? "";
    case "sentences":
      return input.sentences.slice(0, 10).join(" ").slice(0, ENOUGH);
    case "tokens": {
      const words = input.sentences.slice(0, 10).flat().slice(0, ENOUGH);
      return words.map((word) => (typeof word === "string" ? word : word.form)).join(" ");
    }
    case "treebank": {
      const { buffer, byteOffset, length } = input.bytes;
      const start = Buffer.from(buffer, byteOffset, Math.min(length, 1 << 13)).toString("utf8");
      return [...start.matchAll(/^\d+\t([^\t]+)/gm)].map(([, form]) => form).join(" ");
    }
  }
}

/** A warning in an answer. */
export interface LanguageWarning {
  type: "language";
  detail: string;
  /** The code of the language that the text looks like, if it is known. */
  language?: string;
}

/** The warning if a text is not for a model, whose language may be unknown. */
export function languageWarning(text: string, language: string | undefined): LanguageWarning | undefined {
  const found: Misfit | undefined = language === undefined ? undefined : misfit(text, language);
  return found && { type: "language", detail: found.message, ...(found.found ? { language: found.found } : {}) };
}

/**
 * The name of the model that fits a text: one that is loaded, or one that would be, which is known by its name: es and
 * es-large are for Spanish.
 */
export function modelForText(text: string, models: Models, onDemand: readonly string[]): string {
  const served = [
    ...models.names.map((name, i) => ({ name, language: models.get(i).language })),
    ...onDemand.map((name) => ({ name, language: /^[a-z]{2,3}(?=-|$)/.exec(name)?.[0] })),
  ];
  const { language } = identifyLanguage(text);
  const fits = served.find((model) => language !== undefined && model.language && covers(model.language, language));
  if (fits) return fits.name;
  const looks =
    language === undefined ? "has no letters that tell its language" : `looks like ${nameOfLanguage(language)}`;
  const known = served.map(({ name, language }) => `${name}${language ? ` (${language})` : ""}`).join(", ");
  throw new Problem(422, "no-model-fits", `no model is for the text: it ${looks} (there are ${known})`, "model");
}
