import { check, STRING } from "../checks/options.js";
import { holding } from "../checks/shapes.js";
import type { PipelineModel } from "../pipeline/pipeline-model.js";
import { covers, identifyLanguage, isFarFrom, type LanguageGuess, scriptsFor } from "./identify.js";

/** A text that a model was not made for. */
export interface Misfit {
  /** The language of the model. */
  readonly model: string;
  /** The language that the text looks like; undefined if its script is that of no language that is known. */
  readonly found: string | undefined;
  /** The script of the text. */
  readonly script: string | undefined;
  /** A sentence for people. */
  readonly message: string;
}

/**
 * The code of the language that a model is for: as `stemma train --language` has recorded it, or as the file of its
 * treebank begins (en_ewt-ud-train.conllu); undefined if neither tells.
 *
 * @param model what `load` has made a pipeline of: `pipeline.model`
 */
export function languageOf(model: Pick<PipelineModel, "origin">): string | undefined {
  check("model", model, holding("a PipelineModel", "origin"));
  const { language, treebank } = model.origin as { language?: unknown; treebank?: { name?: unknown } };
  if (typeof language === "string") return language;
  return /^([a-z]{2,3})_/.exec(String(treebank?.name ?? ""))?.[1];
}

/**
 * Why a text is not for a model, if it is not: it has another script, or its letters are surely not those of the
 * model's language. Undefined if it may be, or if it is not known what the model is for.
 *
 * @example
 * ```ts
 * import { load } from "@stemma/core";
 * import { misfit } from "@stemma/core/languages";
 * import model from "@stemma/model-en";
 *
 * const { model: english } = await load(model);
 * console.log(misfit("הטחנה הישנה עומדת ליד הנהר.", english)?.message);
 * ```
 *
 * @param text a sentence or more; the first 2,000 characters are looked at
 * @param model what `load` has made a pipeline of, or the code of a language
 */
export function misfit(text: string, model: Pick<PipelineModel, "origin"> | string): Misfit | undefined {
  check("text", text, STRING);
  const own = typeof model === "string" ? model : languageOf(model);
  const scripts = own === undefined ? undefined : scriptsFor(own);
  if (own === undefined || scripts === undefined) return undefined;
  const guess = identifyLanguage(text);
  const { script, language } = guess;
  if (script === undefined) return undefined;
  const isForeign = !scripts.includes(script) && !sharesScript(scripts, script);
  if (!isForeign && (language === undefined || covers(own, language) || !isFarFrom(text, own))) return undefined;
  return { model: own, found: language, script, message: messageOf(own, guess, isForeign) };
}

/** Chinese characters alone may be a heading in Japanese. */
function sharesScript(scripts: readonly string[], script: string): boolean {
  return script === "Han" && scripts.includes("Japanese");
}

function messageOf(own: string, { language, script, isSure, candidates }: LanguageGuess, isForeign: boolean): string {
  let like = `a language that is written in ${script} letters`;
  if (language !== undefined && (isSure || candidates.length === 1)) like = nameOfLanguage(language);
  else if (language !== undefined && !isForeign) like = `${nameOfLanguage(language)} or a language near it`;
  const because = isForeign && language !== undefined && isSure ? ` (${script} letters)` : "";
  const worth = isSure || isForeign ? "mean nothing" : "may mean nothing";
  return `the text looks like ${like}${because}, and the model is for ${nameOfLanguage(own)}: its trees ${worth}`;
}

/** The English name of a language by its code; the code if it has none. */
export function nameOfLanguage(language: string): string {
  const { Intl: names } = globalThis as {
    Intl?: { DisplayNames?: new (locales: string[], options: object) => { of(code: string): string | undefined } };
  };
  try {
    return (names?.DisplayNames && new names.DisplayNames(["en"], { type: "language" }).of(language)) ?? language;
  } catch {
    return language;
  }
}
