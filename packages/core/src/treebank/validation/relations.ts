// Level 3: relations with the parts of speech, the direction and the dependents that go with them in every language.

import { type Children, children } from "../tree.js";
import { at, DEPREL, DEPS, FEATS, FORM, itemOf, LEMMA, MISC, nameOf, type Row, UPOS } from "./rows/rows.js";
import { checkPunctuation, checkRoot, looseWords } from "./tree-shape.js";
import { page, type Report, type Rule, relationPage } from "./violation.js";

const set = (text: string): ReadonlySet<string> => new Set(text.split(" "));

/** Relations that only some parts of speech can have. */
const NEEDED: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ["advmod", set("ADV ADJ CCONJ DET PART SYM")],
  ["aux", set("AUX")],
  ["cop", set("AUX PRON DET SYM")],
  ["det", set("DET PRON")],
  ["expl", set("PRON DET PART")],
  ["nummod", set("NUM NOUN SYM")],
  ["punct", set("PUNCT")],
]);

/** Relations that some parts of speech cannot have. */
const FORBIDDEN: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ["case", set("PROPN ADJ PRON DET NUM AUX")],
  ["mark", set("NOUN PROPN ADJ PRON DET NUM AUX INTJ")],
  ["cc", set("NOUN PROPN ADJ PRON DET NUM VERB AUX INTJ")],
  ["fixed", set("PROPN")],
]);

/** Function words have no dependents but these. */
const ALLOWED_BELOW: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ["aux", set("goeswith fixed reparandum conj cc punct")],
  ["cop", set("goeswith fixed reparandum conj cc punct")],
  ["case", set("advmod obl goeswith fixed reparandum conj cc punct")],
  ["mark", set("advmod obl goeswith fixed reparandum conj cc punct")],
  ["det", set("det case advmod obl clf goeswith fixed flat compound reparandum discourse parataxis conj cc punct")],
  ["clf", set("advmod obl goeswith fixed reparandum conj cc punct")],
  ["cc", set("goeswith fixed reparandum conj punct")],
  ["punct", set("punct")],
  ["goeswith", set("")],
  ["fixed", set("goeswith reparandum conj punct")],
]);

/** Whether words with a relation, without its subtype, have only few dependents or none. */
export const isFunctional = (relation: string): boolean => ALLOWED_BELOW.has(relation);

/** Possessives refer to something, which can be named or described. */
const BELOW_POSSESSIVES = set("appos acl nmod");

/** The head of these comes first, by definition. */
export const LEFT_TO_RIGHT: ReadonlySet<string> = set("conj fixed flat goeswith appos");

const NOMINALS = set("NOUN PROPN PRON");
const NOMINAL_RELATIONS = set("nsubj obj iobj obl vocative dislocated expl nmod");
const CLAUSES = set("cop nsubj csubj");
const WITH_ORPHANS = set("conj parataxis root csubj ccomp advcl acl reparandum");

const SPACE = 32;

const MORPHOLOGY = page("u/overview/morphology.html");

/** A sentence that is a tree. */
interface Tree {
  readonly words: readonly Row[];
  readonly heads: Int32Array;
  /** Relations without their subtypes, from 1. */
  readonly base: readonly string[];
  readonly below: Children;
}

/** `needFeatures`: takes what is wrong only if the treebank has features. */
export function checkRelations(words: readonly Row[], heads: Int32Array, report: Report, needFeatures: Report): void {
  const base = [""];
  for (const { relation } of words) base.push(relation.base);
  const tree: Tree = { words, heads, base, below: children(heads) };
  const loose = looseWords(heads, tree.below);
  const isLemmatized = words.some((row) => !row.isBlank(LEMMA));
  for (let i = 1; i < heads.length; i++) {
    const row = words[i - 1]!;
    const head = heads[i]!;
    const relation = base[i]!;
    if (head === 0 || relation === "root") checkRoot(row, head, report);
    checkUpos(tree, i, report);
    checkWord(row, relation, isLemmatized, report);
    if (head > i && LEFT_TO_RIGHT.has(relation)) {
      const message = `${nameOf(row)} is ${relation} of ${nameOf(words[head - 1]!)}, which follows it; the first word is the head.`;
      report("right-to-left", at(row, DEPREL, relationPage(relation)), message);
    }
    if (relation === "obl") checkOblique(tree, i, report);
    if (relation === "orphan" && !WITH_ORPHANS.has(base[head]!)) {
      const place = { ...at(row, DEPREL, relationPage("orphan")), severity: "warning" } as const;
      report("orphan-parent", place, `The head of the orphan ${nameOf(row)} is ${base[head]} (expected conj, mostly).`);
    }
    if (relation === "goeswith") checkRest(row, head, report);
    const allowed = ALLOWED_BELOW.get(relation);
    if (allowed !== undefined) checkBelow(tree, i, allowed, loose.has(i), report);
    checkArguments(tree, i, report);
    checkParts(tree, i, report, needFeatures);
  }
  checkPunctuation(words, heads, loose, base, report);
}

/** The dependents of a word, in their order. */
function dependents({ below: { start, nodes } }: Tree, i: number): Int32Array {
  return nodes.subarray(start[i]!, start[i + 1]!);
}

function checkUpos(tree: Tree, i: number, report: Report): void {
  const row = tree.words[i - 1]!;
  const relation = tree.base[i]!;
  const { external } = row.tags;
  const needed = NEEDED.get(relation);
  const forbidden = FORBIDDEN.get(relation);
  const isWrong = needed !== undefined ? !needed.has(external) : forbidden?.has(external) === true;
  if (!isWrong && external !== "PUNCT" && external !== "PROPN") return;
  const tell = (rule: Rule, message: string, link = relation) =>
    report(rule, at(row, UPOS, relationPage(link)), `${nameOf(row)} ${message}`);
  if (needed !== undefined && !needed.has(external)) {
    if (relation !== "advmod" || !has(tree, i, "goeswith")) {
      const list = [...needed];
      const expected = list.length === 1 ? list[0] : `${list.slice(0, -1).join(", ")} or ${list.at(-1)}`;
      tell("rel-upos", `is labelled ${relation}, but it is ${external} (expected ${expected}).`);
    }
  } else if (forbidden?.has(external))
    tell("rel-upos", `is labelled ${relation}, but it is ${external}, which is not allowed.`);
  if (external === "PUNCT" && relation !== "punct" && relation !== "root") {
    tell("upos-rel-punct", `is PUNCT, but it is labelled ${relation} (expected punct).`, "punct");
  }
  if (external === "PROPN" && relation !== "fixed" && has(tree, i, "fixed")) {
    tell("rel-upos", "is a proper noun, which does not begin a fixed expression.", "fixed");
  }
}

function has(tree: Tree, i: number, relation: string): boolean {
  const { start, nodes } = tree.below;
  for (let k = start[i]!; k < start[i + 1]!; k++) if (tree.base[nodes[k]!] === relation) return true;
  return false;
}

function checkWord(row: Row, relation: string, isLemmatized: boolean, report: Report): void {
  const { verbal, upos } = row.tags;
  const hasLemma = !row.isBlank(LEMMA);
  if (verbal === undefined && hasLemma && !row.has(LEMMA, SPACE)) return;
  const warn = (rule: Rule, column: number, message: string) =>
    report(rule, { ...at(row, column, MORPHOLOGY), severity: "warning" }, `${nameOf(row)} ${message}`);
  if (verbal !== undefined) warn("feature-upos", FEATS, `has ${verbal}, which does not go with ${upos}.`);
  // The rest of a broken word has no lemma of its own.
  if (!hasLemma) {
    if (isLemmatized && !row.isBlank(FORM) && relation !== "goeswith") warn("missing-lemma", LEMMA, "has no lemma.");
    return;
  }
  const lemma = row.column(LEMMA);
  if (lemma.includes(" ") && !row.column(FORM).includes(" ") && /\S \S/.test(lemma)) {
    warn("lemma-space", LEMMA, `is one word, but its lemma has a space: ${lemma}.`);
  }
}

/** A modifier of a noun that is no predicate is nmod. */
function checkOblique(tree: Tree, i: number, report: Report): void {
  const head = tree.heads[i]!;
  if (head === 0) return;
  const above = tree.words[head - 1]!;
  if (!NOMINALS.has(above.tags.upos) || !NOMINAL_RELATIONS.has(tree.base[head]!)) return;
  for (const d of dependents(tree, head)) if (CLAUSES.has(tree.base[d]!)) return;
  const row = tree.words[i - 1]!;
  const message = `${nameOf(row)} is obl of ${nameOf(above)}, a noun and no predicate (expected nmod).`;
  report("obl-should-be-nmod", at(row, DEPREL, relationPage("obl")), message);
}

function checkBelow(tree: Tree, i: number, allowed: ReadonlySet<string>, isLoose: boolean, report: Report): void {
  const { words, base } = tree;
  const { start, nodes } = tree.below;
  const row = words[i - 1]!;
  for (let k = start[i]!; k < start[i + 1]!; k++) {
    const d = nodes[k]!;
    if (allowed.has(base[d]!)) continue;
    const own = words[d - 1]!;
    // Negation can modify any function word.
    if (base[d] === "advmod" && own.tags.isNegative && base[i] !== "punct") continue;
    // A mark may have no other head whose arc would not cross.
    if (isLoose && base[d] === "punct") continue;
    if (base[i] === "det" && row.tags.isPossessive && BELOW_POSSESSIVES.has(base[d]!)) continue;
    const message = `${nameOf(own)} is ${base[d]} of ${nameOf(row)}, which is labelled ${base[i]} and cannot have such dependents.`;
    report("leaf", at(own, DEPREL, relationPage(base[i]!)), message);
  }
}

/** A predicate has one subject and one object. */
function checkArguments(tree: Tree, i: number, report: Report): void {
  const { words, base } = tree;
  const { start, nodes } = tree.below;
  let subjects: number[] | undefined;
  let objects: number[] | undefined;
  for (let k = start[i]!; k < start[i + 1]!; k++) {
    const d = nodes[k]!;
    const relation = base[d]!;
    if (relation === "obj") (objects ??= []).push(d);
    else if (relation.includes("subj")) {
      const row = words[d - 1]!;
      const isOuter = row.is(DEPREL, `${relation}:outer`) || itemOf(row.column(MISC), "Subject") === "Outer";
      if (!isOuter) (subjects ??= []).push(d);
    }
  }
  if (subjects === undefined && objects === undefined) return;
  const tell = (rule: Rule, list: readonly number[] | undefined, what: string) => {
    if (list === undefined || list.length < 2) return;
    const names = list.map((d) => nameOf(words[d - 1]!)).join(", ");
    const place = at(words[list[1]! - 1]!, DEPREL, relationPage(base[list[1]!]!));
    report(rule, place, `${nameOf(words[i - 1]!)} has ${list.length} ${what}: ${names}.`);
  };
  tell("too-many-subjects", subjects, "subjects");
  tell("too-many-objects", objects, "objects");
}

/** The parts of a word that is broken by spaces follow each other, and the first is marked as a typo. */
function checkParts(tree: Tree, i: number, report: Report, needFeatures: Report): void {
  if (!has(tree, i, "goeswith")) return;
  const { words, base, heads } = tree;
  const row = words[i - 1]!;
  const link = relationPage("goeswith");
  let last = i;
  for (const d of dependents(tree, i)) {
    if (base[d] !== "goeswith") continue;
    if (d > last) last = d;
    if (d < i) {
      const message = `${nameOf(words[d - 1]!)} goes with ${nameOf(row)}, but it stands before it.`;
      report("goeswith-gap", at(words[d - 1]!, DEPREL, link), message);
    }
  }
  for (let k = i + 1; k <= last; k++) {
    if (heads[k] === i && base[k] === "goeswith") continue;
    report(
      "goeswith-gap",
      at(words[last - 1]!, DEPREL, link),
      `${nameOf(words[last - 1]!)} goes with ${nameOf(row)}, but ${nameOf(words[k - 1]!)} stands between them.`,
    );
    break;
  }
  for (let k = i; k < last; k++) {
    if (k !== i && !(heads[k] === i && base[k] === "goeswith")) continue;
    if (itemOf(words[k - 1]!.columns[MISC]!, "SpaceAfter") !== "No") continue;
    report(
      "goeswith-nospace",
      at(words[k - 1]!, MISC, link),
      `${nameOf(words[k - 1]!)} is part of a broken word, but no space follows it.`,
    );
    break;
  }
  if (!row.tags.isTypo) {
    needFeatures(
      "goeswith-missing-typo",
      at(row, FEATS, link),
      `${nameOf(row)} begins a broken word (expected Typo=Yes).`,
    );
  }
}

/** The annotation of a broken word stands at its first part. */
function checkRest(row: Row, head: number, report: Report): void {
  const { columns } = row;
  const tell = (rule: Rule, column: number, expected: string) =>
    report(
      rule,
      at(row, column, relationPage("goeswith")),
      `${nameOf(row)} is the rest of a broken word (expected ${expected}).`,
    );
  if (columns[LEMMA] !== "_") tell("goeswith-lemma", LEMMA, "no lemma: the first part has it");
  if (columns[UPOS] !== "X") tell("goeswith-upos", UPOS, "X");
  if (columns[FEATS] !== "_") tell("goeswith-feats", FEATS, "no features: the first part has them");
  const deps = columns[DEPS]!;
  if (deps !== "_" && deps !== `${head}:${columns[DEPREL]}`) tell("goeswith-edeps", DEPS, `${head}:${columns[DEPREL]}`);
}
