import type { Pipeline, SentenceJSON } from "@stemma/core";

/** Scripts of living languages by their names in Unicode, and what they are called where that is not the same. */
const NAMES: Readonly<Record<string, string>> = {
  Latin: "Latin",
  Greek: "Greek",
  Cyrillic: "Cyrillic",
  Armenian: "Armenian",
  Georgian: "Georgian",
  Hebrew: "Hebrew",
  Arabic: "Arabic",
  Syriac: "Syriac",
  Thaana: "Thaana",
  Devanagari: "Devanagari",
  Bengali: "Bengali",
  Gurmukhi: "Gurmukhi",
  Gujarati: "Gujarati",
  Oriya: "Odia",
  Tamil: "Tamil",
  Telugu: "Telugu",
  Kannada: "Kannada",
  Malayalam: "Malayalam",
  Sinhala: "Sinhala",
  Thai: "Thai",
  Lao: "Lao",
  Tibetan: "Tibetan",
  Myanmar: "Burmese",
  Khmer: "Khmer",
  Mongolian: "Mongolian",
  Ethiopic: "Ethiopic",
  Cherokee: "Cherokee",
  Hangul: "Korean",
  Han: "Chinese",
  Hiragana: "Japanese",
  Katakana: "Japanese",
};
const TESTS = Object.keys(NAMES).map((script) => [script, new RegExp(`\\p{Script=${script}}`, "u")] as const);
const LETTER = /\p{L}/u;
/** A script with fewer of a model's letters is that of names which text quotes. */
const SMALLEST_SHARE = 0.001;

const known = new Map<string, string>();

function scriptOf(letter: string): string {
  let script = known.get(letter);
  if (script === undefined) {
    script = TESTS.find(([, test]) => test.test(letter))?.[0] ?? "";
    known.set(letter, script);
  }
  return script;
}

function countScripts(forms: Iterable<string>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const form of forms) {
    for (const letter of form) {
      if (LETTER.test(letter)) counts.set(scriptOf(letter), (counts.get(scriptOf(letter)) ?? 0) + 1);
    }
  }
  return counts;
}

const seen = new WeakMap<object, ReadonlySet<string> | undefined>();

/** The scripts of the words that a model knows, but for single words; undefined if it does not tell. */
export function seenScripts({ model }: Pipeline): ReadonlySet<string> | undefined {
  if (!seen.has(model)) {
    const counts = [...countScripts(model.tagger?.header.words.flat() ?? [])];
    const least = SMALLEST_SHARE * counts.reduce((sum, [, count]) => sum + count, 0);
    const scripts = counts.filter(([, count]) => count >= least).map(([script]) => script);
    seen.set(model, scripts.length > 0 ? new Set(scripts) : undefined);
  }
  return seen.get(model);
}

/** The name of a script if most letters of a sentence are in it and the model never saw it. */
export function unseenScript({ words }: SentenceJSON, seen: ReadonlySet<string> | undefined): string | undefined {
  if (!seen) return undefined;
  const counts = [...countScripts(words.map(({ form }) => form))].sort((a, b) => b[1] - a[1]);
  const total = counts.reduce((sum, [, count]) => sum + count, 0);
  const unseen = counts.filter(([script]) => !seen.has(script));
  if (2 * unseen.reduce((sum, [, count]) => sum + count, 0) <= total) return undefined;
  return NAMES[unseen[0]![0]] ?? "this";
}
