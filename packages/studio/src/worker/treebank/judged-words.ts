import type { Sentence } from "@stemma/core";
import { type Bin, type Evaluation, inBins } from "@stemma/core/evaluation";
import { depths, isTree, nonProjectiveArcs } from "@stemma/core/treebank";
import { type ErrorFilter, FEWEST_ARCS, type Which } from "../../protocol/error-filter.js";

/** A sentence with the tree that it should have and the one that it got. */
interface Judged {
  goldHeads: Int32Array;
  systemHeads: Int32Array;
  /** Without subtypes, as evaluations compare them. */
  goldLabels: string[];
  systemLabels: string[];
  upos: string[];
  /** Of a second model, if there is one. */
  second: { heads: Int32Array; labels: string[] } | undefined;
}

const universal = (label: string) => label.split(":", 1)[0]!;

/** The verdict of an evaluation on every word, to find the sentences behind its figures. */
export class JudgedWords {
  private readonly sentences = new Map<number, Judged>();

  add(index: number, gold: Sentence, system: Sentence, second?: Sentence): void {
    const labels = (sentence: Sentence) => [
      "",
      ...Array.from({ length: sentence.length }, (_, i) => universal(sentence.deprel(i + 1))),
    ];
    this.sentences.set(index, {
      goldHeads: Int32Array.from(gold.heads),
      systemHeads: Int32Array.from(system.heads),
      goldLabels: labels(gold),
      systemLabels: labels(system),
      upos: ["", ...Array.from({ length: gold.length }, (_, i) => gold.upos(i + 1))],
      second: second && { heads: Int32Array.from(second.heads), labels: labels(second) },
    });
  }

  delete(index: number): void {
    this.sentences.delete(index);
  }

  /** Has the sentence an error of this kind? */
  has(index: number, filter: ErrorFilter): boolean {
    return this.words(index, filter).length > 0;
  }

  /** The words of a sentence that have an error of this kind. */
  words(index: number, filter: ErrorFilter): number[] {
    const judged = this.sentences.get(index);
    if (!judged) return [];
    const { goldHeads, systemHeads, goldLabels, systemLabels } = judged;
    const words = Array.from({ length: goldHeads.length - 1 }, (_, i) => i + 1);
    if (filter.by === "confusion") {
      return words.filter((i) => goldLabels[i] === filter.gold && systemLabels[i] === filter.system);
    }
    if (filter.by === "models") return words.filter((i) => differs(judged, i, filter.which));
    const sides = filter.side === "either" ? (["gold", "system"] as const) : [filter.side];
    const members = sides.map((side) => member(judged, side === "gold" ? goldHeads : systemHeads, side, filter));
    return words.filter((i) => {
      const wrong = goldHeads[i] !== systemHeads[i] || goldLabels[i] !== systemLabels[i];
      return wrong && members.some((isOne) => isOne(i));
    });
  }

  /** How many words two models have otherwise, in all sentences. */
  differing(): Record<Which, number> {
    const count = (which: Which) => {
      let sum = 0;
      for (const index of this.sentences.keys()) sum += this.words(index, { by: "models", which }).length;
      return sum;
    };
    return { first: count("first"), second: count("second"), any: count("any") };
  }
}

/** Is it a word that only one of two models has right, or that they have otherwise? */
function differs({ goldHeads, goldLabels, systemHeads, systemLabels, second }: Judged, i: number, which: Which) {
  if (!second) return false;
  if (which === "any") return systemHeads[i] !== second.heads[i] || systemLabels[i] !== second.labels[i];
  const isRight = (heads: Int32Array, labels: string[]) => heads[i] === goldHeads[i] && labels[i] === goldLabels[i];
  const [one, two] = [isRight(systemHeads, systemLabels), isRight(second.heads, second.labels)];
  return which === "first" ? one && !two : two && !one;
}

/** Does the arc into a word belong to the group? */
function member(
  { goldLabels, systemLabels, upos }: Judged,
  heads: Int32Array,
  side: "gold" | "system",
  filter: Exclude<ErrorFilter, { by: "confusion" | "models" }>,
): (word: number) => boolean {
  if ("value" in filter) {
    const { by, value } = filter;
    if (by === "label") {
      const labels = side === "gold" ? goldLabels : systemLabels;
      return (i) => labels[i] === value;
    }
    if (by === "upos") return (i) => upos[i] === value;
    const crossed = new Set(nonProjectiveArcs(heads));
    return (i) => crossed.has(i) === (value === "non-projective");
  }
  const { low, high } = filter;
  const within = (value: number) => value >= low && value <= high;
  if (filter.by === "sentenceLength") return () => within(heads.length - 1);
  if (filter.by === "length") return (i) => within(heads[i] === 0 ? 0 : Math.abs(i - heads[i]!));
  const distances = isTree(heads) ? depths(heads) : undefined;
  return (i) => distances !== undefined && within(distances[i]!);
}

/** The groups of ten that the plot by sentence length has points for. */
export function plottedSentenceLengths({ breakdowns }: Evaluation): string[] {
  const tens = Array.from({ length: 10 }, (_, k): Bin => {
    const [low, high] = [10 * k + 1, 10 * k + 10];
    return { name: `${low}-${high}`, low, high };
  });
  const bins = [...tens, { name: ">100", low: 101, high: Number.POSITIVE_INFINITY }];
  return inBins(breakdowns.sentenceLength, bins).flatMap(([name, { gold }]) => (gold < FEWEST_ARCS ? [] : [name]));
}
