import { existsSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { Random } from "../../src/math/random.js";
import {
  Inventory,
  SEMANTIC_MOVES,
  SemanticConfiguration,
  type SemanticGraph,
  SemanticOracle,
  SemanticSystem,
  semanticGraph,
  TwoStackConfiguration,
  TwoStackOracle,
  TwoStacks,
  traceRoles,
} from "../../src/roles.js";
import { createSystem, GoldTree, SYSTEM_NAMES } from "../../src/systems.js";
import { readTreebank, TreebankReader } from "../../src/treebank.js";

const ROLES = new URL("../../../../../shared/treebanks/roles/en_ewt-roles-dev.conll09.gz", import.meta.url);

/** The definition once more, as plain data: every configuration that can be reached, and what it has built. */
interface State {
  stack: number[];
  front: number;
  decided: boolean;
  swapped: boolean;
  predicates: number[];
  arcs: string[];
}

function nextStates(state: State, n: number): Map<string, State> {
  const { stack, front: b, decided, predicates, arcs } = state;
  const next = new Map<string, State>();
  const s = stack.at(-1);
  if (b > n) return next;
  const same = { ...state, swapped: false };
  if (!decided) {
    next.set("PRED", { ...same, decided: true, predicates: [...predicates, b] });
    next.set("NO-PRED", { ...same, decided: true });
    return next;
  }
  const add = (name: string, head: number, dependent: number) => {
    const arc = `${head}>${dependent}`;
    if (predicates.includes(head) && !arcs.includes(arc)) next.set(name, { ...same, arcs: [...arcs, arc].sort() });
  };
  if (s !== undefined) {
    add("SEM-LEFT-ARC", b, s);
    add("SEM-RIGHT-ARC", s, b);
    next.set("SEM-REDUCE", { ...same, stack: stack.slice(0, -1) });
  }
  if (stack.length > 1 && !state.swapped) {
    next.set("SEM-SWAP", { ...state, swapped: true, stack: [...stack.slice(0, -2), s!, stack.at(-2)!] });
  }
  next.set("SEM-SHIFT", { ...same, stack: [...stack, b], front: b + 1, decided: false });
  return next;
}

const initial: State = { stack: [], front: 1, decided: false, swapped: false, predicates: [], arcs: [] };

/**
 * Whether some derivation builds all these arcs, if every word is a predicate. Which way an arc points changes nothing
 * for the stack, so arcs are pairs, and a configuration is b0, the stack, whether it was swapped, and the pairs built.
 */
function canBeBuilt(n: number, pairs: readonly (readonly [number, number])[]): boolean {
  const numbers = new Map(pairs.map(([a, b], k) => [`${Math.min(a, b)} ${Math.max(a, b)}`, k]));
  const all = 2 ** numbers.size - 1;
  const indices = new Map([...numbers.keys()].map((pair, k) => [pair, k]));
  const seen = new Set<string>();
  const agenda: [front: number, stack: number[], swapped: boolean, built: number][] = [[1, [], false, 0]];
  for (let next = agenda.pop(); next; next = agenda.pop()) {
    const [b, stack, swapped, built] = next;
    if (b > n) {
      if (built === all) return true;
      continue;
    }
    const key = `${b}|${stack}|${swapped}|${built}`;
    if (seen.has(key)) continue;
    seen.add(key);
    const s = stack.at(-1);
    agenda.push([b + 1, [...stack, b], false, built]);
    if (s === undefined) continue;
    agenda.push([b, stack.slice(0, -1), false, built]);
    const arc = indices.get(`${s} ${b}`);
    if (arc !== undefined && ((built >> arc) & 1) === 0) agenda.push([b, stack, false, built | (1 << arc)]);
    if (stack.length > 1 && !swapped) agenda.push([b, [...stack.slice(0, -2), s, stack.at(-2)!], true, built]);
  }
  return false;
}

function stateOf(c: SemanticConfiguration): State {
  const predicates: number[] = [];
  for (let i = 1; i <= c.length; i++) if (c.senses[i] !== -1) predicates.push(i);
  const arcs = Array.from({ length: c.arcCount }, (_, a) => `${c.heads[a]}>${c.dependents[a]}`).sort();
  const stack = Array.from(c.stack.subarray(0, c.stackSize));
  return { stack, front: c.front, decided: c.isDecided, swapped: c.isSwapped, predicates, arcs };
}

function graphOf(n: number, arcs: readonly (readonly [number, number])[]): SemanticGraph {
  return { length: n, senses: new Int32Array(n + 1), arcs: arcs.map(([p, a]) => [p, a, 0] as const) };
}

describe("the semantic half", () => {
  test("permits and does what its definition says, in random derivations, which all end", () => {
    const system = new SemanticSystem();
    const c = new SemanticConfiguration();
    const random = new Random(7);
    for (let run = 0; run < 300; run++) {
      const n = 1 + (run % 7);
      system.initialize(c, n);
      let state = initial;
      let steps = 0;
      while (!system.isTerminal(c)) {
        const next = nextStates(state, n);
        const permitted = system.moves.filter((move) => system.permits(c, move));
        expect(permitted.map((move) => SEMANTIC_MOVES[move]).sort()).toEqual([...next.keys()].sort());
        const move = permitted[Math.floor(random.next() * permitted.length)]!;
        system.apply(c, move, 3);
        state = next.get(SEMANTIC_MOVES[move]!)!;
        expect(stateOf(c)).toEqual({ ...state, predicates: [...state.predicates] });
        // A word shifts once and leaves once; two arcs for a pair; a SWAP only between others.
        expect(++steps).toBeLessThan(2 * (3 * n + n * n) + 2);
      }
      expect(system.moves.some((move) => system.permits(c, move))).toBe(false);
      for (let a = 0; a < c.arcCount; a++) expect(c.role(c.heads[a]!, c.dependents[a]!)).toBe(3);
    }
  });

  test("holds more arcs than a configuration begins with", () => {
    const c = new SemanticConfiguration();
    c.reset(200);
    for (let a = 2; a <= 200; a++) c.addArc(1, a, a);
    expect([c.arcCount, c.role(1, 2), c.role(1, 200), c.role(2, 1)]).toEqual([199, 2, 200, -1]);
  });
});

describe("the static oracle", () => {
  test("builds exactly the graphs that can be built, up to 4 words and every direction, and 5 words", () => {
    const oracle = new SemanticOracle();
    const pairsOf = (n: number) =>
      Array.from({ length: n }, (_, i) => Array.from({ length: n }, (_, j) => [i + 1, j + 1] as const))
        .flat()
        .filter(([a, b]) => a < b);
    const check = (n: number, arcs: (readonly [number, number])[]) => {
      const can = canBeBuilt(n, arcs);
      expect(oracle.countBuilt(graphOf(n, arcs)) === arcs.length, JSON.stringify(arcs)).toBe(can);
      return can ? 1 : 0;
    };
    // No arc, either direction, or both, for each pair of 3 words.
    let built = 0;
    for (let code = 0; code < 4 ** 3; code++) {
      const arcs = pairsOf(3).flatMap(([a, b], k) => {
        const way = Math.floor(code / 4 ** k) % 4;
        return [...(way & 1 ? [[a, b] as const] : []), ...(way & 2 ? [[b, a] as const] : [])];
      });
      built += check(3, arcs);
    }
    expect(built).toBe(64);
    // Which way an arc points changes nothing for the stack.
    const random = new Random(3);
    for (const [n, all] of [
      [4, 64],
      [5, 992],
    ] as const) {
      let count = 0;
      const pairs = pairsOf(n);
      for (let set = 0; set < 1 << pairs.length; set++) {
        const arcs = pairs.filter((_, k) => (set >> k) & 1);
        count += check(
          n,
          arcs.map(([a, b]) => (random.next() < 0.5 ? ([a, b] as const) : ([b, a] as const))),
        );
      }
      expect(count).toBe(all);
    }
  });

  test("goes on after wrong transitions, only by what is permitted, and saves what it can", () => {
    const system = new SemanticSystem();
    const oracle = new SemanticOracle();
    const c = new SemanticConfiguration();
    const random = new Random(11);
    for (let run = 0; run < 300; run++) {
      const n = 2 + (run % 6);
      const arcs: [number, number, number][] = [];
      const senses = Int32Array.from({ length: n + 1 }, () => (random.next() < 0.6 ? 4 : -1));
      for (let p = 1; p <= n; p++)
        for (let a = 1; a <= n; a++) if (p !== a && senses[p] === 4 && random.next() < 0.3) arcs.push([p, a, p + a]);
      oracle.bind({ length: n, senses, arcs });
      system.initialize(c, n);
      const right = new Set(arcs.map(([p, a, role]) => `${p} ${a} ${role}`));
      while (!system.isTerminal(c)) {
        const move = oracle.next(c);
        expect(system.permits(c, move)).toBe(true);
        const isArc = SEMANTIC_MOVES[move]!.endsWith("ARC");
        const before = c.arcCount;
        const { label } = oracle;
        const permitted = system.moves.filter((other) => system.permits(c, other));
        const wrong = random.next() < 0.2;
        const made = wrong ? permitted[Math.floor(random.next() * permitted.length)]! : move;
        system.apply(c, made, label);
        if (!wrong && isArc) {
          expect(right).toContain(`${c.heads[before]} ${c.dependents[before]} ${c.roles[before]}`);
        }
      }
    }
  });
});

/** 4 needs both 1 and 2, which wait for 5 as well, below 3, which waits for 5, too. */
const TANGLED = [
  [1, 4],
  [1, 5],
  [2, 4],
  [2, 5],
  [3, 5],
] as const;

const conllu = `1	Mary	_	PROPN	_	_	2	nsubj	_	_
2	wanted	_	VERB	_	_	0	root	_	Pred=want.01|Args=1:ARG0,4:ARG1
3	to	_	PART	_	_	4	mark	_	_
4	sing	_	VERB	_	_	2	xcomp	_	Pred=sing.01|Args=1:ARG0

`;

describe("two stacks", () => {
  test("a worked derivation with arc-eager (docs/semantic-roles.md)", () => {
    const [sentence] = readTreebank(conllu);
    const gold = new GoldTree(sentence!.heads);
    const trace = traceRoles(
      createSystem("arc-eager"),
      gold,
      sentence!.predicates.map((predicate) => predicate.toJSON()),
    )!;
    const steps = trace.steps.map(({ transition, label, stack, lists, buffer }) =>
      [transition + (label ? ` ${label}` : ""), stack, lists!["semantic stack"], buffer]
        .map((part) => (Array.isArray(part) ? part.join(" ") : part))
        .join(" | "),
    );
    expect(steps).toEqual([
      "SHIFT | 1 |  | 2 3 4 0",
      "NO-PRED | 1 |  | 2 3 4 0",
      "SEM-SHIFT | 1 | 1 | 2 3 4 0",
      "LEFT-ARC |  | 1 | 2 3 4 0",
      "SHIFT | 2 | 1 | 3 4 0",
      "PRED want.01 | 2 | 1 | 3 4 0",
      "SEM-LEFT-ARC ARG0 | 2 | 1 | 3 4 0",
      "SEM-SHIFT | 2 | 1 2 | 3 4 0",
      "SHIFT | 2 3 | 1 2 | 4 0",
      "NO-PRED | 2 3 | 1 2 | 4 0",
      "SEM-SHIFT | 2 3 | 1 2 3 | 4 0",
      "LEFT-ARC | 2 | 1 2 3 | 4 0",
      "RIGHT-ARC | 2 4 | 1 2 3 | 0",
      "PRED sing.01 | 2 4 | 1 2 3 | 0",
      "SEM-REDUCE | 2 4 | 1 2 | 0",
      "SEM-RIGHT-ARC ARG1 | 2 4 | 1 2 | 0",
      "SEM-REDUCE | 2 4 | 1 | 0",
      "SEM-LEFT-ARC ARG0 | 2 4 | 1 | 0",
      "SEM-REDUCE | 2 4 |  | 0",
      "SEM-SHIFT | 2 4 | 4 | 0",
      "REDUCE | 2 | 4 | 0",
      "LEFT-ARC |  | 4 | 0",
    ]);
    expect(trace.lost).toEqual([]);
  });

  test("crossing arcs take SEM-SWAP; what cannot be built is told", () => {
    const gold = new GoldTree([-1, 0, 1, 1, 1, 1, 1]);
    const crossing = [1, 2].map((word) => ({ word, sense: "x", arguments: [{ word: word + 2, role: "A" }] }));
    const trace = traceRoles(createSystem("arc-eager"), gold, crossing)!;
    expect(trace.steps.filter(({ transition }) => transition === "SEM-SWAP")).toHaveLength(1);
    expect(trace.lost).toEqual([]);
    expect(canBeBuilt(6, TANGLED)).toBe(false);
    const tangled = [1, 2, 3].map((word) => ({
      word,
      sense: "x",
      arguments: TANGLED.filter(([p]) => p === word).map(([, a]) => ({ word: a, role: "A" })),
    }));
    expect(traceRoles(createSystem("arc-eager"), gold, tangled)!.lost).toHaveLength(1);
  });

  test.each(SYSTEM_NAMES)("%s keeps in step with the semantic half, or is rejected", (name) => {
    const syntax = createSystem(name);
    if (syntax.description.reordersWords) {
      expect(() => new TwoStacks(syntax)).toThrow(/expected one that takes the words in their order/);
      return;
    }
    const stacks = new TwoStacks(syntax);
    const oracle = new TwoStackOracle(stacks);
    const c = new TwoStackConfiguration();
    const gold = new GoldTree([-1, 2, 0, 4, 2, 2]);
    const graph = graphOf(5, [
      [2, 1],
      [2, 4],
      [4, 1],
      [4, 3],
      [5, 1],
    ]);
    oracle.bind(gold, graph);
    stacks.initialize(c, 5);
    while (!stacks.isTerminal(c)) {
      const move = oracle.next(c)!;
      expect(stacks.permits(c, move)).toBe(true);
      stacks.apply(c, move, oracle.label);
      // The semantic half never reads ahead of syntax.
      const next = c.syntax.b(0);
      expect(c.semantics.front).toBeLessThanOrEqual(next > 0 ? next : 6);
    }
    syntax.finish(c.syntax);
    expect(Array.from(c.syntax.heads.subarray(1, 6))).toEqual([2, 0, 4, 2, 2]);
    expect(c.semantics.arcCount).toBe(5);
  });

  test.skipIf(!existsSync(ROLES))("most graphs of English can be built (skipped without the treebank)", () => {
    const reader = new TreebankReader({ format: "conll09" });
    const oracle = new SemanticOracle();
    const numbers = new Inventory();
    let [graphs, whole, arcs, built] = [0, 0, 0, 0];
    for (const sentence of [...reader.push(gunzipSync(readFileSync(ROLES))), ...reader.end()]) {
      if (sentence instanceof Error) throw sentence;
      const data = sentence.predicates.map((predicate) => predicate.toJSON());
      const graph = semanticGraph(sentence.length, data, numbers, numbers);
      const count = oracle.countBuilt(graph);
      graphs++;
      arcs += graph.arcs.length;
      built += count;
      if (count === graph.arcs.length) whole++;
    }
    expect([graphs, whole, arcs, built]).toEqual([1959, 1935, 9546, 9515]);
  });
});
