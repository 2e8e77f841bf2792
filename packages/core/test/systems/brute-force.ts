// The transition systems once more, as plain data and plain search, to prove the fast ones right.
//
// Nothing here may be imported from ../src: the transitions are written from their definitions (Sartorio's thesis,
// sections 4.1.4 to 4.1.7 and 6.1.1 with its right spine corrected; Attardi and swap as there; arc-hybrid after
// Kuhlmann et al. 2011, with SWAP after de Lhoneux et al. 2017, arc-swift after Qi & Manning 2017, Covington's after
// Nivre 2008, the auxiliary stack after Attardi 2006), and every question is answered by looking at all continuations.

export type Root = "first" | "last" | "none";
export type SystemName =
  | "arc-standard"
  | "arc-eager"
  | "arc-hybrid"
  | "arc-hybrid-swap"
  | "attardi"
  | "attardi-auxiliary"
  | "swap"
  | "arc-swift"
  | "lr-spines"
  | "covington"
  | "two-planar";

export interface Options {
  system: SystemName;
  root: Root;
  /** Attardi only: 2 (default) or more. */
  degree?: number;
  /** Arc-eager and Covington only: false if arcs can repair others. */
  monotonic?: false;
  /** Arc-eager only: false if words without a head can be reduced. */
  treeConstraint?: false;
  /** Permit only what can still end, after headless words went to 0, with exactly one dependent of 0. */
  singleRoot?: boolean;
}

/** A tree on the LR-spines stack: both spines from its root down, so left[0] === right[0]. */
export interface Spines {
  left: number[];
  right: number[];
}

export interface State {
  /** In Covington's system λ1. */
  stack: number[] | Spines[];
  /** Covington's system: λ2. 2-planar: the inactive stack. Attardi: the auxiliary stack. */
  second?: number[];
  /** 2-planar: whether the last transition was SWITCH. */
  switched?: boolean;
  buffer: number[];
  /** heads[d] for d = 0 … n; -1 = none, and always -1 for 0. */
  heads: number[];
}

export type Step = [name: string, next: State];

export const SYSTEMS: SystemName[] = [
  "arc-standard",
  "arc-eager",
  "arc-hybrid",
  "arc-hybrid-swap",
  "attardi",
  "attardi-auxiliary",
  "swap",
  "arc-swift",
  "lr-spines",
  "covington",
  "two-planar",
];
export const ROOTS: Root[] = ["first", "last", "none"];

const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, i) => from + i);

export function initial(options: Options, n: number): State {
  const bottom = options.root === "first" ? [0] : [];
  return {
    stack: options.system === "lr-spines" ? bottom.map((w) => ({ left: [w], right: [w] })) : bottom,
    buffer: options.root === "last" ? [...range(1, n), 0] : range(1, n),
    heads: new Array<number>(n + 1).fill(-1),
    ...(options.system === "covington" || options.system === "attardi-auxiliary" ? { second: [] } : {}),
    ...(options.system === "two-planar" ? { second: bottom, switched: false } : {}),
  };
}

/** Where 0 stays in the buffer when it stands last. */
const KEEP_0_IN_BUFFER: SystemName[] = ["arc-eager", "arc-swift", "arc-hybrid", "arc-hybrid-swap"];

export function isTerminal(options: Options, state: State): boolean {
  const { system, root } = options;
  const { stack, buffer } = state;
  if (KEEP_0_IN_BUFFER.includes(system) && root === "last")
    return stack.length === 0 && buffer.length === 1 && buffer[0] === 0;
  if (["arc-eager", "arc-swift", "covington", "two-planar"].includes(system)) return buffer.length === 0;
  if (system === "attardi-auxiliary" && state.second!.length > 0) return false;
  return buffer.length === 0 && stack.length === 1;
}

function withArc(heads: number[], head: number, dependent: number): number[] {
  const copy = heads.slice();
  copy[dependent] = head;
  return copy;
}

/** The transitions that the table permits, before any single-root constraint. */
function permitted(options: Options, state: State): Step[] {
  if (isTerminal(options, state)) return [];
  if (options.system === "lr-spines") return permittedSpines(state);
  if (options.system === "covington") return permittedLists(options, state);
  if (options.system === "two-planar") return permittedPlanes(state);
  const stack = state.stack as number[];
  const { buffer, heads } = state;
  const { system } = options;
  const steps: Step[] = [];
  const size = stack.length;
  const s0 = stack[size - 1];
  const s1 = stack[size - 2];
  const b0 = buffer[0];
  const withoutTop = stack.slice(0, -1);
  const restOfBuffer = buffer.slice(1);

  if (b0 !== undefined && !(b0 === 0 && KEEP_0_IN_BUFFER.includes(system))) {
    steps.push(["SHIFT", { stack: [...stack, b0], buffer: restOfBuffer, heads }]);
  }

  if (system === "arc-eager") {
    if (s0 !== undefined && b0 !== undefined) {
      if (s0 !== 0 && (heads[s0] === -1 || options.monotonic === false)) {
        steps.push(["LEFT-ARC", { stack: withoutTop, buffer, heads: withArc(heads, b0, s0) }]);
      }
      if (b0 !== 0) {
        steps.push(["RIGHT-ARC", { stack: [...stack, b0], buffer: restOfBuffer, heads: withArc(heads, s0, b0) }]);
      }
    }
    if (s0 !== undefined && (heads[s0] !== -1 || (options.treeConstraint === false && s0 !== 0))) {
      steps.push(["REDUCE", { stack: withoutTop, buffer, heads }]);
    } else if (options.monotonic === false && s0 !== undefined && s1 !== undefined) {
      steps.push(["REDUCE", { stack: withoutTop, buffer, heads: withArc(heads, s1, s0) }]);
    }
    return steps;
  }

  if (system === "arc-swift") {
    for (let k = 1; k <= size && b0 !== undefined; k++) {
      const other = stack[size - k]!;
      const below = stack.slice(0, size - k);
      if (other !== 0 && heads[other] === -1) {
        steps.push([`LEFT-ARC-${k}`, { stack: below, buffer, heads: withArc(heads, b0, other) }]);
      }
      if (b0 !== 0) {
        const attached = { stack: [...below, other, b0], buffer: restOfBuffer, heads: withArc(heads, other, b0) };
        steps.push([`RIGHT-ARC-${k}`, attached]);
      }
      if (heads[other] === -1) break;
    }
    return steps;
  }

  if (system === "arc-hybrid" || system === "arc-hybrid-swap") {
    if (s0 !== undefined && s0 !== 0) {
      if (b0 !== undefined) steps.push(["LEFT-ARC", { stack: withoutTop, buffer, heads: withArc(heads, b0, s0) }]);
      if (s1 !== undefined) steps.push(["RIGHT-ARC", { stack: withoutTop, buffer, heads: withArc(heads, s1, s0) }]);
      if (system === "arc-hybrid-swap" && b0 !== undefined && s0 < b0) {
        steps.push(["SWAP", { stack: withoutTop, buffer: [b0, s0, ...restOfBuffer], heads }]);
      }
    }
    return steps;
  }

  // Arc-standard, and Attardi and swap, which extend it. Degree k: an arc between s0 and s_k.
  const degree = system === "attardi" || system === "attardi-auxiliary" ? (options.degree ?? 2) : 1;
  for (let k = 1; k <= degree && k < size; k++) {
    const top = stack[size - 1]!;
    const at = size - 1 - k;
    const other = stack[at]!;
    const suffix = k === 1 ? "" : `-${k}`;
    if (other !== 0) {
      const rest = stack.filter((_, i) => i !== at);
      steps.push([`LEFT-ARC${suffix}`, { stack: rest, buffer, heads: withArc(heads, top, other) }]);
    }
    if (top !== 0) {
      steps.push([`RIGHT-ARC${suffix}`, { stack: withoutTop, buffer, heads: withArc(heads, other, top) }]);
    }
  }
  if (system === "swap" && s0 !== undefined && s1 !== undefined && 0 < s1 && s1 < s0) {
    steps.push(["SWAP", { stack: [...stack.slice(0, -2), s0], buffer: [s1, ...buffer], heads }]);
  }
  if (system !== "attardi-auxiliary") return steps;
  const second = state.second!;
  for (const [, next] of steps) next.second = second;
  if (s0 !== undefined && s1 !== undefined && s1 !== 0) {
    steps.push(["EXTRACT", { stack: [...stack.slice(0, -2), s0], buffer, heads, second: [...second, s1] }]);
  }
  const aside = second[second.length - 1];
  if (aside !== undefined) {
    steps.push(["INSERT", { stack: [...stack, aside], buffer, heads, second: second.slice(0, -1) }]);
  }
  return steps;
}

/** An arc needs a dependent other than 0 without a head, and no path from it to its head. */
function mayAttach(heads: number[], head: number, dependent: number): boolean {
  if (dependent === 0 || heads[dependent] !== -1) return false;
  for (let node = head; node > 0; node = heads[node]!) if (node === dependent) return false;
  return true;
}

/** Where arcs repair others, the dependent loses its head, and a new head that was below it loses its own. */
function withRepair(heads: number[], head: number, dependent: number): number[] {
  let above = head;
  while (above > 0 && above !== dependent) above = heads[above]!;
  return withArc(above === dependent ? withArc(heads, -1, head) : heads, head, dependent);
}

function permittedLists(options: Options, state: State): Step[] {
  const first = state.stack as number[];
  const second = state.second!;
  const { buffer, heads } = state;
  const [j, ...rest] = buffer as [number, ...number[]];
  const steps: Step[] = [["SHIFT", { stack: [...first, ...second, j], second: [], buffer: rest, heads }]];
  const i = first[first.length - 1];
  if (i === undefined) return steps;
  const passed = { stack: first.slice(0, -1), second: [i, ...second], buffer };
  steps.push(["NO-ARC", { ...passed, heads }]);
  if (options.monotonic === false) {
    if (i !== 0) steps.push(["LEFT-ARC", { ...passed, heads: withRepair(heads, j, i) }]);
    if (j !== 0) steps.push(["RIGHT-ARC", { ...passed, heads: withRepair(heads, i, j) }]);
    return steps;
  }
  if (mayAttach(heads, j, i)) steps.push(["LEFT-ARC", { ...passed, heads: withArc(heads, j, i) }]);
  if (mayAttach(heads, i, j)) steps.push(["RIGHT-ARC", { ...passed, heads: withArc(heads, i, j) }]);
  return steps;
}

function permittedPlanes(state: State): Step[] {
  const active = state.stack as number[];
  const second = state.second!;
  const { buffer, heads } = state;
  const [b, ...rest] = buffer as [number, ...number[]];
  const unswitched = { second, buffer, heads, switched: false };
  const steps: Step[] = [
    ["SHIFT", { stack: [...active, b], second: [...second, b], buffer: rest, heads, switched: false }],
  ];
  if (!state.switched) steps.push(["SWITCH", { stack: second, second: active, buffer, heads, switched: true }]);
  const s = active[active.length - 1];
  if (s === undefined) return steps;
  steps.push(["REDUCE", { ...unswitched, stack: active.slice(0, -1) }]);
  if (mayAttach(heads, b, s)) steps.push(["LEFT-ARC", { ...unswitched, stack: active, heads: withArc(heads, b, s) }]);
  if (mayAttach(heads, s, b)) steps.push(["RIGHT-ARC", { ...unswitched, stack: active, heads: withArc(heads, s, b) }]);
  return steps;
}

function permittedSpines(state: State): Step[] {
  const stack = state.stack as Spines[];
  const { buffer, heads } = state;
  const steps: Step[] = [];
  const b0 = buffer[0];
  if (b0 !== undefined) {
    steps.push(["SHIFT", { stack: [...stack, { left: [b0], right: [b0] }], buffer: buffer.slice(1), heads }]);
  }
  const top = stack[stack.length - 1];
  const second = stack[stack.length - 2];
  if (top === undefined || second === undefined) return steps;
  const below = stack.slice(0, -2);
  const secondRoot = second.left[0]!;
  const topRoot = top.right[0]!;
  if (secondRoot !== 0) {
    for (let k = 1; k <= top.left.length; k++) {
      const joined = { left: [...top.left.slice(0, k), ...second.left], right: top.right };
      const arc = withArc(heads, top.left[k - 1]!, secondRoot);
      steps.push([`LEFT-ARC-${k}`, { stack: [...below, joined], buffer, heads: arc }]);
    }
  }
  if (topRoot !== 0) {
    for (let k = 1; k <= second.right.length; k++) {
      const joined = { left: second.left, right: [...second.right.slice(0, k), ...top.right] };
      const arc = withArc(heads, second.right[k - 1]!, topRoot);
      steps.push([`RIGHT-ARC-${k}`, { stack: [...below, joined], buffer, heads: arc }]);
    }
  }
  return steps;
}

const DIGITS = "-0123456789";

/** Nodes from -1 on, one character for most of them: keys are what takes most of the time here. */
function textOf(nodes: number[]): string {
  let text = "";
  for (const node of nodes) text += DIGITS[node + 1] ?? `,${node},`;
  return text;
}

function stackKey({ stack, second, switched }: State): string {
  let text = "";
  for (const e of stack)
    text += typeof e === "number" ? (DIGITS[e + 1] ?? `,${e},`) : ` ${textOf(e.left)}/${textOf(e.right)}`;
  return second ? `${text}/${textOf(second)}${switched ? "*" : ""}` : text;
}

/** Equal exactly when stack, buffer and arcs are equal. */
export function key(state: State): string {
  return `${stackKey(state)}|${textOf(state.buffer)}|${textOf(state.heads)}`;
}

/** The tree that a terminal configuration stands for: what has no head is attached to 0. */
export function finalTree(state: State): number[] {
  return state.heads.map((h, d) => (d > 0 && h === -1 ? 0 : h));
}

function rootsOf(heads: number[]): number {
  let roots = 0;
  for (const h of heads) if (h === 0) roots++;
  return roots;
}

function admissible(options: Options, terminal: State): boolean {
  return !options.singleRoot || rootsOf(finalTree(terminal)) === 1;
}

/** Whether gold[d] → d takes part in the loss. */
const counts = (options: Options, gold: number[], d: number): boolean =>
  d > 0 && !(options.root === "none" && gold[d] === 0);

/** |A_gold \ A| for the arcs built so far: a word attached to 0 only by convention at the end has no built arc. */
export function arcDifference(options: Options, heads: number[], gold: number[]): number {
  let missing = 0;
  for (let d = 1; d < gold.length; d++) if (heads[d] !== gold[d] && counts(options, gold, d)) missing++;
  return missing;
}

// The future of a state depends on the stack, the buffer, which words have a head, and for the single-root constraint
// on how many hang on 0 already (two are as bad as three), not on the arcs that were built: this is the memo's key.
function futureKey(options: Options, state: State): string {
  const roots = options.singleRoot ? Math.min(2, rootsOf(state.heads)) : 0;
  // Where an arc must not close a cycle, it also depends on which words are in one tree: on the top of each; and where
  // heads can be replaced, on the heads.
  const avoidsCycles = options.system === "covington" || options.system === "two-planar";
  const settled = state.heads.map((h, d) =>
    h === -1 ? 0 : options.monotonic === false ? h + 1 : avoidsCycles ? topOf(state.heads, d) : 1,
  );
  return `${stackKey(state)}|${textOf(state.buffer)}|${textOf(settled)}|${roots}`;
}

function topOf(heads: number[], node: number): number {
  return heads[node]! > 0 ? topOf(heads, heads[node]!) : node;
}

/** The largest number of counted gold arcs that a continuation adds; -Infinity if none ends admissibly. */
function bestGain(options: Options, state: State, gold: number[], memo: Map<string, number>): number {
  if (isTerminal(options, state)) return admissible(options, state) ? 0 : Number.NEGATIVE_INFINITY;
  const k = futureKey(options, state);
  const known = memo.get(k);
  if (known !== undefined) return known;
  let best = Number.NEGATIVE_INFINITY;
  const before = arcDifference(options, state.heads, gold);
  // Nothing can be better than to add all that are missing; a head below 0 no word can get.
  const most = before - gold.filter((h, d) => d > 0 && h < 0 && counts(options, gold, d)).length;
  const look = (from: State): void => {
    for (const [name, next] of permitted(options, from)) {
      if (best === most) return;
      if (ARRANGING.has(name)) continue;
      const gain = before - arcDifference(options, next.heads, gold);
      best = Math.max(best, gain + bestGain(options, next, gold, memo));
    }
  };
  if (options.system !== "attardi-auxiliary") {
    look(state);
    memo.set(k, best);
    return best;
  }
  const circle = arrangements(options, state);
  for (const { state: arranged } of circle.values()) look(arranged);
  // The same holds of all from which this one can be reached.
  const agenda = [key(state)];
  const seen = new Set(agenda);
  for (let at = agenda.pop(); at !== undefined; at = agenda.pop()) {
    const { state: arranged, from } = circle.get(at)!;
    memo.set(futureKey(options, arranged), best);
    for (const before of from) {
      if (seen.has(before)) continue;
      seen.add(before);
      agenda.push(before);
    }
  }
  return best;
}

/** Transitions that can lead back to where they began. */
const ARRANGING = new Set(["EXTRACT", "INSERT"]);

/** The states that such transitions lead to, by key, each with those from which one step leads to it. */
function arrangements(options: Options, start: State): Map<string, { state: State; from: string[] }> {
  const circle = new Map([[key(start), { state: start, from: [] as string[] }]]);
  const agenda = [start];
  for (let state = agenda.pop(); state; state = agenda.pop()) {
    for (const [name, next] of permitted(options, state)) {
      if (!ARRANGING.has(name)) continue;
      const known = circle.get(key(next));
      if (known) known.from.push(key(state));
      else {
        circle.set(key(next), { state: next, from: [key(state)] });
        agenda.push(next);
      }
    }
  }
  return circle;
}

// One memo per constrained system and length: whether a configuration can still end with one root.
const endings = new Map<string, Map<string, number>>();

function canEnd(options: Options, state: State): boolean {
  const n = state.heads.length - 1;
  const { system, root, degree = 2, monotonic = true, treeConstraint = true } = options;
  const name = `${system} ${root} ${degree} ${monotonic} ${treeConstraint} ${n}`;
  let memo = endings.get(name);
  if (memo === undefined) endings.set(name, (memo = new Map()));
  const noGold = new Array<number>(n + 1).fill(-2);
  return bestGain(options, state, noGold, memo) !== Number.NEGATIVE_INFINITY;
}

/** Every permitted transition with its result; none in a terminal configuration. */
export function successors(options: Options, state: State): Step[] {
  const steps = permitted(options, state);
  return options.singleRoot ? steps.filter(([, next]) => canEnd(options, next)) : steps;
}

/** All configurations reachable from the initial one for n words, terminal ones included, by key. */
export function reachable(options: Options, n: number): Map<string, State> {
  const seen = new Map<string, State>();
  const agenda = [initial(options, n)];
  for (let state = agenda.pop(); state; state = agenda.pop()) {
    if (seen.has(key(state))) continue;
    seen.set(key(state), state);
    for (const [, next] of successors(options, state)) agenda.push(next);
  }
  return seen;
}

export type Edge = [name: string, to: number];

/**
 * All configurations reachable from the initial one for n words, which is the last, with their transitions. Those that
 * follow come first, where transitions do not lead in circles.
 */
export function numbered(options: Options, n: number): { states: State[]; edges: Edge[][] } {
  const states: State[] = [];
  const edges: Edge[][] = [];
  // Configurations are met in one order and numbered in another.
  const met = new Map<string, number>();
  const numbers: number[] = [];
  const meet = (state: State): { met: number; isNew: boolean } => {
    const k = key(state);
    const known = met.get(k);
    if (known === undefined) met.set(k, met.size);
    return { met: known ?? met.size - 1, isNew: known === undefined };
  };
  const begin = (state: State, met: number) => ({ state, met, steps: successors(options, state), edges: [] as Edge[] });
  const start = initial(options, n);
  const path = [begin(start, meet(start).met)];
  for (let at = path.at(-1); at; at = path.at(-1)) {
    const step = at.steps[at.edges.length];
    if (step) {
      const { met, isNew } = meet(step[1]);
      at.edges.push([step[0], met]);
      if (isNew) path.push(begin(step[1], met));
    } else {
      numbers[at.met] = states.length;
      states.push(at.state);
      edges.push(at.edges);
      path.pop();
    }
  }
  for (const edge of edges.flat()) edge[1] = numbers[edge[1]]!;
  return { states, edges };
}

/**
 * Losses and costs of every reachable configuration of one system and length.
 *
 * The configurations are numbered successors first, so one pass per gold tree settles all losses, and more only where
 * transitions lead in circles; the tables are kept until they would pass a fixed size, so that callers may loop over
 * configurations or over trees first.
 */
export class BruteForce {
  readonly states: State[];
  private readonly edges: Edge[][];
  private readonly byKey = new Map<string, number>();
  private readonly byState = new WeakMap<State, number>();
  private tables = new Map<string, Uint8Array>();
  /** The table that was asked for last, mostly for the next configuration again: names of trees take long to make. */
  private last: { gold: number[]; table: Uint8Array } | undefined;
  private static readonly KEPT_BYTES = 200_000_000;

  constructor(
    readonly options: Options,
    readonly n: number,
  ) {
    const { states, edges } = numbered(options, n);
    this.states = states;
    this.edges = edges;
    states.forEach((state, id) => {
      this.byKey.set(key(state), id);
      this.byState.set(state, id);
    });
  }

  private idOf(state: State): number {
    const known = this.byState.get(state);
    if (known !== undefined) return known;
    const id = this.byKey.get(key(state));
    if (id === undefined) throw new Error(`invalid state: ${key(state)} (not reachable)`);
    this.byState.set(state, id);
    return id;
  }

  private table(gold: number[]): Uint8Array {
    if (this.last?.gold !== gold) this.last = { gold, table: this.tableOf(gold) };
    return this.last.table;
  }

  private tableOf(gold: number[]): Uint8Array {
    const name = gold.join();
    const known = this.tables.get(name);
    if (known !== undefined) return known;
    const table = new Uint8Array(this.states.length).fill(255);
    let changed = true;
    while (changed) {
      changed = false;
      for (let id = 0; id < table.length; id++) {
        const edges = this.edges[id]!;
        let loss = edges.length === 0 ? arcDifference(this.options, this.states[id]!.heads, gold) : 255;
        for (const edge of edges) loss = Math.min(loss, table[edge[1]]!);
        changed ||= loss < table[id]! && this.options.system === "attardi-auxiliary";
        table[id] = loss;
      }
    }
    if ((this.tables.size + 1) * table.length > BruteForce.KEPT_BYTES) this.tables = new Map();
    this.tables.set(name, table);
    return table;
  }

  /** Min over reachable terminal configurations of the number of gold arcs that they lack. */
  loss(state: State, gold: number[]): number {
    return this.table(gold)[this.idOf(state)]!;
  }

  /** Loss after minus loss before, for every permitted transition. */
  costs(state: State, gold: number[]): Record<string, number> {
    const table = this.table(gold);
    const id = this.idOf(state);
    const costs: Record<string, number> = {};
    for (const [name, to] of this.edges[id]!) costs[name] = table[to]! - table[id]!;
    return costs;
  }
}

/**
 * The loss of one configuration, searched from there only; agrees with BruteForce and reaches n = 8. A `memo` may be
 * shared by configurations of one system with one gold tree.
 */
export function lossFrom(options: Options, state: State, gold: number[], memo = new Map<string, number>()): number {
  return arcDifference(options, state.heads, gold) - bestGain(options, state, gold, memo);
}

function reachesRoot(heads: number[], d: number): boolean {
  let node = d;
  for (let steps = 0; steps < heads.length; steps++) {
    if (node === 0) return true;
    node = heads[node]!;
  }
  return node === 0;
}

/** Every tree over 0 … n rooted at 0, several dependents of 0 allowed: (n + 1)^(n - 1) of them. */
export function allTrees(n: number): number[][] {
  let trees: number[][] = [[-1]];
  for (let d = 1; d <= n; d++) {
    trees = trees.flatMap((heads) =>
      range(0, n)
        .filter((h) => h !== d)
        .map((h) => [...heads, h]),
    );
  }
  return trees.filter((heads) => range(1, n).every((d) => reachesRoot(heads, d)));
}

/** Whether no two arcs cross, with node 0 drawn left of word 1 or right of word n. */
export function isProjective(heads: number[], rootAt: "left" | "right" = "left"): boolean {
  const n = heads.length - 1;
  const place = (node: number): number => (node === 0 && rootAt === "right" ? n + 1 : node);
  const arcs = range(1, n).map((d) => [place(d), place(heads[d]!)].sort((a, b) => a - b) as [number, number]);
  return arcs.every(([a, b]) => arcs.every(([c, d]) => !(a < c && c < b && b < d)));
}

/** The projective ones among allTrees(n); where node 0 is drawn makes no difference, as brute-force.test.ts checks. */
export function projectiveTrees(n: number): number[][] {
  return allTrees(n).filter((heads) => isProjective(heads));
}

/**
 * The number of transition sequences from the initial configuration to a terminal one that stands for gold.
 *
 * With `conventional` false a headless word stands for a dependent of 0 only where 0 is not in the configuration.
 * Every configuration on the way to an admissible end can end so: nothing else need be asked of it.
 */
export function countDerivations(options: Options, gold: number[], conventional = true): bigint {
  const memo = new Map<string, bigint>();
  const byConvention = conventional || options.root === "none";
  const count = (state: State): bigint => {
    if (isTerminal(options, state)) {
      const heads = byConvention ? finalTree(state) : state.heads;
      return admissible(options, state) && heads.every((h, d) => h === gold[d]) ? 1n : 0n;
    }
    const k = key(state);
    const known = memo.get(k);
    if (known !== undefined) return known;
    let total = 0n;
    for (const [, next] of permitted(options, state)) {
      // Without an arc the heads are the same array, which was looked at before.
      const { heads } = next;
      if (heads === state.heads || heads.every((h, d) => h === -1 || h === gold[d])) total += count(next);
    }
    memo.set(k, total);
    return total;
  };
  return count(initial(options, gold.length - 1));
}

/**
 * Whether there is such a transition sequence: one is enough, so that not all need be looked at. Arcs from 0 must have
 * been built where 0 is in the configuration.
 */
export function isDerivable(options: Options, gold: number[]): boolean {
  if (options.singleRoot && rootsOf(gold) !== 1) return false;
  const seen = new Set<string>();
  const search = (state: State): boolean => {
    if (isTerminal(options, state)) {
      const heads = options.root === "none" ? finalTree(state) : state.heads;
      return admissible(options, state) && heads.every((h, d) => h === gold[d]);
    }
    const k = key(state);
    if (seen.has(k)) return false;
    seen.add(k);
    // Arcs first: they are what is missing.
    const steps = permitted(options, state).filter(([, next]) => next.heads.every((h, d) => h === -1 || h === gold[d]));
    const arcs = steps.filter(([, next]) => next.heads !== state.heads);
    return [...arcs, ...steps.filter((step) => !arcs.includes(step))].some(([, next]) => search(next));
  };
  return search(initial(options, gold.length - 1));
}

/** Every system, and those with settings of their own with each of them. */
export const SYSTEMS_AND_SETTINGS: Omit<Options, "root">[] = [
  ...SYSTEMS.map((system) => ({ system })),
  { system: "attardi", degree: 3 },
  { system: "attardi", degree: 4 },
  { system: "arc-eager", monotonic: false },
  { system: "covington", monotonic: false },
  { system: "arc-eager", treeConstraint: false },
];

/** Their name in a test. */
export function nameOf({ system, root, singleRoot, ...settings }: Options): string {
  const others = Object.entries(settings).map(([name, value]) => `, ${name} ${value}`);
  return `${system}${others.join("")}, root ${root}${singleRoot ? ", single root" : ""}`;
}
