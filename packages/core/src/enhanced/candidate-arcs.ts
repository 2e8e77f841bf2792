// Arcs of the enhanced graph besides those of the tree join words that are near each other in the tree: a subject and
// the verb that its own verb controls, the head of a conjunct and the next one, a noun and the verb of its relative
// clause. Which of these ways count is learned.
import { type EnhancedTree, universal } from "./marked-labels.js";

/** An arc that may be in the enhanced graph. */
export interface CandidateArc {
  readonly head: number;
  readonly dependent: number;
  /** The way from the dependent to the head, as its relations: "^nsubj vxcomp". */
  readonly way: string;
  /** The nodes on it, both ends included. */
  readonly nodes: readonly number[];
  /** The relations on it. */
  readonly relations: readonly string[];
}

/** The ways between a relative pronoun and its antecedent, which may be long. */
export const REFERENCE = "reference";
export const ANTECEDENT = "antecedent";

/** The most relations on a way. */
const LONGEST = 3;

/** Calls `take` with all arcs that are not in the tree whose way is among those known; with all if none are given. */
export function candidateArcs(
  tree: EnhancedTree,
  take: (arc: CandidateArc) => void,
  known?: ReadonlySet<string>,
): void {
  const { heads, labels, dependents, words } = tree;
  for (let dependent = 1; dependent <= words.length; dependent++) {
    const go = (nodes: number[], steps: string[], relations: string[], down: boolean) => {
      const node = nodes.at(-1)!;
      if (steps.length > 0 && !(steps.length === 1 && !down) && node !== 0) {
        const way = steps.join(" ");
        if (!known || known.has(way)) take({ head: node, dependent, way, nodes, relations });
      } else if (node === 0 && steps.length > 1) {
        const way = steps.join(" ");
        if (!known || known.has(way)) take({ head: 0, dependent, way, nodes, relations });
      }
      if (steps.length === LONGEST) return;
      if (!down && node > 0 && heads[node]! >= 0) {
        const relation = labels[node]!;
        go([...nodes, heads[node]!], [...steps, `^${relation}`], [...relations, relation], false);
      }
      if (node === 0) return;
      for (const d of dependents[node]!) {
        if (nodes.includes(d)) continue;
        const relation = labels[d]!;
        go([...nodes, d], [...steps, `v${relation}`], [...relations, relation], true);
      }
    };
    go([dependent], [], [], false);
  }
  for (let pronoun = 1; pronoun <= words.length; pronoun++) referenceArcs(tree, pronoun, take);
}

/** A relative pronoun refers to the word that its clause modifies, which takes its place in the clause. */
function referenceArcs(tree: EnhancedTree, pronoun: number, take: (arc: CandidateArc) => void): void {
  const { heads, labels, words } = tree;
  if (!words.feats(pronoun).includes("PronType=Rel") || heads[pronoun]! <= 0) return;
  let verb = heads[pronoun]!;
  while (verb > 0 && universal(labels[verb]!) !== "acl") verb = heads[verb]!;
  const noun = verb > 0 ? heads[verb]! : 0;
  if (noun <= 0) return;
  const relations = [labels[pronoun]!, labels[verb]!];
  take({ head: noun, dependent: pronoun, way: REFERENCE, nodes: [pronoun, verb, noun], relations });
  take({ head: heads[pronoun]!, dependent: noun, way: ANTECEDENT, nodes: [noun, pronoun, heads[pronoun]!], relations });
}
