import type { Columns } from "../../features/columns.js";
import { STEPS, type Step, type TemplateSet, TREE_ATTRIBUTES } from "../../features/templates.js";
import { type Configuration, HISTORY, IN_BUFFER, NONE, ON_STACK } from "../../systems/configuration.js";
import type { TransitionSystem } from "../../systems/system.js";
import type { Hypothesis } from "./hypothesis.js";

/** The view of templates on the node at the end of a path. */
interface View {
  readonly path: Int32Array;
  /** The columns of words that are looked at. */
  readonly columns: Int32Array;
  /** Whether it matters which node it is and not only what it looks like, because distances to it are measured. */
  readonly itself: boolean;
  readonly label: boolean;
  readonly leftValency: boolean;
  readonly rightValency: boolean;
  readonly leftLabels: boolean;
  readonly rightLabels: boolean;
}

/** From so many nodes on stack and buffer on it is quicker to look for what differs than to look at all. */
const MANY = 64;

const [HEAD, LEFT, LEFT2, RIGHT, RIGHT2, PREVIOUS] = STEPS.map((_, i) => i);

/**
 * State merging (Huang & Sagae 2010): finds hypotheses that neither a feature nor a permission can ever tell apart,
 * whatever follows. They have the same buffer and the same stack, and every node that can still be looked at looks the
 * same: those of stack and buffer, in LR-spines those of the spines. All else is settled and out of sight; the best of
 * such hypotheses is the best for good.
 *
 * The view from a node follows from the templates. One that has s0l.tag sees the leftmost dependent of a node on
 * the stack, should that come to the top, and the tag of the node itself, should it become a leftmost dependent: so the
 * ends of paths are paths, too. And the outermost dependent may become the second.
 */
export class StateMerger {
  protected readonly views: readonly View[];
  /** How many nodes of the buffer see nodes before it. */
  private readonly lookBack: number;
  private readonly spines: boolean;
  private readonly reorders: boolean;
  private readonly wholeTree: boolean;
  /** Whether it is enough to look at what differs and what sees it. */
  private readonly comparesDifferences: boolean;
  /** The steps of the longest path, and whether one goes to the word before or after. */
  private readonly longestPath: number;
  private readonly looksBeside: boolean;
  private readonly places: number[] = [];
  /** How many of the last transitions templates look at. */
  private readonly history: number;
  /** Whether templates look at the ends of spines when 0 is shifted, to which nothing is attached any more. */
  private readonly endsOfSpines: boolean;
  private readonly table: (Hypothesis | undefined)[];
  private readonly filled: Int32Array;
  private count = 0;

  constructor(
    system: TransitionSystem,
    templates: TemplateSet,
    private readonly columns: Columns,
    width: number,
  ) {
    this.spines = system.description.attachesToSpines;
    this.reorders = system.description.reordersWords;
    this.wholeTree = system.looksAtAllArcs;
    this.history = templates.atoms.reduce((n, atom) => (atom.kind === "history" ? Math.max(n, atom.index + 1) : n), 0);
    const { names = [], endsOfSpines = 0 } = templates.context ?? {};
    this.endsOfSpines = templates.positions.some(
      ({ base, index }) => base === "context" && index >= names.length - endsOfSpines,
    );
    const seen = endsOfPaths(templates);
    const paths = [...seen.keys()].map((key) => key.split(" ").filter(Boolean) as Step[]);
    this.lookBack = Math.max(0, ...paths.map((path) => path.filter((step) => step === "p").length));
    const { changesByMethods = false, extraArrays = 0 } = system.description;
    const headsComeFirst = paths.every(
      (path) => path.lastIndexOf("h") === path.filter((step) => step === "h").length - 1,
    );
    this.comparesDifferences =
      changesByMethods && extraArrays === 0 && headsComeFirst && !this.spines && !this.wholeTree;
    this.longestPath = Math.max(0, ...paths.map((path) => path.length));
    this.looksBeside = paths.some((path) => path.includes("p") || path.includes("n"));
    this.views = paths.map((path) => viewOf(path, seen.get(path.join(" "))!, columns));
    this.table = new Array(2 << (32 - Math.clz32(2 * width))).fill(undefined);
    this.filled = new Int32Array(width);
  }

  /** Forget the hypotheses. */
  clear(): void {
    for (let i = 0; i < this.count; i++) this.table[this.filled[i]!] = undefined;
    this.count = 0;
  }

  /** The hypothesis that was added before with the same state; if there is none this one is added. */
  add(hypothesis: Hypothesis): Hypothesis | undefined {
    const { table } = this;
    const mask = table.length - 1;
    let at = (hypothesis.finished ? 0 : this.hash(hypothesis.c)) & mask;
    for (let other = table[at]; other; other = table[at]) {
      if (this.isSame(other, hypothesis)) return other;
      at = (at + 1) & mask;
    }
    table[at] = hypothesis;
    this.filled[this.count++] = at;
    return undefined;
  }

  /**
   * Of some of what `isSame` compares: where hypotheses mostly differ, at the top of the stack and the front of the
   * buffer.
   */
  private hash(c: Configuration): number {
    let h = mixed(mixed(mixed(c.front, c.stackSize), c.s(2)), c.s(3));
    h = this.hashNode(c, c.s(0), h);
    h = this.hashNode(c, c.s(1), h);
    return this.hashNode(c, c.b(0), h);
  }

  private hashNode(c: Configuration, node: number, start: number): number {
    const { views } = this;
    let h = mixed(start, node);
    if (node < 0) return h;
    for (let v = 0; v < views.length; v++) {
      const view = views[v]!;
      const x = nodeAt(c, node, view.path);
      if (x < 0) continue;
      if (view.label) h = mixed(h, c.labels[x]!);
      if (view.leftLabels) h = mixed(h, c.leftLabels[x]!);
      if (view.rightLabels) h = mixed(h, c.rightLabels[x]!);
    }
    return h;
  }

  private isSame(one: Hypothesis, other: Hypothesis): boolean {
    const { c: a } = one;
    const { c: b } = other;
    if (one.correct !== other.correct || one.finished !== other.finished) return false;
    // Nothing follows any more.
    if (one.finished) return true;
    if (a.stackSize !== b.stackSize || a.front !== b.front) return false;
    if ((a.leftmost[0] === NONE) !== (b.leftmost[0] === NONE)) return false;
    if ((a.rightmost[0] === NONE) !== (b.rightmost[0] === NONE)) return false;
    for (let i = 0; i < this.history; i++) {
      if (a.history[i] !== b.history[i] || a.history[HISTORY + i] !== b.history[HISTORY + i]) return false;
    }
    const inSight = a.stackSize + (this.reorders ? a.bufferSize : 0);
    if (this.comparesDifferences && inSight > MANY) {
      if (!this.sameInSight(one, other)) return false;
      return this.reorders || this.sameBuffer(one, other);
    }
    const { stack } = a;
    for (let i = a.stackSize - 1; i >= 0; i--) {
      const node = stack[i]!;
      if (node !== b.stack[i] || !this.staysSame(one, other, node)) return false;
      if (this.spines && !this.sameSpines(one, other, i)) return false;
    }
    for (let e = 0; e < a.extra.length; e++) {
      for (let x = 0; x <= a.length; x++) if (a.extra[e]![x] !== b.extra[e]![x]) return false;
    }
    // The rest that is kept may hold nodes that come back to the stack.
    for (let node = 0; node <= a.length && a.extra.length > 0; node++) {
      if (a.where[node] === ON_STACK && !this.staysSame(one, other, node)) return false;
    }
    if (this.wholeTree) {
      for (let node = 1; node <= a.length; node++) {
        if (a.heads[node] !== b.heads[node] || !this.looksSame(one, other, node)) return false;
      }
    }
    return this.sameBuffer(one, other);
  }

  private sameBuffer(one: Hypothesis, other: Hypothesis): boolean {
    const { c: a } = one;
    const { c: b } = other;
    const last = this.reorders ? a.end : Math.min(a.end, a.front + Math.max(1, this.lookBack));
    for (let i = a.front; i < last; i++) {
      const node = a.buffer[i]!;
      if (node !== b.buffer[i] || !this.looksSame(one, other, node)) return false;
    }
    return true;
  }

  /** Is a node that is on the stack the same? */
  private staysSame(one: Hypothesis, other: Hypothesis, node: number): boolean {
    // Arc-eager asks of nodes on the stack whether they have a head, and whether that is 0.
    return Math.min(one.c.heads[node]!, 1) === Math.min(other.c.heads[node]!, 1) && this.looksSame(one, other, node);
  }

  /**
   * Are stack and buffer the same, and what can be seen from their nodes? As long as the sentence is, only what differs
   * is looked at, and nodes in sight from which it can be seen: steps to dependents and to words beside lead back to
   * them. Steps to heads come first in every path, and what they lead to is on the stack and in sight itself.
   */
  private sameInSight(one: Hypothesis, other: Hypothesis): boolean {
    const { c: a } = one;
    const { c: b } = other;
    const { places, longestPath } = this;
    for (let i = this.differences(one, other, places) - 1; i >= 0; i--) {
      const place = places[i]!;
      if (place < a.stackSize && a.stack[place] !== b.stack[place]) return false;
      if (this.reorders && place >= a.front && place < a.end && a.buffer[place] !== b.buffer[place]) return false;
      if (!this.sameFrom(one, other, place, longestPath)) return false;
    }
    return true;
  }

  /** Write the places where two hypotheses differ into `out`; returns how many there are. */
  protected differences(one: Hypothesis, other: Hypothesis, out: number[]): number {
    return one.c.differences(other.c, out);
  }

  /** Do all nodes in sight look the same from which a node can be seen in so many steps? */
  private sameFrom(one: Hypothesis, other: Hypothesis, node: number, steps: number): boolean {
    const { c: a } = one;
    const { c: b } = other;
    const place = a.where[node];
    if (place === ON_STACK && !this.staysSame(one, other, node)) return false;
    if (place === IN_BUFFER && this.reorders && !this.looksSame(one, other, node)) return false;
    if (steps === 0) return true;
    const head = a.heads[node]!;
    const otherHead = b.heads[node]!;
    if (head >= 0 && !this.sameFrom(one, other, head, steps - 1)) return false;
    if (otherHead >= 0 && otherHead !== head && !this.sameFrom(one, other, otherHead, steps - 1)) return false;
    if (!this.looksBeside) return true;
    if (node > 1 && !this.sameFrom(one, other, node - 1, steps - 1)) return false;
    return node === 0 || node === a.length || this.sameFrom(one, other, node + 1, steps - 1);
  }

  /**
   * Nothing is ever attached to the left spine of the lowest tree, and to the right one of the topmost only if words
   * follow.
   */
  private sameSpines(one: Hypothesis, other: Hypothesis, place: number): boolean {
    const { c: a } = one;
    const { c: b } = other;
    const root = a.stack[place]!;
    if (place > 0) {
      for (
        let x = a.leftmost[root]!, y = b.leftmost[root]!;
        x !== NONE || y !== NONE;
        x = a.leftmost[x]!, y = b.leftmost[y]!
      ) {
        if (x !== y || !this.looksSame(one, other, x)) return false;
      }
    }
    if (place + 1 < a.stackSize || a.b(0) > 0 || (this.endsOfSpines && a.b(0) === 0)) {
      for (
        let x = a.rightmost[root]!, y = b.rightmost[root]!;
        x !== NONE || y !== NONE;
        x = a.rightmost[x]!, y = b.rightmost[y]!
      ) {
        if (x !== y || !this.looksSame(one, other, x)) return false;
      }
    }
    return true;
  }

  protected looksSame(one: Hypothesis, other: Hypothesis, node: number): boolean {
    const { views } = this;
    const { columns } = this.columns;
    const { c: a } = one;
    const { c: b } = other;
    for (let v = 0; v < views.length; v++) {
      const view = views[v]!;
      const x = nodeAt(a, node, view.path);
      const y = nodeAt(b, node, view.path);
      if (x !== y) {
        if (x <= 0 || y <= 0 || view.itself) return false;
        for (const k of view.columns) if (columns[k]![x] !== columns[k]![y]) return false;
      }
      if (x < 0) continue;
      if (view.label && a.labels[x] !== b.labels[y]) return false;
      if (view.leftValency && a.leftValency[x] !== b.leftValency[y]) return false;
      if (view.rightValency && a.rightValency[x] !== b.rightValency[y]) return false;
      if (view.leftLabels && a.leftLabels[x] !== b.leftLabels[y]) return false;
      if (view.rightLabels && a.rightLabels[x] !== b.rightLabels[y]) return false;
    }
    return true;
  }
}

function mixed(h: number, value: number): number {
  const m = Math.imul(h ^ value, 0x2c1b3c6d);
  return m ^ (m >>> 15);
}

/** The node at the end of a path, below 0 if there is none. */
export function nodeAt(c: Configuration, start: number, path: Int32Array): number {
  let node = start;
  for (let i = 0; i < path.length && node >= 0; i++) {
    switch (path[i]) {
      case HEAD:
        node = c.heads[node]!;
        break;
      case LEFT:
        node = c.leftmost[node]!;
        break;
      case LEFT2:
        node = c.leftmost2[node]!;
        break;
      case RIGHT:
        node = c.rightmost[node]!;
        break;
      case RIGHT2:
        node = c.rightmost2[node]!;
        break;
      case PREVIOUS:
        node = node > 1 ? node - 1 : NONE;
        break;
      default:
        node = node > 0 && node < c.length ? node + 1 : NONE;
    }
  }
  return node;
}

/**
 * For every path that is the end of a position's, with spaces between its steps: the attributes that are looked at
 * there.
 */
function endsOfPaths({ positions, atoms }: TemplateSet): Map<string, Set<string>> {
  const seen = new Map<string, Set<string>>();
  const see = (position: number, attribute: string) => {
    const { path } = positions[position]!;
    for (let from = 0; from <= path.length; from++) {
      for (const end of withOutermost(path.slice(from))) {
        const key = end.join(" ");
        seen.set(key, (seen.get(key) ?? new Set()).add(attribute));
      }
    }
  };
  for (const atom of atoms) {
    if (atom.kind === "history") continue;
    if (atom.kind === "word" || atom.kind === "tree") see(atom.position, atom.attribute);
    else for (const position of [atom.from, atom.to]) see(position, ITSELF);
  }
  return seen;
}

const ITSELF = "itself";

/** A path, and those with the outermost dependent in place of the second. */
function withOutermost(path: readonly Step[]): Step[][] {
  return path.reduce<Step[][]>(
    (starts, step) => {
      const steps: Step[] = step === "l2" ? ["l2", "l"] : step === "r2" ? ["r2", "r"] : [step];
      return starts.flatMap((start) => steps.map((next) => [...start, next]));
    },
    [[]],
  );
}

function viewOf(path: readonly Step[], attributes: ReadonlySet<string>, { attributes: names }: Columns): View {
  const [label, leftValency, rightValency, leftLabels, rightLabels] = TREE_ATTRIBUTES.map((name) =>
    attributes.has(name),
  ) as [boolean, boolean, boolean, boolean, boolean];
  return {
    path: Int32Array.from(path, (step) => STEPS.indexOf(step)),
    columns: Int32Array.from(names.flatMap((name, k) => (attributes.has(name) ? [k] : []))),
    itself: attributes.has(ITSELF),
    label,
    leftValency,
    rightValency,
    leftLabels,
    rightLabels,
  };
}
