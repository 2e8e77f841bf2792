import type { Sentence } from "../sentence/sentence.js";
import { page, type Report, type Rule, relationPage } from "./violation.js";

const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));

const RELATIONS = words(
  "acl advcl advmod amod appos aux case cc ccomp clf compound conj cop csubj dep det discourse dislocated expl fixed flat goeswith iobj list mark nmod nsubj nummod obj obl orphan parataxis punct reparandum root vocative xcomp",
);

/** Relations that only some parts of speech can have; other words in them are rarely meant. */
const NEEDED: Readonly<Record<string, ReadonlySet<string>>> = {
  advmod: words("ADV ADJ CCONJ DET PART SYM"),
  aux: words("AUX"),
  cop: words("AUX PRON DET SYM"),
  det: words("DET PRON"),
  expl: words("PRON DET PART"),
  nummod: words("NUM NOUN SYM"),
  punct: words("PUNCT"),
};

/** Relations that some parts of speech cannot have. */
const FORBIDDEN: Readonly<Record<string, ReadonlySet<string>>> = {
  case: words("PROPN ADJ PRON DET NUM AUX"),
  mark: words("NOUN PROPN ADJ PRON DET NUM VERB AUX INTJ"),
  cc: words("NOUN PROPN ADJ PRON DET NUM VERB AUX INTJ"),
};

/** Function words have no dependents but these. */
const ALLOWED_BELOW: Readonly<Record<string, ReadonlySet<string>>> = {
  aux: words("goeswith fixed reparandum conj cc punct"),
  cop: words("goeswith fixed reparandum conj cc punct"),
  case: words("advmod obl goeswith fixed reparandum conj cc punct"),
  mark: words("advmod obl goeswith fixed reparandum conj cc punct"),
  cc: words("goeswith fixed reparandum conj punct"),
  punct: words("punct"),
  goeswith: words(""),
  fixed: words("goeswith reparandum conj punct"),
};

/** The head of these comes first, by definition. */
const LEFT_TO_RIGHT = words("conj fixed flat goeswith appos");

/** Relations: their names, and what goes with the parts of speech and the words around. */
export function checkRelations(sentence: Sentence, report: Report): void {
  const { heads, length } = sentence;
  const base = [""];
  for (let i = 1; i <= length; i++) base.push(sentence.deprel(i).split(":", 1)[0]!);
  // Sentences of another scheme are not measured by these.
  if (!base.some((label) => RELATIONS.has(label) && label !== "root")) return;
  const name = (i: number) => `“${sentence.form(i)}” (${i})`;
  for (let i = 1; i <= length; i++) {
    const label = sentence.deprel(i);
    const relation = base[i]!;
    const head = heads[i]!;
    const tell = (rule: Rule, message: string, level: "error" | "warning" = "error", link = relationPage(relation)) =>
      report({ rule, level, word: i, message: `${name(i)} ${message}`, link });
    if (label === "_" || label === "") {
      if (head >= 0) tell("label", "has no label.", "error", page("u/dep/index.html"));
      continue;
    }
    if (!RELATIONS.has(relation)) {
      tell(
        "label",
        `has the label ${label}, which Universal Dependencies does not define.`,
        "error",
        page("u/dep/index.html"),
      );
      continue;
    }
    if (!/^[a-z]+(?::[\p{Ll}\p{M}_]+)*$/u.test(label))
      tell("label", `has the label ${label}; subtypes are lower-case letters.`);
    checkUpos(sentence, i, base, tell);
    checkBelow(sentence, i, base, name, report);
    if (head > i && LEFT_TO_RIGHT.has(relation)) {
      tell("left-to-right", `is ${label} of ${name(head)}, which follows it; the first word should be the head.`);
    }
    if (relation === "goeswith" && head > 0) {
      for (let k = head + 1; k < i; k++) {
        if (heads[k] === head && base[k] === "goeswith") continue;
        tell("goeswith-gap", `goes with ${name(head)}, but other words stand between them.`);
        break;
      }
    }
  }
  checkArguments(sentence, base, name, report);
}

type Tell = (rule: Rule, message: string, level?: "error" | "warning", link?: string) => void;

function checkUpos(sentence: Sentence, i: number, base: readonly string[], tell: Tell): void {
  const upos = sentence.upos(i);
  const relation = base[i]!;
  if (upos === "_") return;
  // What is fixed or broken has the relation of the whole.
  const isWhole = sentence.dependentsOf(i).some((d) => base[d] === "fixed" || base[d] === "goeswith");
  if (isWhole) return;
  const needed = NEEDED[relation];
  if (needed && !needed.has(upos)) {
    const list = [...needed];
    const expected = list.length === 1 ? list[0] : `${list.slice(0, -1).join(", ")} or ${list.at(-1)}`;
    tell("label-upos", `is labelled ${relation}, but it is ${upos} (expected ${expected}).`);
  } else if (FORBIDDEN[relation]?.has(upos))
    tell("label-upos", `is labelled ${relation}, but it is ${upos}, which is not allowed.`);
  if (
    upos === "PUNCT" &&
    relation !== "punct" &&
    relation !== "root" &&
    !/^(?:goeswith|reparandum|conj|flat|fixed|compound|list|dep)$/.test(relation)
  ) {
    tell("label-upos", `is PUNCT, but it is labelled ${relation} (expected punct).`, "warning", relationPage("punct"));
  }
}

function checkBelow(
  sentence: Sentence,
  i: number,
  base: readonly string[],
  name: (i: number) => string,
  report: Report,
): void {
  const allowed = ALLOWED_BELOW[base[i]!];
  if (!allowed) return;
  for (const d of sentence.dependentsOf(i)) {
    if (allowed.has(base[d]!)) continue;
    report({
      rule: "leaf",
      level: "error",
      word: d,
      message: `${name(d)} is ${base[d]} of ${name(i)}, which is labelled ${base[i]} and cannot have such dependents.`,
      link: relationPage(base[i]!),
    });
  }
}

/** A predicate has one subject and one object. */
function checkArguments(
  sentence: Sentence,
  base: readonly string[],
  name: (i: number) => string,
  report: Report,
): void {
  for (let h = 1; h <= sentence.length; h++) {
    const dependents = sentence.dependentsOf(h);
    const isSubject = (d: number) => /^[nc]subj$/.test(base[d]!) && !/:outer\b/.test(sentence.deprel(d));
    for (const [kind, list] of [
      ["subjects", dependents.filter(isSubject)],
      ["objects", dependents.filter((d) => base[d] === "obj")],
    ] as const) {
      if (list.length < 2) continue;
      report({
        rule: "too-many",
        level: "error",
        word: list[1]!,
        message: `${name(h)} has ${list.length} ${kind}: ${list.map(name).join(", ")}.`,
        link: relationPage(base[list[1]!]!),
      });
    }
  }
}
