// Arc-eager with disfluencies once more, as plain data and plain search. Nothing here may be imported from ../src.

export type Root = "first" | "last" | "none";
export const ROOTS: readonly Root[] = ["first", "last", "none"];

export interface Options {
  root: Root;
  singleRoot?: boolean;
  atOnce?: boolean;
  /** The most words that a transition removes; no limit if not given. */
  longest?: number;
  /** The ways to remove words from the buffer: IJ and DM differ in their names only, so one can stand for both. */
  front?: readonly string[];
}

export interface State {
  stack: number[];
  buffer: number[];
  heads: number[];
  /** As what each word was removed, "" if it was not. */
  removed: string[];
}

export interface Gold {
  heads: number[];
  removed: string[];
}

export type Step = [name: string, next: State];

export function initial({ root }: Options, n: number): State {
  const words = Array.from({ length: n }, (_, i) => i + 1);
  return {
    stack: root === "first" ? [0] : [],
    buffer: root === "last" ? [...words, 0] : words,
    heads: new Array<number>(n + 1).fill(-1),
    removed: new Array<string>(n + 1).fill(""),
  };
}

export function isTerminal({ root }: Options, { stack, buffer }: State): boolean {
  return root === "last" ? stack.length === 0 && buffer.length === 1 : buffer.length === 0;
}

function without(state: State, words: number[], kind: string): State {
  const isGone = (node: number) => words.includes(node);
  return {
    stack: state.stack.filter((node) => !isGone(node)),
    buffer: state.buffer.filter((node) => !isGone(node)),
    heads: state.heads.map((h, d) => (isGone(d) || isGone(h) ? -1 : h)),
    removed: state.removed.map((was, d) => (isGone(d) ? kind : was)),
  };
}

function attached(state: State, head: number, dependent: number): number[] {
  return state.heads.map((h, d) => (d === dependent ? head : h));
}

function permitted(options: Options, state: State): Step[] {
  if (isTerminal(options, state)) return [];
  const { stack, buffer, heads, removed } = state;
  const s = stack[stack.length - 1];
  const b = buffer[0]!;
  const popped = stack.slice(0, -1);
  const steps: Step[] = [];
  if (b !== 0) steps.push(["SHIFT", { ...state, stack: [...stack, b], buffer: buffer.slice(1) }]);
  if (s !== undefined) {
    if (s !== 0 && heads[s] === -1) steps.push(["LEFT-ARC", { ...state, stack: popped, heads: attached(state, b, s) }]);
    if (b !== 0) {
      const pushed = { ...state, stack: [...stack, b], buffer: buffer.slice(1), heads: attached(state, s, b) };
      steps.push(["RIGHT-ARC", pushed]);
    }
    if (heads[s] !== -1) steps.push(["REDUCE", { ...state, stack: popped }]);
  }
  const { longest = Number.POSITIVE_INFINITY } = options;
  const words = buffer.filter((node) => node > 0).slice(0, longest);
  for (const kind of options.front ?? ["IJ", "DM"]) {
    for (let k = 1; k <= words.length; k++) steps.push([`${kind}-${k}`, without(state, words.slice(0, k), kind)]);
  }
  const remaining = removed.map((_, d) => d).filter((d) => d > 0 && removed[d] === "" && !buffer.includes(d));
  for (const i of remaining) {
    for (const j of remaining) {
      const span = remaining.filter((d) => d >= i && d <= j);
      if (j < i || span.length !== j - i + 1 || span.length > longest) continue;
      if (options.atOnce && j !== remaining[remaining.length - 1]) continue;
      steps.push([`RP-${i}-${j}`, without(state, span, "RP")]);
    }
  }
  return steps;
}

/**
 * The tree of a terminal configuration: words that stay without a head are attached to 0; if there is to be one root,
 * those that have left the stack to the root, which is one of them if there is no other.
 */
export function finalTree(options: Options, { heads, removed, stack }: State): number[] {
  const waits = (d: number) => d > 0 && heads[d] === -1 && removed[d] === "";
  if (!options.singleRoot) return heads.map((h, d) => (waits(d) ? 0 : h));
  const roots = heads.map((_, d) => d).filter((d) => heads[d] === 0 || (waits(d) && stack.includes(d)));
  if (roots.length > 1) return heads.map((h, d) => (waits(d) ? 0 : h));
  const root = roots[0] ?? heads.findIndex((_, d) => waits(d));
  return heads.map((h, d) => (waits(d) ? (d === root ? 0 : root) : h));
}

export const key = (state: State): string => `${state.stack}|${state.buffer}|${state.heads}|${state.removed}`;

/** All reachable configurations of n words with what they lead to, those that follow first. */
export class Configurations {
  readonly states: State[] = [];
  readonly steps: { name: string; to: number }[][] = [];
  private readonly places = new Map<string, number>();
  private readonly admissible: boolean[] = [];

  constructor(
    readonly options: Options,
    n: number,
    start = initial(options, n),
  ) {
    this.visit(start);
  }

  private visit(state: State): number {
    const known = this.places.get(key(state));
    if (known !== undefined) return known;
    const steps = permitted(this.options, state).map(([name, next]) => ({ name, to: this.visit(next) }));
    const possible = steps.filter(({ to }) => this.admissible[to]);
    const place = this.states.push(state) - 1;
    this.places.set(key(state), place);
    this.steps.push(possible);
    const isOver = isTerminal(this.options, state);
    // One root must be possible without that words are removed for it.
    const plain = possible.filter(({ name }) => !/^(IJ|DM|RP)/.test(name));
    this.admissible.push(isOver ? this.hasOneRoot(state) : plain.length > 0);
    return place;
  }

  private hasOneRoot(state: State): boolean {
    return !this.options.singleRoot || finalTree(this.options, state).filter((h) => h === 0).length === 1;
  }

  isReachable(place: number): boolean {
    return this.admissible[place]!;
  }

  placeOf(state: State): number {
    return this.places.get(key(state))!;
  }

  /** The loss of every configuration. */
  losses(gold: Gold): Int32Array {
    const losses = new Int32Array(this.states.length);
    this.states.forEach((state, place) => {
      if (isTerminal(this.options, state)) losses[place] = difference(this.options, state, gold);
      else losses[place] = this.steps[place]!.reduce((least, { to }) => Math.min(least, losses[to]!), 1e6);
    });
    return losses;
  }
}

/** Gold arcs between fluent words that were not built, and words whose removal, kind or staying differs from gold. */
export function difference({ root }: Options, { heads, removed }: State, gold: Gold): number {
  let lost = 0;
  for (let d = 1; d < heads.length; d++) {
    const h = gold.heads[d]!;
    if (removed[d] !== gold.removed[d]) lost++;
    if (gold.removed[d] !== "" || h < 0 || (h === 0 && root === "none")) continue;
    if (h > 0 && gold.removed[h] !== "") continue;
    if (heads[d] !== h) lost++;
  }
  return lost;
}

/** All trees over the words that stay, for every way to remove words; removed words have no head. */
export function allGold(n: number, kinds: readonly string[]): Gold[] {
  const found: Gold[] = [];
  const choose = (removed: string[]): void => {
    if (removed.length <= n) {
      for (const kind of ["", ...kinds]) choose([...removed, kind]);
      return;
    }
    const words = removed.map((_, d) => d).filter((d) => d > 0 && removed[d] === "");
    const heads = new Array<number>(n + 1).fill(-1);
    const attach = (at: number): void => {
      if (at === words.length) {
        if (isTree(heads, words)) found.push({ heads: heads.slice(), removed });
        return;
      }
      for (const h of [0, ...words]) {
        if (h === words[at]) continue;
        heads[words[at]!] = h;
        attach(at + 1);
      }
    };
    attach(0);
  };
  choose([""]);
  return found;
}

function isTree(heads: number[], words: number[]): boolean {
  return words.every((word) => {
    let node = word;
    for (let i = 0; i <= words.length && node > 0; i++) node = heads[node]!;
    return node === 0;
  });
}

/** Whether no two arcs between fluent words cross and none passes over 0's place. */
export function isProjective(gold: Gold): boolean {
  const words = gold.heads.map((_, d) => d).filter((d) => d > 0 && gold.heads[d]! >= 0);
  const dominates = (head: number, node: number): boolean => {
    for (let at = node; at > 0; at = gold.heads[at]!) if (at === head) return true;
    return head === 0;
  };
  return words.every((d) => {
    const h = gold.heads[d]!;
    const [from, to] = [Math.min(h, d), Math.max(h, d)];
    return words.every((w) => w <= from || w >= to || dominates(h, w));
  });
}
