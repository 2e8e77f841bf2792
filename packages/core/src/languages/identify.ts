import { check, checkOptions, STRING } from "../checks/options.js";
import { STRINGS } from "../checks/shapes.js";
import { gramsOf, lettersOf } from "./grams.js";
import { PROFILES } from "./profiles.js";
import { scriptsOf } from "./scripts.js";

/** The language that a text looks like. */
export interface LanguageGuess {
  /** Its code (ISO 639); undefined if there are no letters, or none of a script that is known. */
  readonly language: string | undefined;
  /** Whether the text is long enough, far from other languages, and as near to this one as its own texts are. */
  readonly isSure: boolean;
  /** The script of most of its letters, by Unicode's name, if it has letters. */
  readonly script: string | undefined;
  /** Languages of this script, the likeliest first; a higher cost (nats for each string of letters) is less likely. */
  readonly candidates: readonly { readonly language: string; readonly cost: number }[];
}

/** The cost of a string of letters that a language does not have among its frequent ones (nats). */
export const MOST_COST = 12;
/** Costs are stored in steps. */
export const COST_STEP = 0.5;
/** Strings of a shorter text tell too little. */
const FEWEST_GRAMS = 60;
/** Distance from the second language to be sure (nats); strings overlap, so that it is less than it looks. */
const SURE_DISTANCE = 80;
/**
 * To be sure that a text is not in a language: the fewest strings, and the distance from it to the nearest (nats), of
 * all strings and of each; by the latter neighbours such as Danish and Norwegian are not far from each other.
 */
const FEWEST_GRAMS_TO_REFUSE = 40;
const FAR = 50;
const FAR_EACH = 0.25;
/** Costs of short texts vary more: so much for a text of one string, less with the root of their number. */
const SPREAD = 4;

interface Profile {
  readonly language: string;
  readonly script: string;
  /** The cost of texts of the language hardly exceeds this. */
  readonly limit: number;
}

const ALL_PROFILES: readonly Profile[] = Object.entries(PROFILES).map(([name, { script, limit }]) => {
  return { language: codeOf(name), script, limit };
});

/** Rows of costs, in steps, by strings of letters; a row has a number for each profile. */
interface Costs {
  readonly rows: ReadonlyMap<string, number>;
  readonly steps: Uint8Array;
}

let allCosts: Costs | undefined;

/** The costs, taken apart when they are first needed. One row for all languages makes one search out of dozens. */
function costs(): Costs {
  if (allCosts !== undefined) return allCosts;
  const rows = new Map<string, number>();
  const steps: number[] = [];
  for (const [k, { grams }] of Object.values(PROFILES).entries()) {
    // From the most frequent ones on, each step in a piece of its own.
    for (const [step, some] of grams.split("|").entries()) {
      for (const gram of some.split(" ")) {
        if (gram === "") continue;
        let row = rows.get(gram);
        if (row === undefined) {
          row = steps.length;
          rows.set(gram, row);
          for (const _ of ALL_PROFILES) steps.push(MOST_COST / COST_STEP);
        }
        steps[row + k] = step;
      }
    }
  }
  allCosts = { rows, steps: Uint8Array.from(steps) };
  return allCosts;
}

/** The code of the language of a profile: "sr" of "sr-Latin". */
function codeOf(name: string): string {
  return name.replace(/-.*/, "");
}

/** The codes of the languages that are known. */
export const LANGUAGES: readonly string[] = [...new Set(Object.keys(PROFILES).map(codeOf))];

/**
 * The language of a text by its script and its letters (the first 2,000 characters): how frequent the strings of up to
 * four letters, and the short words, are in each language.
 *
 * @example
 * ```ts
 * import { identifyLanguage } from "@stemma/core/languages";
 *
 * const { language, isSure } = identifyLanguage("Die alte Mühle steht seit Jahren still, und niemand weiß warum.");
 * console.log(language, isSure); // "de", true
 * ```
 *
 * @param text a sentence or more
 * @param options `among`: the codes of the languages that come into question; all that are known if not given
 */
export function identifyLanguage(text: string, options: { among?: readonly string[] | undefined } = {}): LanguageGuess {
  check("text", text, STRING);
  checkOptions("identifyLanguage", options, { among: STRINGS });
  const { script, count, candidates } = costsOf(text, options.among);
  const [first, second] = candidates;
  const isSure =
    first !== undefined &&
    count >= FEWEST_GRAMS &&
    first.cost <= first.limit + SPREAD / Math.sqrt(count) &&
    (second === undefined || count * (second.cost - first.cost) >= SURE_DISTANCE);
  const list = candidates.map(({ language, cost }) => ({ language, cost }));
  return { language: first?.language, isSure, script, candidates: list };
}

/**
 * Whether a text is surely not in a language of its script, whatever else it is in: some other language is far nearer.
 * That takes less text than to tell its neighbours apart.
 */
export function isFarFrom(text: string, language: string): boolean {
  const { count, candidates } = costsOf(text);
  const [first] = candidates;
  const own = candidates.find((candidate) => covers(language, candidate.language));
  if (!first || !own || count < FEWEST_GRAMS_TO_REFUSE) return false;
  return own.cost - first.cost >= Math.max(FAR / count, FAR_EACH);
}

/** The languages that come into question for a text, the nearest first, and the number of strings looked at. */
function costsOf(text: string, among?: readonly string[]) {
  const [script] = scriptsOf(text);
  const asked = new Set(among?.flatMap((language) => [language, ...(VARIETIES[language] ?? [])]));
  const known = [...ALL_PROFILES.keys()].filter((k) => {
    const profile = ALL_PROFILES[k]!;
    return profile.script === script && (!among || asked.has(profile.language));
  });
  const { rows, steps } = costs();
  const sums = new Float64Array(known.length);
  let count = 0;
  for (const gram of gramsOf(lettersOf(text))) {
    count++;
    const row = rows.get(gram);
    for (let k = 0; k < known.length; k++)
      sums[k]! += row === undefined ? MOST_COST : COST_STEP * steps[row + known[k]!]!;
  }
  const candidates = known
    .map((profile, k) => ({ ...ALL_PROFILES[profile]!, cost: sums[k]! / Math.max(1, count) }))
    .sort((a, b) => a.cost - b.cost);
  return { script, count, candidates };
}

/** Languages that have two standards with different spellings, or are written as one here and two there. */
const VARIETIES: Readonly<Record<string, readonly string[]>> = { no: ["nb", "nn"], sh: ["hr", "sr"] };

/** Whether a model for one language is for another one, too: that for Norwegian is for Bokmål and Nynorsk. */
export function covers(language: string, other: string): boolean {
  return language === other || (VARIETIES[language]?.includes(other) ?? false);
}

/** The scripts that a language is written in; undefined if it is not known. */
export function scriptsFor(language: string): readonly string[] | undefined {
  const all = ALL_PROFILES.filter((profile) => covers(language, profile.language));
  return all.length > 0 ? all.map(({ script }) => script) : undefined;
}
