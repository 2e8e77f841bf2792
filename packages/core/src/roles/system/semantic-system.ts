// The semantic half of two-stack parsing (Henderson, Merlo, Musillo & Titov 2008; SEM-SWAP: Titov, Henderson, Merlo &
// Musillo 2009).  c = (τ, β, P, A)
//   PRED_s           (τ, b|β, P, A)     ⇒ (τ, b|β, P ∪ {b: s}, A)           b is undecided
//   NO-PRED          (τ, b|β, P, A)     ⇒ (τ, b|β, P, A)                    b is undecided
//   SEM-LEFT-ARC_r   (τ|s, b|β, P, A)   ⇒ (τ|s, b|β, P, A ∪ {b →r s})       b ∈ P, no arc b → s
//   SEM-RIGHT-ARC_r  (τ|s, b|β, P, A)   ⇒ (τ|s, b|β, P, A ∪ {s →r b})       s ∈ P, no arc s → b
//   SEM-REDUCE       (τ|s, b|β, P, A)   ⇒ (τ, b|β, P, A)
//   SEM-SWAP         (τ|t|s, b|β, P, A) ⇒ (τ|s|t, b|β, P, A)                not twice in a row
//   SEM-SHIFT        (τ, b|β, P, A)     ⇒ (τ|b, β, P, A)
// b is undecided until PRED or NO-PRED, which come when the syntactic half shifts it; everything else needs it decided.
// Arcs do not pop: a word may be an argument of several predicates, and a predicate one of another. Terminal: β empty.
// A word is never its own argument, and has at most one role for each predicate.

import { type Configuration, NONE } from "../../systems/configuration.js";
import type { SemanticConfiguration } from "./semantic-configuration.js";

export const PRED = 0;
export const NO_PRED = 1;
export const SEM_LEFT_ARC = 2;
export const SEM_RIGHT_ARC = 3;
export const SEM_REDUCE = 4;
export const SEM_SWAP = 5;
export const SEM_SHIFT = 6;

/** A transition of the semantic half; its sense or role is a number beside it. */
export type SemanticMove = number;

/** The names of the transitions, by their numbers. */
export const SEMANTIC_MOVES: readonly string[] = [
  "PRED",
  "NO-PRED",
  "SEM-LEFT-ARC",
  "SEM-RIGHT-ARC",
  "SEM-REDUCE",
  "SEM-SWAP",
  "SEM-SHIFT",
];

/** The last word that a syntactic half has taken: as far as that the semantic half has its turn. */
export function lastTaken(syntax: Configuration): number {
  const next = syntax.b(0);
  return next > 0 ? next - 1 : syntax.length;
}

/** The transitions between words, predicates and roles; it keeps no state. */
export class SemanticSystem {
  readonly moves: readonly SemanticMove[] = SEMANTIC_MOVES.map((_, move) => move);

  initialize(c: SemanticConfiguration, words: number): void {
    c.reset(words);
  }

  isTerminal(c: SemanticConfiguration): boolean {
    return c.front > c.length;
  }

  /** May the move be applied? Nothing is permitted in a terminal configuration. */
  permits(c: SemanticConfiguration, move: SemanticMove): boolean {
    const { b } = c;
    if (b === NONE) return false;
    const isStart = move === PRED || move === NO_PRED;
    if (isStart || !c.isDecided) return isStart && !c.isDecided;
    const s = c.s(0);
    switch (move) {
      case SEM_LEFT_ARC:
        return s !== NONE && c.senses[b] !== NONE && c.role(b, s) === NONE;
      case SEM_RIGHT_ARC:
        return s !== NONE && c.senses[s] !== NONE && c.role(s, b) === NONE;
      case SEM_REDUCE:
        return s !== NONE;
      case SEM_SWAP:
        return c.stackSize > 1 && !c.isSwapped;
      default:
        return move === SEM_SHIFT;
    }
  }

  /** Apply a permitted move; `label` is the sense of PRED, the role of an arc. */
  apply(c: SemanticConfiguration, move: SemanticMove, label = 0): void {
    const { b, stack, stackSize } = c;
    c.isSwapped = move === SEM_SWAP;
    switch (move) {
      case PRED:
        c.senses[b] = label;
        c.isDecided = true;
        break;
      case NO_PRED:
        c.isDecided = true;
        break;
      case SEM_LEFT_ARC:
        c.addArc(b, c.s(0), label);
        break;
      case SEM_RIGHT_ARC:
        c.addArc(c.s(0), b, label);
        break;
      case SEM_REDUCE:
        c.stackSize--;
        break;
      case SEM_SWAP: {
        const top = stack[stackSize - 1]!;
        stack[stackSize - 1] = stack[stackSize - 2]!;
        stack[stackSize - 2] = top;
        break;
      }
      default:
        stack[c.stackSize++] = b;
        c.front++;
        c.isDecided = false;
    }
  }
}
