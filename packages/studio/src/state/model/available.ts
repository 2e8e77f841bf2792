// The models that one can choose from: those beside the page, and those that were opened before.

import { computed, signal } from "@preact/signals";
import type { ParseResult } from "../../protocol/sentence.js";
import { type Example, exampleIn } from "../address/examples.js";
import { all } from "../storage/database.js";

/** A model that lies beside the page. */
export interface AvailableModel {
  name: string;
  /** Its address, from that of the page. */
  file: string;
  bytes: number;
  /** Its trees of the text that the page begins with, so that the first one does not wait for its bytes. */
  first?: { text: string; parsed: ParseResult };
}

/** Beside the page; the first one is loaded if none is chosen. */
export const beside = signal<readonly AvailableModel[]>([]);
/** The names of those that the browser keeps. */
export const kept = signal<readonly string[]>([]);
/** The names of those that the browser keeps and that do not lie beside the page. */
export const keptOnly = computed(() => kept.value.filter((name) => !beside.value.some((model) => model.name === name)));
/** Whether there is more than one model to choose from. */
export const hasChoice = computed(() => beside.value.length + keptOnly.value.length > 1);

let reading: Promise<void> | undefined;

/** Reads the list of models beside the page, once. Without a list there is the one that the page begins with. */
export function readAvailable(): Promise<void> {
  reading ??= (async () => {
    try {
      const answer = await fetch("models.json");
      if (answer.ok) beside.value = (await answer.json()) as AvailableModel[];
    } catch {
      // Nothing to choose from.
    }
  })();
  return reading;
}

export async function readKept(): Promise<void> {
  const models = await all("models").catch(() => []);
  kept.value = models.map(({ key }) => key);
}

/** The code of the language in the name of a model (en.stemma, el-large.stemma), and what else the name says. */
function partsOf(name: string): [code?: string, rest?: string] {
  const [, code, rest] = /^([a-z]{2,3})(?:[-_](.+))?\.stemma$/.exec(name) ?? [];
  return code ? [code, rest] : [];
}

/** The example in the language of a model, by the name of the model. */
export const exampleFor = (name: string | undefined): Example | undefined => exampleIn(partsOf(name ?? "")[0]);

/** The language of a model by its name, with what else the name says; or the name. */
export function titleOf(name: string): string {
  const [code, rest = ""] = partsOf(name);
  if (!code) return name;
  const language = new Intl.DisplayNames(["en"], { type: "language" }).of(code);
  if (!language || language === code) return name;
  return rest === "" ? language : `${language} (${rest})`;
}
