// Beam search for semantic roles, word by word (as Titov & Henderson 2007 do for syntax). The derivations of a sentence
// differ in length, but all shift every word: what is compared has shifted the same words. Within a word a derivation
// that has shifted it waits in the beam, with its score, until all others in it have, too.
import { rolesOut } from "../../features/roles/role-features.js";
import { exp, log } from "../../math/exp.js";
import { NONE } from "../../systems/configuration.js";
import { SemanticConfiguration } from "../../systems/roles/semantic-configuration.js";
import { SEM_SHIFT } from "../../systems/roles/semantic-system.js";
import type { RoleWalk } from "./role-walk.js";

/** A derivation as far as it has come. */
export interface RoleHypothesis {
  c: SemanticConfiguration;
  score: number;
  /** Its last step, 0 before the first. */
  step: number;
  /** Whether all of its steps were right, for a judge. */
  correct: boolean;
}

/** Says in training what is right in any configuration; whatever else is done there scores more by a margin. */
export interface RoleJudge {
  readonly margin: number;
  readonly senseMargin: number;
  /** The sense of b0 among candidates, NONE if it is no predicate. */
  sense(c: SemanticConfiguration, candidates: readonly number[]): number;
  /** The class of the transition. */
  move(c: SemanticConfiguration): number;
}

/** A derivation that has shifted the word does nothing more; other steps are classes, or senses, below 0. */
const STAY = 0;

/** The step that gives b0 a sense, or NONE. */
export function senseStep(sense: number): number {
  return -2 - sense;
}

/** The sense of such a step. */
export function senseOf(step: number): number {
  return -2 - step;
}

/** Scores that were looked up for the word at the front of the buffer, by what they depend on. */
interface Known {
  sum: number;
  s: number;
  features: Int32Array;
  scores: Int32Array;
}

/** Searches for the best derivation of a sentence that its `walk` has begun. */
export class RoleBeam {
  /** The hypotheses, best first; the first `size` of them. */
  live: RoleHypothesis[] = [];
  size = 0;
  judge: RoleJudge | undefined;
  unit = 0;
  senseUnit = 0;
  private next: RoleHypothesis[] = [];
  private readonly free: SemanticConfiguration[] = [];
  // The best continuations so far: their scores, hypotheses, steps, and whether these are right.
  private count = 0;
  private readonly scores: Float64Array;
  private readonly origins: Int32Array;
  private readonly steps: Int32Array;
  private readonly rights: Uint8Array;
  private readonly uses: Int32Array;
  // All steps that were taken: what they did, and the one before. Number 0 is the beginning.
  private taken = 1;
  private history = { steps: new Int32Array(1024), previous: new Int32Array(1024) };
  private readonly known: Known[] = [];
  private knownCount = 0;
  private readonly shift: number;
  /** The configuration of the walk when it is not looking at a hypothesis. */
  private readonly own: SemanticConfiguration;

  constructor(
    readonly walk: RoleWalk,
    readonly width: number,
  ) {
    this.scores = new Float64Array(width + 1);
    this.origins = new Int32Array(width + 1);
    this.steps = new Int32Array(width + 1);
    this.rights = new Uint8Array(width + 1);
    this.uses = new Int32Array(width);
    this.shift = walk.classOf(SEM_SHIFT, 0);
    this.own = walk.c;
  }

  /** Begins with the configuration of the walk, which is an initial one. */
  begin(): void {
    const { live } = this;
    for (let h = 0; h < this.size; h++) this.free.push(live[h]!.c);
    const c = this.configuration();
    c.copy(this.own);
    live[0] = { c, score: 0, step: 0, correct: true };
    this.size = 1;
    this.taken = 1;
  }

  /** Goes on until every hypothesis has shifted the next word; false if there is none. */
  nextWord(): boolean {
    const word = this.live[0]!.c.b;
    if (word === NONE) return false;
    this.knownCount = 0;
    this.decide();
    while (this.isAnyAt(word)) this.advance(word);
    this.walk.c = this.own;
    return true;
  }

  /** Goes to the end, and leaves the walk with the best configuration. */
  run(): void {
    this.begin();
    while (this.nextWord());
    this.own.copy(this.live[0]!.c);
  }

  /** The steps from the beginning to a step, into a list; gives their number. */
  path(step: number, into: number[]): number {
    const { steps, previous } = this.history;
    let length = 0;
    for (let at = step; at > 0; at = previous[at]!) length++;
    let k = length;
    for (let at = step; at > 0; at = previous[at]!) into[--k] = steps[at]!;
    return length;
  }

  /** The scores of the classes in the configuration of the walk, looked up once for all that look the same. */
  score(): Int32Array {
    const { walk, known } = this;
    const features = walk.pair();
    const s = walk.c.s(0);
    let sum = 0;
    for (let k = 0; k < features.length; k++) sum = (sum + features[k]!) | 0;
    for (let k = 0; k < this.knownCount; k++) {
      const { sum: other, s: top, features: others, scores } = known[k]!;
      if (other === sum && top === s && others.every((feature, i) => feature === features[i])) return scores;
    }
    if (this.knownCount === known.length) {
      known.push({ sum, s, features: new Int32Array(features.length), scores: new Int32Array(walk.classes) });
    }
    const own = known[this.knownCount++]!;
    own.sum = sum;
    own.s = s;
    own.features.set(features);
    own.scores.set(walk.score(features).subarray(0, walk.classes));
    if (this.unit > 0) {
      const count = walk.permitted();
      let most = Number.NEGATIVE_INFINITY;
      for (let k = 0; k < count; k++) most = Math.max(most, own.scores[walk.open[k]!]!);
      let sum = 0;
      for (let k = 0; k < count; k++) sum += exp((own.scores[walk.open[k]!]! - most) / this.unit);
      const base = Math.round(most + this.unit * log(sum));
      for (let k = 0; k < count; k++) own.scores[walk.open[k]!]! -= base;
    }
    return own.scores;
  }

  private isAnyAt(word: number): boolean {
    for (let h = 0; h < this.size; h++) if (this.live[h]!.c.front === word) return true;
    return false;
  }

  /** PRED or NO-PRED. Which senses there are, and their scores, does not depend on the derivation. */
  private decide(): void {
    const { walk, live, judge } = this;
    walk.c = live[0]!.c;
    const candidates = walk.candidates();
    const scores = walk.scoreSenses(candidates);
    this.count = 0;
    const ratio = this.senseUnit > 0 ? this.unit / this.senseUnit : 1;
    for (let h = 0; h < this.size; h++) {
      const { score, c } = live[h]!;
      const right = judge ? judge.sense(c, candidates) : 0;
      const margin = judge ? judge.senseMargin : 0;
      this.offer(score + (right === NONE ? 0 : margin), h, senseStep(NONE), right === NONE);
      for (let k = 0; k < candidates.length; k++) {
        const isRight = candidates[k] === right;
        this.offer(score + ratio * scores[k]! + (isRight ? 0 : margin), h, senseStep(candidates[k]!), isRight);
      }
    }
    this.take();
  }

  /** A step of all hypotheses that have not shifted the word yet. */
  private advance(word: number): void {
    const { walk, live, judge, shift } = this;
    this.count = 0;
    for (let h = 0; h < this.size; h++) {
      const { score, c } = live[h]!;
      if (c.front > word) {
        this.offerEnd(word, score, h, STAY, true);
        continue;
      }
      walk.c = c;
      if (!walk.isOpen) {
        this.offerEnd(word, score, h, shift, true);
        continue;
      }
      const right = judge ? judge.move(c) : 0;
      const scores = this.score();
      const margin = judge ? judge.margin : 0;
      const count = walk.permitted();
      for (let k = 0; k < count; k++) {
        const cls = walk.open[k]!;
        const own = score + scores[cls]! + (cls === right ? 0 : margin);
        if (cls === shift) this.offerEnd(word, own, h, cls, cls === right);
        else this.offer(own, h, cls, cls === right);
      }
    }
    this.take();
  }

  /** Puts a continuation into its place if it is among the best; of equals the first one is before the others. */
  private offer(score: number, origin: number, step: number, isRight: boolean): void {
    const { scores, origins, steps, rights, width } = this;
    if (this.count === width && score <= scores[width - 1]!) return;
    let k = this.count < width ? this.count++ : width - 1;
    for (; k > 0 && scores[k - 1]! < score; k--) {
      scores[k] = scores[k - 1]!;
      origins[k] = origins[k - 1]!;
      steps[k] = steps[k - 1]!;
      rights[k] = rights[k - 1]!;
    }
    scores[k] = score;
    origins[k] = origin;
    steps[k] = step;
    rights[k] = isRight ? 1 : 0;
  }

  /** The same for one that is done with the word: of those that nothing can tell apart any more the best one goes on. */
  private offerEnd(word: number, score: number, origin: number, step: number, isRight: boolean): void {
    const { scores, origins, steps, rights, live, shift } = this;
    const { c } = live[origin]!;
    for (let k = 0; k < this.count; k++) {
      if (steps[k] !== STAY && steps[k] !== shift) continue;
      if (!haveSameFuture(live[origins[k]!]!.c, c, word)) continue;
      if (scores[k]! >= score) return;
      this.count--;
      for (let i = k; i < this.count; i++) {
        scores[i] = scores[i + 1]!;
        origins[i] = origins[i + 1]!;
        steps[i] = steps[i + 1]!;
        rights[i] = rights[i + 1]!;
      }
      break;
    }
    this.offer(score, origin, step, isRight);
  }

  /** Makes hypotheses of the best continuations. */
  private take(): void {
    const { live, next, origins, steps, scores, rights, uses, walk, free } = this;
    uses.fill(0, 0, this.size);
    for (let k = 0; k < this.count; k++) uses[origins[k]!]!++;
    for (let h = 0; h < this.size; h++) if (uses[h] === 0) free.push(live[h]!.c);
    for (let k = 0; k < this.count; k++) {
      const origin = live[origins[k]!]!;
      let { c, step } = origin;
      // The last continuation has the configuration, the others have copies.
      if (--uses[origins[k]!]! > 0) {
        c = this.configuration();
        c.copy(origin.c);
      }
      const own = steps[k]!;
      if (own !== STAY) {
        walk.c = c;
        if (own < STAY) walk.decide(senseOf(own));
        else walk.apply(own);
        step = this.record(own, step);
      }
      next[k] ??= { c, score: 0, step: 0, correct: true };
      const hypothesis = next[k]!;
      hypothesis.c = c;
      hypothesis.score = scores[k]!;
      hypothesis.step = step;
      hypothesis.correct = origin.correct && rights[k] === 1;
    }
    this.size = this.count;
    this.next = live;
    this.live = next;
  }

  private configuration(): SemanticConfiguration {
    return this.free.pop() ?? new SemanticConfiguration();
  }

  private record(step: number, previous: number): number {
    const { history, taken } = this;
    if (taken === history.steps.length) {
      const wider = { steps: new Int32Array(2 * taken), previous: new Int32Array(2 * taken) };
      wider.steps.set(history.steps);
      wider.previous.set(history.previous);
      this.history = wider;
    }
    this.history.steps[taken] = step;
    this.history.previous[taken] = previous;
    return this.taken++;
  }
}

/**
 * Will two derivations that have shifted the same words, or will now, look the same to all features and preconditions
 * from now on? (Merging of states: Huang & Sagae 2010.) What is not on the stack will not be looked at again; of a word
 * on it, its sense, the roles that it gave, and the last one that it got.
 */
function haveSameFuture(one: SemanticConfiguration, other: SemanticConfiguration, word: number): boolean {
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
