import { NONE } from "../../configuration.js";

/**
 * A part of a derivation that never looks below the nodes it began with: the nodes on top at its end, the next node to
 * be shifted, and what it is worth.
 */
export interface Part<Value> {
  readonly nodes: readonly number[];
  readonly next: number;
  value: Value;
}

/** The worth of parts: how many derivations there are of them, or how much they lose at least. */
export interface PartValues<Value> {
  /** A single SHIFT. */
  readonly one: Value;
  /** Either of two with the same beginning and end. */
  either(value: Value, other: Value): Value;
  /**
   * A part, one above it that begins where it ends, and an arc; undefined if that is in vain. `from`: the node whose
   * SHIFT is the beginning.
   */
  join(below: Part<Value>, above: Part<Value>, head: number, dependent: number, from: number): Value | undefined;
}

/** The same only for the same nodes. */
function keyOf(nodes: readonly number[], size: number): number | string {
  let key = 0;
  for (let i = 0; i < nodes.length; i++) key = key * (size + 1) + nodes[i]! + 1;
  return key > Number.MAX_SAFE_INTEGER ? nodes.join() : key;
}

/** The parts that begin with given nodes on top of the stack and a given next node, while they are being found. */
class Beginning<Value> {
  /** The parts by their end: `next`, then the nodes. */
  private readonly ends = new Map<number, Map<number | string, Part<Value>>>();
  private furthest: number;
  /** The shorter parts that are extended at the moment: those that end before the node `at`. */
  at: number;
  shorter: Part<Value>[] = [];

  constructor(
    readonly start: readonly number[],
    readonly from: number,
    private readonly size: number,
    private readonly values: PartValues<Value>,
  ) {
    this.at = from;
    this.furthest = from;
    if (from < size) this.add([...start, from], from + 1, values.one);
  }

  /** A part with these nodes at its end, which are copied. */
  add(nodes: readonly number[], next: number, value: Value): void {
    const key = keyOf(nodes, this.size);
    let parts = this.ends.get(next);
    if (!parts) this.ends.set(next, (parts = new Map()));
    const part = parts.get(key);
    if (part) part.value = this.values.either(part.value, value);
    else parts.set(key, { nodes: nodes.slice(), next, value });
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

  all(): Part<Value>[] {
    return [...this.ends.values()].flatMap((parts) => [...parts.values()]);
  }
}

/**
 * Attardi's system of degree d (and arc-standard, d = 1) on nodes 0 … size − 1: parts of derivations that begin with
 * d − 1 nodes on top of the stack, SHIFT, and from then on keep at least d; at their end d nodes are there. Such a part
 * ends with its first SHIFT, or it is a shorter one, then one above it that begins with the topmost d − 1 nodes, then
 * an arc among the d + 1 nodes on top (Cohen, Gómez-Rodríguez & Satta 2011). Parts with the same beginning and end are
 * taken together, so that there are polynomially many of them.
 *
 * Returns by the node that is left at the end what all derivations are worth; undefined if there are more than
 * `combinations` of parts.
 */
export function overParts<Value>(
  degree: number,
  size: number,
  values: PartValues<Value>,
  combinations: number,
): Map<number, Value> | undefined {
  // By the node that is shifted, then by those on top of the stack.
  const known = Array.from({ length: size + 1 }, () => new Map<number | string, Part<Value>[]>());
  let combined = 0;

  const nodes = new Array<number>(degree).fill(NONE);
  const attach = (
    beginning: Beginning<Value>,
    below: Part<Value>,
    above: Part<Value>,
    removed: number,
    head: number,
  ) => {
    const dependent = removed < 0 ? below.nodes[0]! : above.nodes[removed]!;
    const value = values.join(below, above, head, dependent, beginning.from);
    if (value === undefined) return;
    let at = 0;
    if (removed >= 0) nodes[at++] = below.nodes[0]!;
    for (let k = 0; k < degree; k++) if (k !== removed) nodes[at++] = above.nodes[k]!;
    beginning.add(nodes, above.next, value);
  };
  const combine = (beginning: Beginning<Value>, below: Part<Value>, above: Part<Value>) => {
    const top = above.nodes[degree - 1]!;
    for (let i = -1; i < degree - 1; i++) {
      const other = i < 0 ? below.nodes[0]! : above.nodes[i]!;
      if (other < 0) continue;
      attach(beginning, below, above, i, top);
      attach(beginning, below, above, degree - 1, other);
    }
  };

  // Below the first node the stack is filled up with places that are none. A beginning waits until the parts that go
  // above its own are known; those that wait are a list, because they can be as many as there are words.
  const bottom = new Array<number>(degree - 1).fill(NONE);
  const waiting = [new Beginning(bottom, 0, size, values)];
  for (;;) {
    const beginning = waiting[waiting.length - 1]!;
    const below = beginning.shorter[beginning.shorter.length - 1];
    if (below) {
      const start = below.nodes.slice(1);
      const above = known[beginning.at]!.get(keyOf(start, size));
      if (!above) {
        waiting.push(new Beginning(start, beginning.at, size, values));
        continue;
      }
      beginning.shorter.pop();
      combined += above.length;
      if (combined > combinations) return undefined;
      for (const part of above) combine(beginning, below, part);
    } else if (!beginning.advance()) {
      known[beginning.from]!.set(keyOf(beginning.start, size), beginning.all());
      waiting.pop();
      if (waiting.length === 0) break;
    }
  }
  const left = new Map<number, Value>();
  for (const { nodes, next, value } of known[0]!.get(keyOf(bottom, size))!) {
    if (next === size && nodes.slice(0, -1).every((node) => node < 0)) left.set(nodes[degree - 1]!, value);
  }
  return left;
}
