// Scores of enhanced graphs (DEPS) as in the IWPT 2020 and 2021 shared tasks (Bouma et al. 2020, section 4): an arc is
// right if head and label are those of a gold arc of the same word. ELAS compares whole labels, EULAS each of their
// parts up to ":". Before that, empty nodes are taken out: a path through them becomes one arc whose label joins those
// of the path, conj>nsubj, and paths that join the same words by the same labels are one arc. Arcs of DEPS that occur
// twice, for EULAS also two that differ in subtypes only, count for each pair, as in the official programs.

import type { Sentence } from "../treebank/sentence/sentence.js";
import { arcsOf } from "../treebank/validation/rows/arcs.js";
import type { Alignment } from "./alignment.js";
import type { JoinedWords } from "./joined-words.js";

/** The counts of a score. */
type Counts = Record<"correct" | "gold" | "system", number>;

interface Arc {
  /** Numbered like the joined words; 0 is the root. */
  readonly head: number;
  readonly label: string;
  readonly universal: string;
}

/** Adds the arcs of sentences that belong together. */
export function addEnhanced(
  elas: Counts,
  eulas: Counts,
  gold: JoinedWords,
  system: JoinedWords,
  { goldOf }: Alignment,
): void {
  const wanted = arcsOfWords(gold);
  const found = arcsOfWords(system);
  if (wanted.size === 0 && found.size === 0) return;
  for (const arcs of wanted.values()) for (const score of [elas, eulas]) score.gold += arcs.length;
  for (const [s, arcs] of found) {
    for (const score of [elas, eulas]) score.system += arcs.length;
    for (const { head, label, universal } of arcs) {
      for (const other of wanted.get(goldOf[s]!) ?? []) {
        if (other.head !== goldOf[head]) continue;
        if (other.label === label) elas.correct++;
        if (other.universal === universal) eulas.correct++;
      }
    }
  }
}

/** The arcs of each word that has some, without empty nodes. */
function arcsOfWords({ sentences, before }: JoinedWords): Map<number, Arc[]> {
  const all = new Map<number, Arc[]>();
  sentences.forEach((sentence, k) => {
    const above = emptyHeads(sentence);
    for (let i = 1; i <= sentence.length; i++) {
      const deps = sentence.deps(i);
      if (deps === "_") continue;
      const arcs: Arc[] = [];
      for (const { head, label } of arcsOf(deps)) collect(head, label, above, new Set(), before[k]!, arcs);
      all.set(before[k]! + i, arcs);
    }
  });
  return all;
}

function emptyHeads(sentence: Sentence): ReadonlyMap<string, ReturnType<typeof arcsOf>> {
  return new Map(sentence.emptyNodes.map(({ id, deps }) => [id, arcsOf(deps)]));
}

/** Follows an arc up to the nearest words, or the root, on each path. */
function collect(
  head: string,
  label: string,
  above: ReadonlyMap<string, ReturnType<typeof arcsOf>>,
  seen: ReadonlySet<string>,
  offset: number,
  arcs: Arc[],
): void {
  if (!head.includes(".")) {
    const universal = label.replace(/:[^>]*/g, "");
    const arc = { head: head === "0" ? 0 : offset + Number(head), label, universal };
    const isKnown = seen.size > 0 && arcs.some((other) => other.head === arc.head && other.label === label);
    if (!isKnown) arcs.push(arc);
    return;
  }
  // Empty nodes may form a cycle.
  if (seen.has(head)) return;
  const now = new Set(seen).add(head);
  for (const arc of above.get(head) ?? []) collect(arc.head, `${arc.label}>${label}`, above, now, offset, arcs);
}
