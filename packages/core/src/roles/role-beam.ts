// Beam search for semantic roles, word by word (as Titov & Henderson 2007 search for trees). Derivations of a sentence
// differ in length, but all of them shift every word: what is compared at the end of a word has shifted the same ones.
// Until then those that have shifted it wait in the beam with their scores. Scores are log probabilities of the
// permitted transitions, because those of a labeller that learned step by step say nothing if they are added up.

import { exp, log } from "../math/exp.js";
import { NONE } from "../systems/configuration.js";
import { rolesOut } from "./features/role-features.js";
import type { RoleWalk } from "./role-walk.js";
import { SemanticConfiguration } from "./system/semantic-configuration.js";
import { SEM_SHIFT } from "./system/semantic-system.js";

/** A derivation as far as it has come; its score is the logarithm of its probability, in units. */
export interface RoleHypothesis {
  c: SemanticConfiguration;
  score: number;
}

/** A derivation that has shifted the word does nothing more; other steps are classes, or senses as -2 - sense. */
const STAY = 0;

/** Log probabilities for the word at the front of the buffer, by all that they depend on. */
interface Known {
  s: number;
  sum: number;
  features: Int32Array;
  scores: Int32Array;
}

/** Searches for the most probable derivation of a sentence that its `walk` has begun. */
export class RoleBeam {
  /** The first `size` are the hypotheses, the best one first. */
  live: RoleHypothesis[] = [];
  size = 0;
  private next: RoleHypothesis[] = [];
  private readonly free: SemanticConfiguration[] = [];
  // The best continuations so far, the best one first: their scores, what they continue, and how.
  private count = 0;
  private readonly scores: Float64Array;
  private readonly origins: Int32Array;
  private readonly steps: Int32Array;
  /** How many continuations each hypothesis has. */
  private readonly uses: Int32Array;
  private readonly known: Known[] = [];
  private knownCount = 0;
  private readonly shift: number;
  /** The configuration of the walk when it is not looking at a hypothesis. */
  private readonly own: SemanticConfiguration;

  /** `unit`: how much more something scores that is e times as probable. */
  constructor(
    private readonly walk: RoleWalk,
    private readonly width: number,
    private readonly unit: number,
  ) {
    this.scores = new Float64Array(width);
    this.origins = new Int32Array(width);
    this.steps = new Int32Array(width);
    this.uses = new Int32Array(width);
    this.shift = walk.classOf(SEM_SHIFT, 0);
    this.own = walk.c;
  }

  /** Goes to the end, and leaves the walk with the best configuration. */
  run(): void {
    const { walk, own, live, free } = this;
    for (let h = 0; h < this.size; h++) free.push(live[h]!.c);
    const c = this.configuration();
    c.copy(own);
    live[0] = { c, score: 0 };
    this.size = 1;
    for (let word = 1; word <= own.length; word++) {
      this.knownCount = 0;
      this.decide();
      while (this.isAnyAt(word)) this.advance(word);
    }
    walk.c = own;
    own.copy(this.live[0]!.c);
  }

  private isAnyAt(word: number): boolean {
    for (let h = 0; h < this.size; h++) if (this.live[h]!.c.front === word) return true;
    return false;
  }

  /** PRED or NO-PRED. Which senses there are, and how they score, does not depend on the derivation. */
  private decide(): void {
    const { walk, live, unit } = this;
    walk.c = live[0]!.c;
    const candidates = walk.candidates();
    const scores = walk.scoreSenses(candidates);
    let most = 0;
    for (let k = 0; k < candidates.length; k++) most = Math.max(most, scores[k]!);
    let sum = exp(-most / unit);
    for (let k = 0; k < candidates.length; k++) sum += exp((scores[k]! - most) / unit);
    const base = Math.round(most + unit * log(sum));
    this.count = 0;
    for (let h = 0; h < this.size; h++) {
      const score = live[h]!.score - base;
      this.offer(score, h, -2 - NONE);
      for (let k = 0; k < candidates.length; k++) this.offer(score + scores[k]!, h, -2 - candidates[k]!);
    }
    this.take();
  }

  /** A step of all hypotheses that have not shifted the word yet. */
  private advance(word: number): void {
    const { walk, live, shift } = this;
    this.count = 0;
    for (let h = 0; h < this.size; h++) {
      const { score, c } = live[h]!;
      walk.c = c;
      if (c.front > word) this.offerEnd(word, score, h, STAY);
      else if (!walk.isOpen) this.offerEnd(word, score, h, shift);
      else {
        const count = walk.permitted();
        const scores = this.logProbabilities(count);
        for (let k = 0; k < count; k++) {
          const cls = walk.open[k]!;
          if (cls === shift) this.offerEnd(word, score + scores[cls]!, h, cls);
          else this.offer(score + scores[cls]!, h, cls);
        }
      }
    }
    this.take();
  }

  /** Those of the permitted classes, in units; computed once for all hypotheses that features do not tell apart. */
  private logProbabilities(permitted: number): Int32Array {
    const { walk, known, unit } = this;
    const features = walk.pair();
    // Networks know the words themselves.
    const s = walk.c.s(0);
    let sum = 0;
    for (let k = 0; k < features.length; k++) sum = (sum + features[k]!) | 0;
    for (let k = 0; k < this.knownCount; k++) {
      const { s: node, sum: other, features: others, scores } = known[k]!;
      if (node === s && other === sum && others.every((feature, t) => feature === features[t])) return scores;
    }
    if (this.knownCount === known.length) {
      known.push({ s, sum, features: new Int32Array(features.length), scores: new Int32Array(walk.classes) });
    }
    const own = known[this.knownCount++]!;
    own.s = s;
    own.sum = sum;
    own.features.set(features);
    const scores = walk.score(features);
    let most = Number.NEGATIVE_INFINITY;
    for (let k = 0; k < permitted; k++) most = Math.max(most, scores[walk.open[k]!]!);
    let total = 0;
    for (let k = 0; k < permitted; k++) total += exp((scores[walk.open[k]!]! - most) / unit);
    const base = Math.round(most + unit * log(total));
    for (let k = 0; k < permitted; k++) own.scores[walk.open[k]!] = scores[walk.open[k]!]! - base;
    return own.scores;
  }

  /** Puts a continuation into its place if it is among the best; of equals the first one is before the others. */
  private offer(score: number, origin: number, step: number): void {
    const { scores, width } = this;
    if (this.count === width && score <= scores[width - 1]!) return;
    let k = this.count < width ? this.count++ : width - 1;
    for (; k > 0 && scores[k - 1]! < score; k--) this.move(k - 1, k);
    scores[k] = score;
    this.origins[k] = origin;
    this.steps[k] = step;
  }

  /** The same for one that is done with the word: of those that nothing tells apart any more only the best goes on. */
  private offerEnd(word: number, score: number, origin: number, step: number): void {
    const { scores, origins, steps, live, shift } = this;
    const { c } = live[origin]!;
    for (let k = 0; k < this.count; k++) {
      if (steps[k] !== STAY && steps[k] !== shift) continue;
      if (!haveSameFuture(live[origins[k]!]!.c, c, word)) continue;
      if (scores[k]! >= score) return;
      this.count--;
      for (let i = k; i < this.count; i++) this.move(i + 1, i);
      break;
    }
    this.offer(score, origin, step);
  }

  private move(from: number, to: number): void {
    this.scores[to] = this.scores[from]!;
    this.origins[to] = this.origins[from]!;
    this.steps[to] = this.steps[from]!;
  }

  /** Makes hypotheses of the best continuations. */
  private take(): void {
    const { live, next, origins, steps, scores, uses, walk, free } = this;
    uses.fill(0, 0, this.size);
    for (let k = 0; k < this.count; k++) uses[origins[k]!]!++;
    for (let h = 0; h < this.size; h++) if (uses[h] === 0) free.push(live[h]!.c);
    for (let k = 0; k < this.count; k++) {
      const origin = live[origins[k]!]!.c;
      // The last continuation gets the configuration itself, the others get copies.
      const isLast = --uses[origins[k]!]! === 0;
      const c = isLast ? origin : this.configuration();
      if (!isLast) c.copy(origin);
      walk.c = c;
      if (steps[k]! < STAY) walk.decide(-2 - steps[k]!);
      else if (steps[k] !== STAY) walk.apply(steps[k]!);
      next[k] ??= { c, score: 0 };
      next[k]!.c = c;
      next[k]!.score = scores[k]!;
    }
    this.size = this.count;
    this.next = live;
    this.live = next;
  }

  private configuration(): SemanticConfiguration {
    return this.free.pop() ?? new SemanticConfiguration();
  }
}

/**
 * Will two derivations that have shifted a word, or will do so now, look the same to all features and preconditions
 * from then on? (Merging of states: Huang & Sagae 2010.) What has left the stack is not looked at again; of a word on
 * it count its sense, the roles that it gave, and the last one that it got.
 */
export function haveSameFuture(one: SemanticConfiguration, other: SemanticConfiguration, word: number): boolean {
  const size = sizeAfter(one, word);
  if (size !== sizeAfter(other, word)) return false;
  for (let k = size - 1; k >= 0; k--) {
    const node = k < one.stackSize ? one.stack[k]! : word;
    if (node !== (k < other.stackSize ? other.stack[k] : word) || one.senses[node] !== other.senses[node]) return false;
    if (lastRole(one, node) !== lastRole(other, node) || rolesOut(one, node) !== rolesOut(other, node)) return false;
  }
  return true;
}

/** The size of the stack once the word is shifted. */
function sizeAfter(c: SemanticConfiguration, word: number): number {
  return c.front > word ? c.stackSize : c.stackSize + 1;
}

function lastRole(c: SemanticConfiguration, argument: number): number {
  const last = c.lastIn[argument]!;
  return last === NONE ? NONE : c.roles[last]!;
}
