// The features of a labeller of semantic roles: of a word that may be a predicate, and of the two words that the next
// transition is about, s0 and b0. The path between them in the tree, their relations and the markers of their phrases
// (Gildea & Jurafsky 2002; Johansson & Nugues 2008), and what the semantic half of the derivation has built.

import { ABSENT, Columns, type Words } from "../../features/columns.js";
import { hashString, mix, scramble } from "../../math/hash.js";
import { NONE } from "../../systems/configuration.js";
import type { SemanticConfiguration } from "../system/semantic-configuration.js";

/** The tree that roles are found in: head and relation of each word, from index 1. */
export interface RoleTree {
  readonly heads: ArrayLike<number>;
  readonly labels: ArrayLike<string>;
}

/** No list of features is longer. */
export const MOST_ROLE_FEATURES = 128;

/** Which of the features of a pair is the path between the two words alone. */
export const PATH_FEATURE = 1;

/** Words further from the root are not told apart by how far: hardly a tree is that deep. */
const DEEPEST_TREE = 1000;
/** Longer paths are not told apart by what is beyond. */
const LONGEST_PATH = 10;
/** A predicate of any sense. */
const ANY_SENSE = 0x27d4eb2f;
const PREDICATE = 0x165667b1;
const PAIR = 0x61c88647;

// XPOS is left out: whoever adds roles to a model may have a treebank with other tags, or none.
const ATTRIBUTES = ["lower", "lemma", "upos", "suffix3", "feats"] as const;

function distanceStep(distance: number): number {
  return distance < 5 ? distance : distance < 8 ? 5 : distance < 12 ? 6 : distance < 20 ? 7 : 8;
}

/** Describes the words of one sentence and the transitions between them; `bind` comes first. */
export class RoleFeatures {
  protected readonly columns = new Columns(ATTRIBUTES);
  protected readonly features: Int32Array = new Int32Array(MOST_ROLE_FEATURES);
  private readonly combined: Int32Array = new Int32Array(2 * MOST_ROLE_FEATURES);
  protected count = 0;
  private salt = 0;
  protected length = 0;
  private heads: ArrayLike<number> = [];
  /** Relations as numbers; the relations of each word's dependents as a set; the last word that depends on it. */
  protected relations: Int32Array = new Int32Array(0);
  private frames: Int32Array = new Int32Array(0);
  private rightEdges: Int32Array = new Int32Array(0);
  private depths: Int32Array = new Int32Array(0);
  /** Lemmas of dependents: preposition, conjunction, particle, subject, object; and whether it is passive. */
  private cases: Int32Array = new Int32Array(0);
  private marks: Int32Array = new Int32Array(0);
  private particles: Int32Array = new Int32Array(0);
  private subjects: Int32Array = new Int32Array(0);
  private objects: Int32Array = new Int32Array(0);
  private passives: Int32Array = new Int32Array(0);
  // Of the path that `path` found last.
  private pathTags = 0;
  private pathLength = 0;

  bind(words: Words, tree: RoleTree): void {
    const n = words.length;
    this.length = n;
    this.columns.read(words);
    if (this.relations.length < n + 1) {
      for (const name of ARRAYS) this[name] = new Int32Array(2 * n + 2);
    }
    for (const name of ARRAYS) this[name].fill(0, 0, n + 1);
    this.see(tree, Math.min(n, tree.heads.length - 1));
  }

  /** Takes in a tree over the words, or what there is of it yet: its first n words; those before `from` stay. */
  protected see({ heads, labels }: RoleTree, n: number, from = 1): void {
    this.heads = heads;
    // The front of the buffer may have dependents already.
    for (const name of ARRAYS) this[name].fill(0, from, Math.min(this.length, n + 1) + 1);
    const lemmas = this.columns.columns[1]!;
    for (let i = from; i <= n; i++) {
      const h = heads[i]!;
      const label = labels[i] ?? "";
      this.relations[i] = hashString(label);
      this.rightEdges[i] = Math.max(this.rightEdges[i]!, i);
      let [depth, top] = [0, i];
      for (; top > 0 && depth < DEEPEST_TREE; top = heads[top]!) depth++;
      this.depths[i] = depth;
      for (let up = h, k = 0; up >= from && k < DEEPEST_TREE; up = heads[up]!, k++) {
        if (this.rightEdges[up]! >= i) break;
        this.rightEdges[up] = i;
      }
      if (h < from) continue;
      const relation = label.split(":", 1)[0]!;
      if (relation !== "punct") this.frames[h]! += scramble(this.relations[i]!);
      if (relation === "case") this.cases[h] = mix(this.cases[h]!, lemmas[i]!);
      else if (relation === "mark") this.marks[h] = mix(this.marks[h]!, lemmas[i]!);
      else if (relation === "nsubj" || relation === "csubj") this.subjects[h] = lemmas[i]!;
      else if (relation === "obj" || relation === "ccomp" || relation === "xcomp") this.objects[h] = lemmas[i]!;
      if (label === "compound:prt") this.particles[h] = lemmas[i]!;
      if (label.endsWith(":pass")) this.passives[h] = 1;
    }
  }

  /** The features of the decision whether word i is a predicate. */
  predicate(i: number): void {
    const [words, lemmas, upos, suffixes, feats] = this.columns.columns as Int32Array[];
    const { relations, heads, length: n } = this;
    this.begin(PREDICATE);
    const h = Math.max(0, heads[i]!);
    const lemma = lemmas![i]!;
    const tag = mix(upos![i]!, feats![i]!);
    const relation = relations[i]!;
    const before = i > 1 ? lemmas![i - 1]! : ABSENT;
    const after = i < n ? lemmas![i + 1]! : ABSENT;
    const prt = this.particles[i]!;
    this.add(1);
    this.add(lemma);
    this.add(words![i]!);
    this.add(mix(lemma, upos![i]!));
    this.add(mix(upos![i]!, 2));
    this.add(tag);
    this.add(mix(upos![i]!, suffixes![i]!));
    this.add(mix(upos![i]!, relation));
    this.add(mix(lemma, relation));
    this.add(mix(tag, mix(relation, upos![h]!)));
    this.add(mix(lemma, lemmas![h]!));
    this.add(mix(relation, lemmas![h]!));
    this.add(mix(lemma, prt));
    this.add(mix(this.particles[i]!, upos![i]!));
    this.add(mix(lemma, this.frames[i]!));
    this.add(mix(upos![i]!, mix(this.frames[i]!, 3)));
    this.add(mix(lemma, mix(this.objects[i]!, 4)));
    this.add(mix(lemma, mix(this.subjects[i]!, 5)));
    this.add(mix(lemma, mix(this.cases[i]!, 6)));
    this.add(mix(upos![i]!, mix(this.cases[i]!, 7)));
    this.add(mix(upos![i]!, mix(this.marks[i]!, 8)));
    this.add(mix(lemma, mix(this.marks[i]!, 8)));
    this.add(mix(lemma, mix(before, 9)));
    this.add(mix(lemma, mix(after, 10)));
    this.add(mix(tag, mix(before, 11)));
    this.add(mix(tag, mix(after, 12)));
    this.add(mix(lemma, mix(i > 1 ? upos![i - 1]! : ABSENT, 13)));
    this.add(mix(lemma, mix(i < n ? upos![i + 1]! : ABSENT, 14)));
    this.add(mix(mix(tag, relation), mix(i > 1 ? upos![i - 1]! : ABSENT, i < n ? upos![i + 1]! : ABSENT)));
    this.add(mix(lemma, mix(this.passives[i]!, 15)));
    this.add(mix(lemma, mix(upos![h]!, 16)));
    this.add(mix(lemma, mix(i < n - 1 ? lemmas![i + 2]! : ABSENT, 17)));
  }

  /** The features of `predicate` for a sense, which has a number of its own. */
  sense(sense: number): Int32Array {
    const { features, combined, count } = this;
    for (let k = 0; k < count; k++) {
      combined[k] = scramble(mix(features[k]!, ANY_SENSE)) || 1;
      combined[count + k] = scramble(mix(features[k]!, sense)) || 1;
    }
    return combined.subarray(0, 2 * count);
  }

  /** The features of the next transition once b0 is decided and there is an s0. `senses`: numbers of the senses. */
  pair(c: SemanticConfiguration, senses: Int32Array): Int32Array {
    const [words, lemmas, upos, , feats] = this.columns.columns as Int32Array[];
    const { relations, frames, cases, marks, passives, heads, rightEdges, length: n } = this;
    const s = c.s(0);
    const b = c.b;
    const t = c.s(1);
    const isHeadS = c.senses[s] !== NONE;
    const isHeadB = c.senses[b] !== NONE;
    const left = isHeadB ? c.role(b, s) : NONE;
    const right = isHeadS ? c.role(s, b) : NONE;
    this.begin(mix(PAIR, (isHeadS ? 1 : 0) | (isHeadB ? 2 : 0) | (left !== NONE ? 4 : 0) | (right !== NONE ? 8 : 0)));

    const [sl, bl] = [lemmas![s]!, lemmas![b]!];
    const [sp, bp] = [upos![s]!, upos![b]!];
    const [sr, br] = [relations[s]!, relations[b]!];
    const [sc, bc] = [cases[s]!, cases[b]!];
    const [sm, bm] = [marks[s]!, marks[b]!];
    const [ss, bs] = [senses[s]!, senses[b]!];
    const [sv, bv] = [passives[s]!, passives[b]!];
    const sRoles = rolesOut(c, s);
    const bRoles = rolesOut(c, b);
    const sGiven = c.lastIn[s] === NONE ? 0 : c.roles[c.lastIn[s]!]! + 1;
    const bGiven = c.lastIn[b] === NONE ? 0 : c.roles[c.lastIn[b]!]! + 1;
    const near = distanceStep(b - s);

    // The stack below, and the words to come for s0.
    const below = t === NONE ? ABSENT : this.path(t, b);
    const belowLength = t === NONE ? 0 : this.pathLength;
    const path = this.path(s, b);
    const pathTags = this.pathTags;
    const pathLength = this.pathLength;
    let links = 0;
    let first = 0;
    for (let depth = 1; depth < c.stackSize; depth++) {
      const node = c.s(depth);
      if (heads[node] !== b && heads[b] !== node) continue;
      links++;
      if (first === 0) first = depth;
    }
    const wanted = Math.min(links, 3) * 4 + Math.min(first, 3);
    const h = heads[s]!;
    const future = (h > b ? 1 : h === b ? 2 : h <= 0 ? 3 : 0) * 2 + (rightEdges[s]! >= b ? 1 : 0);
    const uncle = h > 0 && h !== b && heads[h]! > b ? 1 : 0;

    this.add(1);
    this.add(mix(path, 2));
    this.add(mix(pathTags, 3));
    this.add(mix(path, mix(sl, 4)));
    this.add(mix(path, mix(bl, 5)));
    this.add(mix(path, mix(sp, bp)));
    this.add(mix(path, mix(ss, 6)));
    this.add(mix(path, mix(bs, 7)));
    this.add(mix(path, mix(sv, bv) + 8));
    this.add(mix(path, mix(near, 9)));
    this.add(mix(sl, bl));
    this.add(mix(sl, 10));
    this.add(mix(bl, 11));
    this.add(mix(mix(sl, sp), mix(bp, 12)));
    this.add(mix(mix(bl, bp), mix(sp, 13)));
    this.add(mix(sr, mix(br, 14)));
    this.add(mix(mix(sr, sp), mix(br, bp)));
    this.add(mix(near, mix(sp, bp) + 15));
    this.add(mix(mix(sp, feats![s]!), mix(bp, feats![b]!)));
    this.add(mix(bs, mix(sr, sp)));
    this.add(mix(ss, mix(br, bp)));
    this.add(mix(bs, mix(sl, 17)));
    this.add(mix(ss, mix(bl, 18)));
    this.add(mix(bs, mix(sc, sr)));
    this.add(mix(ss, mix(bc, br)));
    this.add(mix(sc, mix(path, 19)));
    this.add(mix(bc, mix(path, 20)));
    this.add(mix(sm, mix(path, 21)));
    this.add(mix(bm, mix(path, 22)));
    this.add(mix(mix(sc, sl), mix(path, 23)));
    this.add(mix(mix(bc, bl), mix(path, 24)));
    this.add(mix(sRoles, mix(path, 25)));
    this.add(mix(bRoles, mix(path, 26)));
    this.add(mix(mix(sRoles, ss), mix(br, 27)));
    this.add(mix(mix(bRoles, bs), mix(sr, 28)));
    this.add(mix(mix(sRoles, ss), mix(path, 29)));
    this.add(mix(mix(bRoles, bs), mix(path, 30)));
    this.add(mix(sGiven, mix(path, 31)));
    this.add(mix(bGiven, mix(path, 32)));
    this.add(mix(mix(frames[s]!, ss), mix(br, 33)));
    this.add(mix(mix(frames[b]!, bs), mix(sr, 34)));
    this.add(mix(mix(frames[s]!, sv), mix(path, 35)));
    this.add(mix(mix(frames[b]!, bv), mix(path, 36)));
    this.add(mix(mix(bv, bs), mix(sr, 37)));
    this.add(mix(mix(sv, ss), mix(br, 38)));
    this.add(mix(words![s]!, mix(path, 39)));
    this.add(mix(words![b]!, mix(path, 40)));
    // The stack.
    this.add(mix(below, 41));
    this.add(mix(below, mix(path, 42)));
    this.add(mix(below, mix(bs, 43)));
    this.add(mix(below, mix(t === NONE ? 0 : senses[t]!, 44)));
    this.add(mix(mix(t === NONE ? ABSENT : upos![t]!, t === NONE ? ABSENT : relations[t]!), mix(sp, sr) + 45));
    this.add(mix(wanted, 46));
    this.add(mix(wanted, mix(bp, 47)));
    this.add(mix(wanted, mix(bs, 48)));
    this.add(mix(wanted, mix(path, 49)));
    this.add(mix(mix(wanted, belowLength), mix(pathLength, 50)));
    // The words to come.
    this.add(mix(future, 51));
    this.add(mix(future, mix(sp, sr)));
    this.add(mix(future, mix(ss, 52)));
    this.add(mix(future, mix(sl, 53)));
    this.add(mix(future, mix(path, 54)));
    this.add(mix(mix(future, uncle), mix(h > 0 ? relations[h]! : ABSENT, 55)));
    this.add(mix(mix(future, sr), mix(h > 0 ? upos![h]! : ABSENT, h > 0 ? relations[h]! : ABSENT)));
    this.add(mix(mix(sRoles, sGiven), mix(future, 56)));
    this.add(mix(mix(sRoles, ss), mix(future, 57)));
    this.add(mix(b < n ? upos![b + 1]! : ABSENT, mix(path, 58)));
    this.add(mix(s > 1 ? lemmas![s - 1]! : ABSENT, mix(path, 59)));
    this.add(mix(c.isSwapped ? 1 : 0, mix(left, right) + 60));
    this.add(mix(mix(left, right), mix(path, 61)));
    return this.features.subarray(0, this.count);
  }

  /** A number for the relations on the way from one word to another, and for the tags. */
  private path(from: number, to: number): number {
    const { heads, relations, depths } = this;
    const upos = this.columns.columns[2]!;
    let [up, down] = [1, 1];
    let tags = 0;
    let steps = 0;
    let [a, b] = [from, to];
    while (a !== b && a > 0 && b > 0 && steps < LONGEST_PATH) {
      steps++;
      if (depths[a]! >= depths[b]!) {
        up = mix(up, relations[a]!);
        tags = mix(tags, upos[a]!);
        a = heads[a]!;
      } else {
        down = mix(down, relations[b]!);
        tags = mix(tags, upos[b]! + 1);
        b = heads[b]!;
      }
    }
    this.pathLength = steps;
    this.pathTags = mix(tags, a > 0 ? upos[a]! : ABSENT);
    return mix(up, mix(down, a === b ? 1 : 2));
  }

  protected begin(salt: number): void {
    this.count = 0;
    this.salt = salt;
  }

  protected add(value: number): void {
    // Every template has a number of its own, and 0 stands for no feature.
    this.features[this.count] = scramble(mix(value, mix(this.salt, this.count))) || 1;
    this.count++;
  }
}

const ARRAYS = [
  ...(["relations", "frames", "rightEdges", "depths", "cases", "marks"] as const),
  ...(["particles", "subjects", "objects", "passives"] as const),
] as const;

/** A number for the roles that a predicate has given so far. */
export function rolesOut(c: SemanticConfiguration, predicate: number): number {
  let set = 0;
  for (let a = c.lastOut[predicate]!; a !== NONE; a = c.previousOut[a]!) set += scramble(c.roles[a]! + 1);
  return set;
}
