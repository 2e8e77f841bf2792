import { type ConfigurationScorer, type Parser, Sentence } from "@stemma/core";
import { Configuration, type Move, NONE, type TransitionSystem } from "@stemma/core/systems";
import {
  type Atom,
  type Extractor,
  type Position,
  parseTemplates,
  type TemplateSet,
  type Words,
} from "@stemma/core/training";
import type { Taken, Why, WhyReason, WhyRequest } from "../../protocol/derivation.js";
import { isTrainedFor } from "../derivation/system.js";
import { type Scored, scored } from "../parsing/scored.js";

/** Reasons that are told; those that hardly count are many. */
const MOST_REASONS = 24;
/** In the place of a word that is left out; no text has it. */
const LEFT_OUT = "\u0000";

const COLUMNS = ["form", "lemma", "upos", "xpos", "feats"] as const;

/**
 * The reasons for the transition that was taken, against the best other one or the one that is asked about: for linear
 * models the features by weight, for networks the words without which the difference of the scores would be smaller.
 */
export function why(request: WhyRequest, parser: Parser | undefined): Why {
  if (!isTrainedFor(parser, request.system)) throw new Error("the model has no scores in this system");
  const { before, taken, rival } = request;
  const words = Sentence.from(request.sentence, { allowNonTrees: true });
  const { decider, model } = parser;
  const { system, classes, scorer } = decider;
  const { labels } = model.header;
  const c = new Configuration(words.length);
  system.initialize(c, words.length);
  for (const { move, label } of before) {
    system.take(c, system.moveOf(move), label === undefined ? NONE : labels.indexOf(label));
  }
  decider.constraints = undefined;
  decider.bind(words);
  const all = scored(parser, c).sort((a, b) => b.score - a.score);
  const find = (wanted: Taken | undefined, except?: Scored) =>
    all.find(
      (one) =>
        one !== except &&
        (!wanted ||
          (system.nameOf(one.move) === wanted.move &&
            (wanted.label === undefined || labels[classes.labels[one.cls]!] === wanted.label))),
    );
  const first = find(taken);
  const second = first && find(rival, first);
  if (!first || !second) throw new Error("nothing else is permitted here, so there is nothing to compare");
  const shown = ({ move, cls }: Scored): Taken => ({ move: system.nameOf(move), label: labels[classes.labels[cls]!] });
  const unit = scorer.logUnit ?? 1;
  const reasons = model.network ? leftOut(parser, c, words, first, second) : features(parser, c, words, first, second);
  const most = reasons.filter(({ amount }) => amount !== 0).sort((a, b) => Math.abs(b.amount) - Math.abs(a.amount));
  return {
    kind: model.network ? "words" : "features",
    first: shown(first),
    second: shown(second),
    margin: (first.score - second.score) / unit,
    reasons: most.slice(0, MOST_REASONS),
    others: Math.max(0, most.length - MOST_REASONS),
  };
}

/** The weights that each template adds to the two scores. */
function features(
  { decider, model }: Parser,
  c: Configuration,
  words: Words,
  first: Scored,
  second: Scored,
): WhyReason[] {
  const set = parseTemplates(model.header.templates, "model", decider.system.description.context);
  // The scorer of a linear model has it; what scores in general need not.
  const { extractor } = decider.scorer as ConfigurationScorer & { extractor: Extractor };
  const weights = new Int32Array(decider.classes.size);
  const unit = decider.scorer.logUnit ?? 1;
  const weightsOf = ({ move, cls }: Scored) => {
    extractor.extract(c, decider.classes.perMove ? move : 0);
    return Array.from(extractor.hash(), (feature) => {
      weights.fill(0);
      model.linear.score(Int32Array.of(feature), weights);
      return weights[cls]! / unit;
    });
  };
  const [a, b] = [weightsOf(first), weightsOf(second)];
  return set.templates.map((atoms, t) => ({
    name: atoms.map((atom) => nameOf(set, set.atoms[atom]!)).join(" "),
    value: atoms
      .map((atom) => seenBy(set, set.atoms[atom]!, c, first.move, words, model.header.labels, decider.system))
      .join(" · "),
    first: a[t]!,
    second: b[t]!,
    amount: a[t]! - b[t]!,
  }));
}

function nameOf({ positions }: TemplateSet, atom: Atom): string {
  if (atom.kind === "history") return `t${atom.index}.${atom.attribute}`;
  if ("from" in atom) {
    const name = atom.kind === "distance" ? "dist" : "same";
    return `${name}(${positions[atom.from]!.name},${positions[atom.to]!.name})`;
  }
  return `${positions[atom.position]!.name}.${atom.attribute}`;
}

function seenBy(
  set: TemplateSet,
  atom: Atom,
  c: Configuration,
  move: Move,
  words: Words,
  labels: readonly string[],
  system: TransitionSystem,
): string {
  if (atom.kind === "history") {
    const last = c.lastMove(atom.index);
    if (last < 0) return "–";
    return atom.attribute === "move" ? system.nameOf(last) : (labels[c.lastLabel(atom.index)] ?? "–");
  }
  const at = (position: number) => nodeAt(set, set.positions[position]!, c, move);
  if ("from" in atom) {
    const [from, to] = [at(atom.from), at(atom.to)];
    if (from < 0 || to < 0) return "–";
    return atom.kind === "distance" ? String(Math.abs(from - to)) : alike(words, from, to);
  }
  const node = at(atom.position);
  if (node < 0) return "–";
  if (atom.kind === "tree") {
    if (atom.attribute === "label") return labels[c.labels[node]!] ?? "–";
    if (atom.attribute === "lval") return String(c.leftValency[node]);
    if (atom.attribute === "rval") return String(c.rightValency[node]);
    const set = dependents(c, node, atom.attribute === "lset").map((d) => labels[c.labels[d]!] ?? "–");
    return `{${set.join(" ")}}`;
  }
  if (node === 0) return "ROOT";
  const column = COLUMNS.find((name) => name === atom.attribute) ?? "form";
  return words[column](node);
}

/** How much two words are alike, as core's extractor sees it. */
function alike(words: Words, a: number, b: number): string {
  const [one, two] = [words.form(a).toLowerCase(), words.form(b).toLowerCase()];
  if (one === two) return "same word";
  if (one.slice(0, 2) === two.slice(0, 2)) return "same beginning";
  return words.upos(a) === words.upos(b) ? "same UPOS" : "different";
}

function dependents(c: Configuration, node: number, left: boolean): number[] {
  const list: number[] = [];
  for (let d = 1; d <= c.length; d++) if (c.heads[d] === node && d < node === left) list.push(d);
  return list;
}

/** The node of a position, as core's extractor finds it. */
function nodeAt({ context }: TemplateSet, { base, index, path }: Position, c: Configuration, move: Move): number {
  let node: number;
  if (context) {
    const nodes = new Int32Array(context.names.length);
    context.fill(c, move, nodes);
    node = nodes[index]!;
  } else node = base === "s" ? c.s(index) : c.b(index);
  for (const step of path) {
    if (node < 0) return NONE;
    if (step === "h") node = c.heads[node]!;
    else if (step === "l") node = c.leftmost[node]!;
    else if (step === "l2") node = c.leftmost2[node]!;
    else if (step === "r") node = c.rightmost[node]!;
    else if (step === "r2") node = c.rightmost2[node]!;
    else if (step === "p") node = node > 1 ? node - 1 : NONE;
    else node = node > 0 && node < c.length ? node + 1 : NONE;
  }
  return node;
}

/** For each word: by how much the difference of the two scores shrinks when the word is not known. */
function leftOut(parser: Parser, c: Configuration, words: Words, first: Scored, second: Scored): WhyReason[] {
  const { decider } = parser;
  const unit = decider.scorer.logUnit ?? 1;
  const pair = (): [number, number] => {
    const all = scored(parser, c);
    const of = (one: Scored) => all.find(({ move, cls }) => move === one.move && cls === one.cls)!.score / unit;
    return [of(first), of(second)];
  };
  const margin = (first.score - second.score) / unit;
  const reasons = Array.from({ length: words.length }, (_, k): WhyReason => {
    decider.bind(without(words, k + 1));
    const [a, b] = pair();
    return { name: String(k + 1), value: words.form(k + 1), first: a, second: b, amount: margin - (a - b) };
  });
  decider.bind(words);
  return reasons;
}

/** The same words, one of which is not known. */
function without(words: Words, word: number): Words {
  return {
    length: words.length,
    form: (i) => (i === word ? LEFT_OUT : words.form(i)),
    lemma: (i) => (i === word ? LEFT_OUT : words.lemma(i)),
    upos: (i) => (i === word ? "_" : words.upos(i)),
    xpos: (i) => (i === word ? "_" : words.xpos(i)),
    feats: (i) => (i === word ? "_" : words.feats(i)),
  };
}
