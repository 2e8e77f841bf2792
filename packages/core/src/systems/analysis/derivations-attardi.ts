import { NONE, type RootPosition } from "../configuration.js";
import type { GoldTree } from "../oracles/gold-tree.js";
import { headsByPlace } from "./places.js";

/**
 * A part of a derivation that never looks below the nodes it began with: the nodes on top at its end, b0, and how many
 * there are.
 */
interface Part {
  readonly nodes: readonly number[];
  readonly next: number;
  count: bigint;
}

/** The parts that begin with given nodes on top of the stack and a given b0, while they are being found. */
class Beginning {
  /** The parts by their end: `next`, then the nodes. */
  private readonly ends = new Map<number, Map<number, Part>>();
  private furthest: number;
  /** The shorter parts that are extended at the moment: those that end before the node `at`. */
  at: number;
  shorter: Part[] = [];

  constructor(
    readonly name: string,
    start: readonly number[],
    from: number,
    private readonly size: number,
  ) {
    this.at = from;
    this.furthest = from;
    if (from < size) this.add([...start, from], from + 1, 1n);
  }

  add(nodes: number[], next: number, count: bigint): void {
    let key = 0;
    for (const node of nodes) key = key * (this.size + 1) + node + 1;
    let parts = this.ends.get(next);
    if (!parts) this.ends.set(next, (parts = new Map()));
    const part = parts.get(key);
    if (part) part.count += count;
    else parts.set(key, { nodes, next, count });
    this.furthest = Math.max(this.furthest, next);
  }

  /** Go on to parts that end later. False if there are none. */
  advance(): boolean {
    while (++this.at <= this.furthest && this.at < this.size) {
      const parts = this.ends.get(this.at);
      if (!parts) continue;
      this.shorter = [...parts.values()];
      return true;
    }
    return false;
  }

  all(): Part[] {
    return [...this.ends.values()].flatMap((parts) => [...parts.values()]);
  }
}

/**
 * Attardi's system of degree d (and arc-standard, d = 1): parts of derivations that begin with d − 1 nodes on top of
 * the stack, SHIFT, and from then on keep at least d; at their end d nodes are there. Such a part ends with its first
 * SHIFT, or it is a shorter one, then one above it that begins with the topmost d − 1 nodes, then an arc among the d +
 * 1 nodes on top (Cohen, Gómez-Rodríguez & Satta 2011). Parts with the same beginning and end are counted together.
 * Only gold arcs are built, so that few combinations occur: O(n) beginnings on projective trees, polynomial in n for
 * any tree. Undefined if there are more than `combinations` of them.
 */
export function countByParts(
  degree: number,
  gold: GoldTree,
  root: RootPosition,
  combinations: number,
): bigint | undefined {
  const heads = headsByPlace(gold, root);
  const size = heads.length;
  const lastDependent = new Int32Array(size).fill(NONE);
  for (let d = 0; d < size; d++) if (heads[d]! >= 0) lastDependent[heads[d]!] = d;
  const known = new Map<string, Part[]>();
  let combined = 0;

  // An arc is in vain if a dependent of its dependent is still to come, or among the nodes at hand.
  const inVain = (d: number, lowest: number, above: Part) =>
    lastDependent[d]! >= above.next || heads[lowest] === d || above.nodes.some((node) => heads[node] === d);

  const combine = (beginning: Beginning, below: Part, above: Part) => {
    const lowest = below.nodes[0]!;
    const top = above.nodes[degree - 1]!;
    for (let i = -1; i < degree - 1; i++) {
      const other = i < 0 ? lowest : above.nodes[i]!;
      if (other < 0) continue;
      const removed = heads[other] === top ? i : heads[top] === other ? degree - 1 : degree;
      if (removed === degree || inVain(removed === i ? other : top, lowest, above)) continue;
      const rest = removed < 0 ? [] : [lowest];
      for (let k = 0; k < degree; k++) if (k !== removed) rest.push(above.nodes[k]!);
      beginning.add(rest, above.next, below.count * above.count);
    }
  };

  // Below the first node the stack is filled up with places that are none. A beginning waits until the parts that go
  // above its own are known; those that wait are a list, because they can be as many as there are words.
  const bottom = new Array<number>(degree - 1).fill(NONE);
  const waiting = [new Beginning(`${bottom},0`, bottom, 0, size)];
  for (;;) {
    const beginning = waiting[waiting.length - 1]!;
    const below = beginning.shorter[beginning.shorter.length - 1];
    if (below) {
      const start = below.nodes.slice(1);
      const name = `${start},${beginning.at}`;
      const above = known.get(name);
      if (!above) {
        waiting.push(new Beginning(name, start, beginning.at, size));
        continue;
      }
      beginning.shorter.pop();
      combined += above.length;
      if (combined > combinations) return undefined;
      for (const part of above) combine(beginning, below, part);
    } else if (!beginning.advance()) {
      known.set(beginning.name, beginning.all());
      waiting.pop();
      if (waiting.length === 0) break;
    }
  }
  let sum = 0n;
  for (const { nodes, next, count } of known.get(`${bottom},0`)!) {
    if (next === size && nodes.slice(0, -1).every((node) => node < 0)) sum += count;
  }
  return sum;
}
