// Foundations of the least loss: the best tree over the elements that are left, and searches that end.

import { describe, expect, test } from "vitest";
import { Random } from "../../src/math/random.js";
import { createSystem } from "../../src/registry/systems.js";
import { Configuration, NONE } from "../../src/systems/configuration.js";
import { BestFirst } from "../../src/systems/losses/best-first.js";
import { BestTree, type Problem } from "../../src/systems/losses/best-tree.js";
import { BottomUpLoss } from "../../src/systems/losses/bottom-up.js";
import { GoldTree } from "../../src/systems/oracles/gold-tree.js";
import { randomTree } from "./long-trees.js";

interface Wanted extends Omit<Problem, "most" | "projective"> {
  size: number;
  /** The head that each element wants, NONE if any will do. */
  wants: number[];
}

function mostKept(tree: BestTree, { size, wants, ...problem }: Wanted): number {
  tree.begin({ most: size, projective: false, ...problem });
  for (let e = 0; e < size; e++) tree.add(1, 1);
  wants.forEach((h, d) => {
    if (h !== NONE) tree.want(d, h);
  });
  return tree.mostKept();
}

/** The same by joining the two topmost trees, or shifting, in every order there is. */
function mostKeptBySearch({ size, stacked, zero, zeroTakesOne, bottomUp, wants }: Wanted): number {
  interface Tree {
    root: number;
    left: number[];
    right: number[];
  }
  const leaf = (e: number): Tree => ({ root: e, left: [e], right: [e] });
  let most = -1;
  const go = (stack: Tree[], next: number, kept: number, zeroHasOne: boolean): void => {
    if (stack.length === 1 && next === size) most = Math.max(most, kept);
    if (next < size) go([...stack, leaf(next)], next + 1, kept, zeroHasOne);
    const [second, top] = stack.slice(-2);
    if (!second || !top) return;
    const rest = stack.slice(0, -2);
    const gain = (d: Tree, h: number) => kept + (wants[d.root] === h ? 1 : 0);
    const full = (h: number) => h === zero && zeroTakesOne && zeroHasOne;
    if (second.root !== zero) {
      (bottomUp ? [top.root] : top.left).forEach((h, k) => {
        if (full(h)) return;
        const joined = { ...top, left: [...top.left.slice(0, k + 1), ...second.left] };
        go([...rest, joined], next, gain(second, h), zeroHasOne || h === zero);
      });
    }
    if (top.root !== zero) {
      (bottomUp ? [second.root] : second.right).forEach((h, k) => {
        if (full(h)) return;
        const joined = { ...second, right: [...second.right.slice(0, k + 1), ...top.right] };
        go([...rest, joined], next, gain(top, h), zeroHasOne || h === zero);
      });
    }
  };
  go(
    Array.from({ length: stacked }, (_, e) => leaf(e)),
    stacked,
    0,
    false,
  );
  return most;
}

describe("the best tree", () => {
  const random = new Random(20265);
  const below = (n: number) => Math.floor(random.next() * n);
  const tree = new BestTree();
  test.each([
    ["bottom-up", true],
    ["with spines", false],
  ])("keeps as many wants as any way to join the elements, %s", (_, bottomUp) => {
    for (let run = 0; run < 200; run++) {
      const size = 1 + below(6);
      const zero = [NONE, 0, size - 1][below(3)]!;
      const wants = Array.from({ length: size }, (_, d) => {
        const h = below(size + 1) - 1;
        return h === d || d === zero ? NONE : h;
      });
      const zeroTakesOne = !bottomUp && below(2) === 1;
      const problem = { size, stacked: below(size + 1), zero, zeroTakesOne, bottomUp, wants };
      expect(`${mostKept(tree, problem)} ${JSON.stringify(problem)}`).toBe(
        `${mostKeptBySearch(problem)} ${JSON.stringify(problem)}`,
      );
    }
  });

  test("uses the square of the number of elements, and gives the memory of large problems back", () => {
    const wants = [NONE, ...Array.from({ length: 999 }, (_, d) => d)];
    mostKept(tree, {
      size: 100,
      stacked: 50,
      zero: NONE,
      zeroTakesOne: false,
      bottomUp: true,
      wants: wants.slice(0, 100),
    });
    expect(tree.cells).toBeGreaterThan(0);
    expect(tree.cells).toBeLessThanOrEqual(4 * 100 * 100);
    mostKept(tree, { size: 1000, stacked: 500, zero: NONE, zeroTakesOne: false, bottomUp: true, wants });
    expect(tree.cells).toBe(0);
  });
});

test("a search takes the cheapest state first, and ends with an error when nothing is left", () => {
  const agenda = new BestFirst<string>("a search");
  agenda.add("dear", 3);
  agenda.add("cheap", 0);
  agenda.add("later", 0);
  expect([agenda.take(), agenda.cost]).toEqual(["later", 0]);
  agenda.add("one more", 1);
  expect([agenda.take(), agenda.take(), agenda.cost]).toEqual(["cheap", "one more", 1]);
  expect([agenda.take(), agenda.cost]).toEqual(["dear", 3]);
  expect(() => agenda.take()).toThrow("a search: no way to the end, after all that cost less than 4");
});

test("what is left after the reduction keeps to its invariants", () => {
  const random = new Random(20266);
  const moves: number[] = [];
  for (const name of ["arc-standard", "attardi"]) {
    for (const root of ["first", "last", "none"] as const) {
      for (const singleRoot of [false, true]) {
        const system = createSystem(name, { root, singleRoot });
        const gamma = new BottomUpLoss(name === "attardi" ? 2 : 1, root, singleRoot);
        for (let run = 0; run < 20; run++) {
          const gold = new GoldTree(randomTree(15, run));
          gamma.bind(gold);
          const c = new Configuration(15);
          system.initialize(c, 15);
          while (!system.isTerminal(c)) {
            gamma.reaches(c, NONE, false);
            const { size, stacked, head, waiting, zero } = gamma;
            const dependents = new Array<number>(size).fill(0);
            for (let i = 0; i < size; i++) if (head[i]! >= 0) dependents[head[i]!]!++;
            expect(Array.from(waiting.subarray(0, size))).toEqual(dependents);
            expect(Array.from(head.subarray(0, size)).every((h, i) => h >= -2 && h < size && h !== i)).toBe(true);
            for (let i = stacked; i < size; i++) expect(head[i] !== NONE || dependents[i]! > 0).toBe(true);
            expect(zero === NONE || (zero >= 0 && zero < size && !singleRoot)).toBe(true);
            const count = system.permitted(c, moves);
            system.apply(c, moves[Math.floor(random.next() * count)]!);
          }
        }
      }
    }
  }
});
