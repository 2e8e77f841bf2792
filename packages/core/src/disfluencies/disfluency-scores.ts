import type { Alignment } from "../evaluation/alignment.js";
import type { AdditionalScores } from "../evaluation/evaluation.js";
import type { JoinedWords } from "../evaluation/joined-words.js";
import { ATTACHED, CORRECT, Score, type ScoreSummary } from "../evaluation/scores.js";
import { REMOVALS, removedWords } from "./removed-words.js";

/** The names of the scores: removed words, whatever they are removed as and by that, and what remains. */
const DISFLUENCY_SCORES = ["removed", "interjections", "markers", "reparanda", "uas", "las"] as const;

/**
 * How well disfluent words are found, as the labels of both trees tell them (`removedWords`), and the arcs between the
 * others: a word is right there if neither tree has it as disfluent and its head, or head and label, are right.
 */
export class DisfluencyScores implements AdditionalScores {
  readonly name = "disfluencies";
  readonly removed = new Score(-1);
  readonly interjections = new Score(-1);
  readonly markers = new Score(-1);
  readonly reparanda = new Score(-1);
  readonly uas = new Score(-1);
  readonly las = new Score(-1);

  addWords(gold: JoinedWords, system: JoinedWords, { goldOf }: Alignment, verdicts: Uint8Array): void {
    const wanted = kindsOf(gold);
    const found = kindsOf(system);
    const kinds = [this.interjections, this.markers, this.reparanda];
    for (let g = 1; g <= gold.length; g++) this.countKind(kinds, wanted[g]!, "gold");
    for (let s = 1; s <= system.length; s++) {
      const g = goldOf[s]!;
      const kind = found[s]!;
      this.countKind(kinds, kind, "system");
      if (g < 0) continue;
      const target = wanted[g]!;
      if (kind > 0) {
        if (target > 0) this.removed.correct++;
        if (target === kind) kinds[kind - 1]!.correct++;
      } else if (target === 0) {
        if (verdicts[s]! >= ATTACHED) this.uas.correct++;
        if (verdicts[s] === CORRECT) this.las.correct++;
      }
    }
  }

  private countKind(kinds: readonly Score[], kind: number, side: "gold" | "system"): void {
    if (kind === 0) {
      this.uas[side]++;
      this.las[side]++;
    } else {
      this.removed[side]++;
      kinds[kind - 1]![side]++;
    }
  }

  toJSON(): Record<(typeof DISFLUENCY_SCORES)[number], ScoreSummary> {
    return Object.fromEntries(DISFLUENCY_SCORES.map((name) => [name, this[name].toJSON()])) as never;
  }
}

/** As what each word of sentences that belong together is removed, from 1. */
function kindsOf({ sentences, before, length }: JoinedWords): Uint8Array {
  const kinds = new Uint8Array(length + 1);
  sentences.forEach((sentence, k) => {
    const labels = [REMOVALS[0] as string];
    for (let i = 1; i <= sentence.length; i++) labels.push(sentence.deprel(i));
    const removed = removedWords(sentence.heads, labels);
    if (removed) kinds.set(removed.subarray(1), before[k]! + 1);
  });
  return kinds;
}
