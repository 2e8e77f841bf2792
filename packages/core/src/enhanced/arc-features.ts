import type { CandidateArc } from "./candidate-arcs.js";
import { type EnhancedTree, universal } from "./marked-labels.js";

const OBJECTS = ["obj", "iobj"];

/** Is a verb passive? */
export function isPassive({ words, labels, dependents }: EnhancedTree, node: number): boolean {
  if (node === 0) return false;
  return words.feats(node).includes("Voice=Pass") || dependents[node]!.some((d) => labels[d]!.endsWith(":pass"));
}

/** The way with the kind of verb that the arc comes from: its label may depend on the voice, and on a subject. */
export function kindOfHead(tree: EnhancedTree, { head, dependent, way }: CandidateArc): string {
  if (head === 0) return way;
  const { labels, dependents } = tree;
  const hasSubject = dependents[head]!.some((d) => d !== dependent && /^[nc]subj/.test(labels[d]!));
  return `${way}${isPassive(tree, head) ? " passive" : ""}${hasSubject ? " subject" : ""}`;
}

/** The classifier of arcs: in the graph or not. */
export function arcFeatures(tree: EnhancedTree, { way, nodes, head, dependent, relations }: CandidateArc): string[] {
  const { words, labels, dependents } = tree;
  const lemma = (i: number) => (i === 0 ? "" : words.lemma(i).toLowerCase());
  const upos = (i: number) => (i === 0 ? "ROOT" : words.upos(i));
  const has = (node: number, names: readonly string[]) =>
    dependents[node]!.some((d) => d !== dependent && names.includes(universal(labels[d]!)));
  const own = universal(labels[dependent]!);
  const middle = nodes[1]!;
  const order = nodes
    .map((node) => (node === 0 ? "0" : node < nodes[0]! ? "l" : node > nodes[0]! ? "r" : "="))
    .join("");
  const turn = nodes.length > 2 ? (nodes.at(-1)! < middle ? "l" : "r") : "";
  const hasOwn = has(head, own === "nsubj" || own === "csubj" ? ["nsubj", "csubj", "expl"] : [own]);
  const hasObject = has(middle, OBJECTS);
  const between = Math.min(3, Math.abs(head - dependent));
  return [
    way,
    `${way} u ${upos(dependent)} ${upos(head)}`,
    `${way} m ${upos(middle)} ${upos(head)} ${hasOwn}`,
    `${way} o ${order}${turn}`,
    `${way} h ${hasOwn} ${order}${turn}`,
    `${way} b ${hasObject} ${isPassive(tree, middle)}`,
    `${way} l ${lemma(middle)} ${hasObject}`,
    `${way} t ${lemma(head)}`,
    `${way} d ${lemma(dependent)}`,
    `${way} n ${between} ${hasOwn}`,
    `${way} f ${head === 0 ? "" : words.feats(head).replace(/(Number|Person)=[^|]*\|?/g, "")} ${hasOwn}`,
    `${way} c ${dependents[head]!.map((d) => universal(labels[d]!)).join(" ")}`,
    `${way} e ${words.feats(dependent).includes("PronType=Rel")} ${hasOwn}`,
    `${way} s ${relations.length > 1 ? lemma(nodes.at(-2)!) : ""} ${hasOwn}`,
    `* ${relations.map(universal).join(" ")} ${hasOwn} ${order}`,
  ];
}
