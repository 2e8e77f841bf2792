// Level 2: the columns of a line, each for itself.

import { UNIVERSAL_RELATIONS, UNIVERSAL_TAGS } from "../universal.js";
import { at, COLUMNS, DEPREL, FEATS, HEAD, LEMMA, MISC, nameOf, type Row, UPOS } from "./rows.js";
import { page, type Report, type Rule } from "./violation.js";

const MORPHOLOGY = page("u/overview/morphology.html");

export function checkColumns(row: Row, report: Report): void {
  const { columns, kind } = row;
  if (kind === "token") {
    for (let c: number = LEMMA; c < MISC; c++) {
      const value = columns[c]!;
      if (value === "_" || (c === FEATS && value === "Typo=Yes")) continue;
      report("mwt-nonempty-field", at(row, c), `A multiword token has _ in ${COLUMNS[c]}, and not ${value}.`);
    }
    if (columns[MISC] !== "_") checkMisc(row, report);
    return;
  }
  const upos = columns[UPOS]!;
  if (!UNIVERSAL_TAGS.has(upos) && !(kind === "empty" && upos === "_")) {
    const message = upos === "_" ? `${nameOf(row)} has no part of speech.` : `${upos} is an unknown part of speech.`;
    report("unknown-upos", at(row, UPOS, page("u/pos/index.html")), message);
  }
  for (const [rule, message] of featureProblems(columns[FEATS]!)) report(rule, at(row, FEATS, MORPHOLOGY), message);
  if (columns[MISC] !== "_") checkMisc(row, report);
  if (kind === "empty") {
    for (const c of [HEAD, DEPREL]) {
      if (columns[c] !== "_") {
        report("empty-node-nonempty-field", at(row, c), `An empty node has _ in ${COLUMNS[c]}, and not ${columns[c]}.`);
      }
    }
    return;
  }
  const problem = relationProblem(columns[DEPREL]!, BASIC);
  if (problem !== undefined) {
    const rule = problem === "form" ? "invalid-deprel" : "unknown-deprel";
    report(rule, at(row, DEPREL, page("u/dep/index.html")), relationMessage(columns[DEPREL]!, problem));
  }
}

type Problems = readonly (readonly [rule: Rule, message: string])[];

/** FEATS that were seen, with their problems: a treebank has few hundred. */
const knownFeatures = new Map<string, Problems>([["_", []]]);
const MOST_KNOWN = 1 << 14;

function featureProblems(feats: string): Problems {
  let problems = knownFeatures.get(feats);
  if (problems === undefined) {
    problems = checkFeatures(feats);
    if (knownFeatures.size >= MOST_KNOWN) knownFeatures.clear();
    knownFeatures.set(feats, problems);
  }
  return problems;
}

function checkFeatures(feats: string): Problems {
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
      found.push(["invalid-feature-value", message]);
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

// Enhanced relations may name a preposition, in any script, and a case besides a subtype.
const WORD = "[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}]+(?:_[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}]+)*";
export const BASIC = { form: /^[a-z]+(?::[a-z]+)?$/, known: new Map<string, "form" | "name" | undefined>() };
export const ENHANCED = {
  form: new RegExp(`^[a-z]+(?::[a-z]+)?(?::${WORD})?(?::[a-z]+)?$`, "u"),
  known: new Map<string, "form" | "name" | undefined>(),
};

/** Whether a relation is not written like one, or not one of Universal Dependencies. */
export function relationProblem(relation: string, { form, known }: typeof BASIC): "form" | "name" | undefined {
  if (known.has(relation)) return known.get(relation);
  const name = relation.split(":", 1)[0]!;
  const isName = UNIVERSAL_RELATIONS.has(name) || (form === ENHANCED.form && name === "ref");
  const problem = !form.test(relation) ? "form" : isName ? undefined : "name";
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(relation, problem);
  return problem;
}

export function relationMessage(relation: string, problem: "form" | "name"): string {
  if (relation === "_" || relation === "") return "There is no label.";
  return problem === "name"
    ? `${relation} is no relation of Universal Dependencies.`
    : `${relation} is not written like a relation (expected lower-case letters and, after a colon, a subtype).`;
}

const MISC_NAMES = /^(?:SpaceAfter|Lang|Translit|LTranslit|Gloss|LId|LDeriv|Ref)$/;

function checkMisc(row: Row, report: Report): void {
  const misc = row.columns[MISC]!;
  // Nearly all items are these; the rest is looked at.
  if (misc === "SpaceAfter=No") return;
  const seen = new Set<string>();
  const place = at(row, MISC, page("misc.html"));
  const warning = { ...place, severity: "warning" } as const;
  for (const item of misc.split("|")) {
    const equals = item.indexOf("=");
    const name = equals < 0 ? item : item.slice(0, equals);
    const value = equals < 0 ? "" : item.slice(equals + 1);
    if (name === "") report("empty-misc", warning, `MISC has an item without a name: ${misc}.`);
    if (/^\s|\s$/.test(name) || /^\s|\s$/.test(value)) {
      report("misc-extra-space", warning, `${JSON.stringify(item)} begins or ends with white space.`);
    }
    if (MISC_NAMES.test(name)) {
      if (seen.has(name)) report("repeated-misc", place, `${name} occurs twice in MISC.`);
      seen.add(name);
    } else if (new RegExp(MISC_NAMES, "i").test(name.trim())) {
      report("misc-attr-typo", warning, `${name} is nearly a name that MISC has a meaning for.`);
    }
  }
}
