import { type Configuration, NONE } from "../configuration.js";
import { GoldBound } from "../oracles/gold-bound.js";
import type { GoldTree } from "../oracles/gold-tree.js";
import type { OracleMakers, StaticOracle } from "../oracles/oracle.js";
import { LEFT_ARC, type Move, REDUCE, RIGHT_ARC, SHIFT } from "../transition.js";
import { crossingArcs } from "./planes.js";
import { inactive, SWITCH, type TwoPlanar } from "./two-planar.js";
import { TwoPlanarDynamicOracle } from "./two-planar-dynamic-oracle.js";

/**
 * The oracles of 2-planar. If one root is required, the arcs that are left must come under it, which no quick method is
 * known for: there is a static oracle only.
 */
export const twoPlanarOracles: OracleMakers<TwoPlanar> = {
  static: (system) => new TwoPlanarOracle(system),
  nonDeterministic: () => undefined,
  dynamic: (system, exactWords) => (system.singleRoot ? undefined : new TwoPlanarDynamicOracle(system, exactWords)),
};

/** The plane of arcs from 0 where 0 is absent: they are left to the end, where words without a head are attached. */
const NO_PLANE = -1;

/**
 * Static oracle (Gómez-Rodríguez & Nivre 2010): every arc gets a plane of its own, so that those of a plane do not
 * cross; then the arcs of b0 in the active plane, from the nearest on, SWITCH for those in the other, and SHIFT. O(n²)
 * for the planes, O(n) a step.
 */
class TwoPlanarOracle extends GoldBound<TwoPlanar> implements StaticOracle {
  /** The plane of the arc into each word; undefined if two are not enough. */
  private planes: Int32Array | undefined;

  override bind(gold: GoldTree): void {
    super.bind(gold);
    const { root } = this.system;
    this.planes = planesOf(gold, root === "none" ? undefined : root === "last");
  }

  next(c: Configuration): Move {
    const move = this.planes ? this.wanted(c, this.planes) : NONE;
    return move !== NONE && this.system.permits(c, move) ? move : NONE;
  }

  private wanted(c: Configuration, planes: Int32Array): Move {
    const { heads, start, dependents } = this.gold;
    const s = c.s(0);
    const b = c.b(0);
    const { plane } = inactive(c);
    if (s > 0 && heads[s] === b && c.heads[s] === NONE && planes[s] === plane) return LEFT_ARC;
    if (s !== NONE && b > 0 && heads[b] === s && c.heads[b] === NONE && planes[b] === plane) return RIGHT_ARC;
    // Arcs with what is further down.
    let isElsewhere = false;
    const isLeft = (node: number) => (node === 0 ? c.rootPlace === 0 : b === 0 || node < b);
    const look = (dependent: number): boolean => {
      if (c.heads[dependent] !== NONE || planes[dependent] === NO_PLANE) return false;
      if (planes[dependent] !== plane) isElsewhere = true;
      return planes[dependent] === plane;
    };
    let isBelow = b > 0 && heads[b]! >= 0 && isLeft(heads[b]!) && look(b);
    for (let i = start[b]!; i < start[b + 1]! && isLeft(dependents[i]!); i++) {
      if (look(dependents[i]!)) isBelow = true;
    }
    return isBelow ? REDUCE : isElsewhere ? SWITCH : SHIFT;
  }
}

/**
 * Planes for the arcs, so that no two of a plane cross; with those out of 0 if it is told where 0 stands. Undefined if
 * two planes are not enough.
 */
function planesOf(gold: GoldTree, zeroIsLast?: boolean): Int32Array | undefined {
  const { heads, length } = gold;
  const planes = new Int32Array(length + 1).fill(NO_PLANE);
  const crossings = crossingArcs(gold, zeroIsLast);
  for (let first = 1; first <= length; first++) {
    const isBuilt = heads[first]! > 0 || (heads[first] === 0 && zeroIsLast !== undefined);
    if (planes[first] !== NO_PLANE || !isBuilt) continue;
    planes[first] = 0;
    const agenda = [first];
    for (let a = agenda.pop(); a !== undefined; a = agenda.pop()) {
      for (const b of crossings[a]!) {
        if (planes[b] === planes[a]) return undefined;
        if (planes[b] !== NO_PLANE) continue;
        planes[b] = 1 - planes[a]!;
        agenda.push(b);
      }
    }
  }
  return planes;
}
