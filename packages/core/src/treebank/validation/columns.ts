import type { Sentence } from "../sentence/sentence.js";
import { page, type Report, type Rule } from "./violation.js";

const TAGS = new Set("ADJ ADP ADV AUX CCONJ DET INTJ NOUN NUM PART PRON PROPN PUNCT SCONJ SYM VERB X".split(" "));
/** Features of verbs that are out of place on the parts of speech that never inflect for them. */
const UNINFLECTED = new Set(["PUNCT", "SYM", "ADP", "CCONJ", "SCONJ", "INTJ"]);
const VERBAL = new Set(["Tense", "Mood", "VerbForm", "Aspect", "Voice"]);

/** Parts of speech and features: their names, their form, their order. */
export function checkColumns(sentence: Sentence, report: Report): void {
  // A treebank of another scheme has no tags, or none of these.
  let tagged = false;
  let lemmatized = false;
  for (let i = 1; i <= sentence.length; i++) {
    tagged ||= TAGS.has(sentence.upos(i));
    lemmatized ||= sentence.lemma(i) !== "_";
  }
  for (let i = 1; i <= sentence.length; i++) {
    const error = (rule: Rule, message: string, path: string, level: "error" | "warning" = "error") =>
      report({ rule, level, word: i, message, link: page(path) });
    const upos = sentence.upos(i);
    const name = `“${sentence.form(i)}” (${i})`;
    if (tagged && !TAGS.has(upos)) {
      const what = upos === "_" ? "has no part of speech" : `has an unknown part of speech: ${upos}`;
      error("upos", `${name} ${what}.`, "u/pos/index.html");
    }
    checkFeatures(sentence.feats(i), upos, (rule, message, level) =>
      error(rule, `${name}: ${message}`, "u/overview/morphology.html", level),
    );
    // The rest of a broken word has no lemma of its own.
    const isRest = sentence.deprel(i) === "goeswith";
    if (lemmatized && sentence.lemma(i) === "_" && sentence.form(i) !== "_" && !isRest) {
      error("lemma", `${name} has no lemma.`, "u/overview/morphology.html", "warning");
    }
  }
}

function checkFeatures(
  feats: string,
  upos: string,
  error: (rule: Rule, message: string, level?: "error" | "warning") => void,
): void {
  if (feats === "_") return;
  const features = feats.split("|");
  const seen = new Set<string>();
  let before = "";
  for (const feature of features) {
    const [, key, values] = /^([A-Z0-9][A-Za-z0-9]*(?:\[[a-z0-9]+\])?)=(.+)$/.exec(feature) ?? [];
    if (key === undefined) {
      error("feature-form", `${feature} is not a feature (expected Name=Value, such as Number=Sing).`);
      continue;
    }
    if (values!.split(",").some((value) => !/^[A-Z0-9][A-Za-z0-9]*$/.test(value))) {
      error(
        "feature-form",
        `${feature}: a value consists of letters and digits and starts with a capital letter or a digit.`,
      );
    }
    if (seen.has(key)) error("feature-form", `${key} occurs twice; join several values with commas.`);
    seen.add(key);
    if (before !== "" && before.toLowerCase() > key.toLowerCase()) {
      error("feature-order", `${key} belongs before ${before}: features are sorted.`);
    }
    before = key;
    if (UNINFLECTED.has(upos) && VERBAL.has(key)) error("feature-upos", `${key} does not go with ${upos}.`, "warning");
  }
}
