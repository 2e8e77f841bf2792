import type { GoldTree } from "../oracles/gold-tree.js";

/**
 * For each word the words whose arcs cross that into it; with the arcs out of 0 if it is told where 0 stands. O(n²).
 */
export function crossingArcs({ heads, length }: GoldTree, zeroIsLast?: boolean): number[][] {
  const left = new Int32Array(length + 1);
  const right = new Int32Array(length + 1);
  const arcs: number[] = [];
  for (let d = 1; d <= length; d++) {
    if (heads[d]! < 0 || (heads[d] === 0 && zeroIsLast === undefined)) continue;
    const h = heads[d] === 0 && zeroIsLast ? length + 1 : heads[d]!;
    left[d] = Math.min(h, d);
    right[d] = Math.max(h, d);
    arcs.push(d);
  }
  const crossings: number[][] = Array.from({ length: length + 1 }, () => []);
  for (const a of arcs) {
    for (const b of arcs) {
      const crosses = left[a]! < left[b]! && left[b]! < right[a]! && right[a]! < right[b]!;
      if (!crosses) continue;
      crossings[a]!.push(b);
      crossings[b]!.push(a);
    }
  }
  return crossings;
}

/** Words without whose arcs the others fit into two planes: of a chain of crossings that does not, the most crossed. */
export function thirdPlane(crossings: readonly (readonly number[])[]): number[] {
  const given = new Set<number>();
  const plane = new Int32Array(crossings.length);
  const cause = new Int32Array(crossings.length);
  const clash = (): number[] | undefined => {
    plane.fill(0);
    for (let first = 1; first < crossings.length; first++) {
      if (plane[first] !== 0 || given.has(first)) continue;
      plane[first] = 1;
      cause[first] = 0;
      const agenda = [first];
      for (let d = agenda.pop(); d !== undefined; d = agenda.pop()) {
        for (const next of crossings[d]!) {
          if (given.has(next) || plane[next] === -plane[d]!) continue;
          if (plane[next] === plane[d]) {
            const chain: number[] = [];
            for (const end of [d, next]) for (let at = end; at !== 0; at = cause[at]!) chain.push(at);
            return chain;
          }
          plane[next] = -plane[d]!;
          cause[next] = d;
          agenda.push(next);
        }
      }
    }
    return undefined;
  };
  const crossed = (d: number) => crossings[d]!.filter((other) => !given.has(other)).length;
  for (let chain = clash(); chain; chain = clash()) {
    given.add(chain.reduce((most, d) => (crossed(d) > crossed(most) ? d : most)));
  }
  return [...given];
}
