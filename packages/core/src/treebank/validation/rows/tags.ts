// Level 2: UPOS and FEATS, each for itself, and their facts that other rules ask for.

import { UNIVERSAL_TAGS } from "../../universal.js";
import type { Rule } from "../violation.js";
import { remembered } from "./remembered.js";

/** UPOS and FEATS of a word. */
export interface Tags {
  readonly upos: string;
  readonly feats: string;
  readonly isKnown: boolean;
  /** The part of speech that the word stands for: the first one of a fixed expression does for the whole. */
  readonly external: string;
  readonly isNegative: boolean;
  readonly isPossessive: boolean;
  readonly isTypo: boolean;
  /** The name of a feature of verbs that the part of speech cannot have. */
  readonly verbal: string | undefined;
  readonly problems: readonly (readonly [rule: Rule, message: string])[];
}

/** Parts of speech that inflect in no language, and features of verbs. */
const UNINFLECTED = new Set("PUNCT SYM ADP CCONJ SCONJ INTJ".split(" "));
const VERBAL = /(?:^|\|)(Tense|Mood|VerbForm|Aspect|Voice)=/;

/** The tags in "UPOS\tXPOS\tFEATS". */
export const tagsOf = remembered((columns): Tags => {
  const [upos, , feats] = columns.split("\t") as [string, string, string];
  const has = (feature: string) => feats.split("|").find((own) => own.startsWith(`${feature}=`));
  return {
    upos,
    feats,
    isKnown: UNIVERSAL_TAGS.has(upos),
    external: has("ExtPos")?.slice("ExtPos=".length) ?? upos,
    isNegative: has("Polarity") === "Polarity=Neg" && (upos === "PART" || upos === "ADV"),
    isPossessive: has("Poss") === "Poss=Yes",
    isTypo: has("Typo") === "Typo=Yes",
    verbal: UNINFLECTED.has(upos) ? VERBAL.exec(feats)?.[1] : undefined,
    problems: feats === "_" ? [] : checkFeatures(feats),
  };
});

function checkFeatures(feats: string): Tags["problems"] {
  const found: [Rule, string][] = [];
  const features = feats.split("|");
  if (!isSorted(features))
    found.push(["unsorted-features", `Features are sorted by name, without regard to case: ${feats}.`]);
  const names = new Set<string>();
  for (const feature of features) {
    const [, name, values] = /^([A-Z][A-Za-z0-9]*(?:\[[a-z0-9]+\])?)=(.+)$/.exec(feature) ?? [];
    if (name === undefined) {
      found.push(["invalid-feature", `${feature} is not a feature (expected Name=Value, such as Number=Sing).`]);
      continue;
    }
    if (names.has(name))
      found.push(["repeated-feature", `${name} occurs twice; several values are joined with commas.`]);
    names.add(name);
    const list = values!.split(",");
    for (const value of list) {
      if (/^[A-Z0-9][A-Za-z0-9]*$/.test(value)) continue;
      const message = `${feature}: a value has letters and digits, and begins with a capital letter or a digit.`;
      found.push(["invalid-feature", message]);
    }
    if (new Set(list).size < list.length) found.push(["repeated-feature-value", `${feature} has a value twice.`]);
    if (!isSorted(list)) found.push(["unsorted-feature-values", `${feature}: several values are sorted.`]);
  }
  return found;
}

/** In the order of lower-case letters, as features and their values are. */
export function isSorted(items: readonly string[]): boolean {
  for (let i = 1; i < items.length; i++) if (items[i - 1]!.toLowerCase() > items[i]!.toLowerCase()) return false;
  return true;
}
