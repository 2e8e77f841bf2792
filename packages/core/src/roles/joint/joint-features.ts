// The features that the two halves of a derivation have of each other when syntax and roles are decided together
// (Henderson, Merlo, Titov & Musillo 2013): the semantic half sees the arcs that are there yet, what is on the stack of
// syntax and the tags of the words to come; the syntactic half sees senses and roles of the words that the next
// transition is about.

import { ABSENT } from "../../features/columns.js";
import { hashString, mix } from "../../math/hash.js";
import { type Configuration, NONE } from "../../systems/configuration.js";
import { PATH_FEATURE, RoleFeatures, rolesOut } from "../features/role-features.js";
import type { SemanticConfiguration } from "../system/semantic-configuration.js";

/** The features of the semantic half that syntactic transitions depend on. */
export const MOVE_FEATURES = 22;

const MOVES = 0x2545f491;
/** Deeper words on the stack of syntax are not told apart. */
const DEEPEST = 4;

/** Parts of speech that stand before a noun or between a verb and its object … */
const PASSED = new Set(["DET", "ADJ", "NUM", "ADV", "AUX"].map((tag) => hashString(tag)));
/** … or begin a phrase and may be a particle. */
const MARKERS = new Set(["ADP", "PART", "SCONJ"].map((tag) => hashString(tag)));
/** The arcs of so many words are looked at again with each new one: the time stays linear in their number. */
const AGAIN = 256;
/** So many words ahead are looked at. */
const AHEAD = 6;

/** Describes both halves of a derivation to each other; `bind` comes first. */
export class JointFeatures extends RoleFeatures {
  private c: Configuration | undefined;
  private readonly labels: string[] = [];

  /** `names`: the relations by their numbers. */
  constructor(private readonly names: readonly string[]) {
    super();
  }

  /** The part of the tree up to word b, the last that syntax has taken. Words far back are as they were. */
  grow(c: Configuration, b: number): void {
    this.c = c;
    const from = Math.max(1, b - AGAIN + 1);
    for (let i = from; i <= b; i++) this.labels[i] = c.heads[i] === NONE ? "" : this.names[c.labels[i]!]!;
    this.see({ heads: c.heads, labels: this.labels }, b, from);
  }

  /** Word i of the sentence in a column; ABSENT beyond its end. */
  private at(column: number, i: number): number {
    return i > 0 && i <= this.length ? this.columns.columns[column]![i]! : ABSENT;
  }

  /**
   * The word after i that is likely to be its object, or the first word of what is: without arcs to the right a guess.
   */
  private objectOf(i: number): number {
    let next = i + 1;
    while (next <= i + AHEAD && PASSED.has(this.at(2, next))) next++;
    return next;
  }

  /** The next preposition, particle or conjunction. */
  private markerOf(i: number): number {
    let next = i + 1;
    while (next <= i + AHEAD && !MARKERS.has(this.at(2, next))) next++;
    return next <= i + AHEAD ? next : 0;
  }

  /** The word on the stack of syntax below b, or on top if b is not there. */
  private below(b: number): number {
    const top = this.c!.s(0);
    return top === b ? this.c!.s(1) : top;
  }

  override predicate(i: number): void {
    super.predicate(i);
    const t = this.below(i);
    const [lemma, upos] = [this.at(1, i), this.at(2, i)];
    const [first, second, third] = [this.at(2, i + 1), this.at(2, i + 2), this.at(2, i + 3)];
    const relation = this.relations[i]!;
    this.add(mix(lemma, mix(first, second)));
    this.add(mix(mix(upos, first), mix(second, third)));
    this.add(mix(mix(upos, relation), mix(first, second)));
    this.add(mix(lemma, this.at(1, t)));
    this.add(mix(lemma, mix(this.at(2, t), 1)));
    this.add(mix(upos, mix(this.at(2, t), relation)));
    this.add(mix(lemma, mix(this.at(1, i + 3), 2)));
    const [object, marker] = [this.objectOf(i), this.markerOf(i)];
    this.add(mix(lemma, mix(this.at(2, object), 3)));
    this.add(mix(lemma, mix(this.at(1, object), 4)));
    this.add(mix(mix(upos, relation), this.at(2, object)));
    this.add(mix(lemma, mix(this.at(1, marker), 5)));
    this.add(mix(lemma, mix(this.at(1, marker), this.at(2, object))));
  }

  override pair(c: SemanticConfiguration, senses: Int32Array): Int32Array {
    super.pair(c, senses);
    const { b } = c;
    const s = c.s(0);
    const path = this.features[PATH_FEATURE]!;
    const deep = this.depth(s);
    const t = this.below(b);
    const [first, second] = [this.at(2, b + 1), this.at(2, b + 2)];
    const [sp, bp] = [this.at(2, s), this.at(2, b)];
    const [ss, bs] = [senses[s]!, senses[b]!];
    const [sr, br] = [this.relations[s]!, this.relations[b]!];
    this.add(mix(deep, mix(sp, bp)));
    this.add(mix(deep, mix(path, 1)));
    this.add(mix(deep, mix(ss, bp)));
    this.add(mix(deep, mix(bs, sp)));
    this.add(mix(deep, mix(sr, br)));
    this.add(mix(mix(deep, first), mix(sp, bp)));
    this.add(mix(first, mix(bs, sr)));
    this.add(mix(first, mix(bs, path)));
    this.add(mix(mix(first, second), mix(bs, sr)));
    this.add(mix(mix(first, second), mix(bp, path)));
    this.add(mix(this.at(1, b + 1), mix(bs, sr)));
    this.add(mix(this.at(1, b + 1), mix(ss, br)));
    this.add(mix(mix(this.at(2, t), s === t ? 1 : 0), mix(path, 2)));
    this.add(mix(mix(this.at(1, t), s === t ? 1 : 0), mix(bs, sr)));
    return this.features.subarray(0, this.count);
  }

  /** Where a word is on the stack of syntax, from its top; the last number if it has left it. */
  private depth(word: number): number {
    const { stackSize } = this.c!;
    for (let i = 0; i < stackSize && i < DEEPEST; i++) if (this.c!.s(i) === word) return i;
    return this.c!.heads[word] === NONE ? DEEPEST : DEEPEST + 1;
  }

  /** The features of the next transition of syntax besides templates. */
  moves(syntax: Configuration, c: SemanticConfiguration, senses: Int32Array): Int32Array {
    const [s0, s1, b] = [syntax.s(0), syntax.s(1), syntax.b(0)];
    const [s0p, s1p, bp] = [this.at(2, s0), this.at(2, s1), this.at(2, b)];
    const bl = this.at(1, b);
    const own = (word: number, what: (word: number) => number) => (word > 0 ? what(word) : 0);
    const sense = (word: number) => senses[word]!;
    const out = (word: number) => rolesOut(c, word);
    const given = (word: number) => (c.lastIn[word] === NONE ? 0 : c.roles[c.lastIn[word]!]! + 1);
    const [ss0, ss1] = [own(s0, sense), own(s1, sense)];
    const [out0, out1] = [own(s0, out), own(s1, out)];
    const [in0, in1] = [own(s0, given), own(s1, given)];
    const between = s0 > 0 && s1 > 0 ? mix(c.role(s1, s0), c.role(s0, s1)) : 0;
    const t = c.s(0);
    const ts = own(t, sense);
    const place = t === NONE ? 0 : t === s0 ? 1 : t === s1 ? 2 : 3;
    this.begin(MOVES);
    this.add(mix(ss0, bp));
    this.add(mix(ss0, bl));
    this.add(mix(mix(ss0, out0), bp));
    this.add(mix(mix(ss0, out0), bl));
    this.add(mix(out0, mix(s0p, bp)));
    this.add(mix(mix(ss0, out0), mix(bp, this.at(2, b + 1))));
    this.add(mix(in0, mix(s0p, bp)));
    this.add(mix(mix(in0, out0), mix(s0p, bp)));
    this.add(mix(in0, bl));
    this.add(mix(mix(ss1, out1), mix(s0p, bp)));
    this.add(mix(out1, mix(s1p, mix(s0p, bp))));
    this.add(mix(ss1, mix(s0p, bp)));
    this.add(mix(mix(in1, out1), mix(s1p, bp)));
    this.add(mix(between, mix(s0p, s1p)));
    this.add(mix(between, mix(s0p, mix(s1p, bp))));
    this.add(mix(mix(between, ss1), mix(s0p, bp)));
    this.add(mix(mix(ss0, ss1), bp));
    this.add(mix(place, mix(s0p, bp)));
    this.add(mix(mix(place, ts), bp));
    this.add(mix(mix(this.at(2, t), place), mix(s0p, bp)));
    this.add(mix(mix(ss0, this.at(1, s0)), mix(bp, syntax.rightValency[Math.max(0, s0)]!)));
    this.add(mix(mix(out0, s0p), mix(bp, syntax.rightValency[Math.max(0, s0)]!)));
    return this.features.subarray(0, MOVE_FEATURES);
  }
}
