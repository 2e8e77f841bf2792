import type { Parser } from "@stemma/core";
import {
  createSystem,
  type GoldTree,
  haveSameSettings,
  ownSettings,
  type TransitionSystem,
} from "@stemma/core/systems";
import type { SystemChoice } from "../../protocol/derivation.js";
import type { Tree } from "../../protocol/sentence.js";

/** Swap can go on for O(n²) transitions; a derivation by hand could go on for longer still. */
export const MOST_STEPS = 20_000;

/** Is the model trained for this system? Only then has it scores to show. */
export function isTrainedFor(parser: Parser | undefined, system: SystemChoice): parser is Parser {
  if (!parser) return false;
  const { header } = parser.model;
  return (
    header.system === system.name &&
    header.root === system.root &&
    system.singleRoot &&
    haveSameSettings(system.name, header.systemSettings ?? {}, system.settings)
  );
}

export function makeSystem({ name, root, singleRoot, settings }: SystemChoice): TransitionSystem {
  return createSystem(name, { root, singleRoot, ...ownSettings(name, settings) });
}

/** A tree as a sentence that has it. */
export function sentenceOf({ heads, labels }: Tree) {
  return { length: heads.length - 1, heads, deprel: (i: number) => labels[i]! };
}

/** Words whose head or label is another one in the target, or that are removed in another way. */
export function wrongWords(
  { heads, labels }: Tree,
  target: Tree,
  gold: GoldTree,
  removedAs: (word: number) => number,
): number[] {
  return heads.flatMap((head, d) => {
    if (d === 0 || target.heads[d]! < 0) return [];
    if (!gold.agrees(d, head, removedAs(d))) return [d];
    return removedAs(d) > 0 || labels[d] === target.labels[d] ? [] : [d];
  });
}

/** Labels and their numbers, which are those of the model as far as it has them. */
export class LabelNumbers {
  readonly list: string[] = [];
  private readonly numbers = new Map<string, number>();

  constructor(labels: readonly string[]) {
    for (const label of labels) this.indexOf(label);
  }

  indexOf(label: string): number {
    let number = this.numbers.get(label);
    if (number === undefined) {
      number = this.list.length;
      this.numbers.set(label, number);
      this.list.push(label);
    }
    return number;
  }
}
