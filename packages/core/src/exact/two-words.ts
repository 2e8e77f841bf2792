import type { TemplateSet } from "../features/templates.js";
import { createSystem, systemNames } from "../registry/system-registry.js";
import { Configuration } from "../systems/configuration.js";
import type { TransitionSystem } from "../systems/system.js";
import { LEFT_ARC, type Move, REDUCE, RIGHT_ARC, SHIFT } from "../systems/transition.js";

/**
 * How a word comes onto the stack and how it leaves it, in the two ways that there are: for the first its head is the
 * front of the buffer when it leaves, for the second the node below it.
 */
export interface Ways {
  readonly come: readonly [Move, Move];
  readonly go: readonly [Move, Move];
}

const HYBRID: Ways = { come: [SHIFT, SHIFT], go: [LEFT_ARC, RIGHT_ARC] };
const EAGER: Ways = { come: [SHIFT, RIGHT_ARC], go: [LEFT_ARC, REDUCE] };

/** The ways of a system; undefined if it has others, or 0 is not last. */
export function waysOf(system: TransitionSystem): Ways | undefined {
  const { moves, root, description } = system;
  if (root !== "last" || description.context || description.leftOut) return undefined;
  const hasOnly = (wanted: readonly Move[]) =>
    moves.length === wanted.length && wanted.every((move) => moves.includes(move));
  if (description.leftArcFrom === "front" && hasOnly([LEFT_ARC, RIGHT_ARC, SHIFT])) return HYBRID;
  if (!hasOnly([LEFT_ARC, RIGHT_ARC, REDUCE, SHIFT]) || !system.takesFront(RIGHT_ARC)) return undefined;
  // A word without a head must not be reduced.
  const c = new Configuration();
  system.initialize(c, 2);
  system.apply(c, SHIFT);
  return system.permits(c, REDUCE) ? undefined : EAGER;
}

/** The systems that can be searched exactly. */
export function exactSystems(): string[] {
  return systemNames().filter((name) => waysOf(createSystem(name, { root: "last" })));
}

/**
 * Why a parser cannot be searched exactly, with what would do; undefined if it can: scores must depend on nothing but
 * which word is on top of the stack and which at the front of the buffer.
 */
export function obstacleOf(system: TransitionSystem, { atoms, positions }: TemplateSet): string | undefined {
  if (!waysOf(system))
    return `the system ${system.name} with root ${system.root} (expected ${exactSystems().join(" or ")} as it is, with root last)`;
  const expected = "(expected templates such as two-words, which see s0, the buffer and the words beside them)";
  for (const atom of atoms) {
    if (atom.kind === "history") return `the template value t${atom.index}.${atom.attribute} ${expected}`;
    if (atom.kind === "tree")
      return `the template value ${positions[atom.position]!.name}.${atom.attribute} ${expected}`;
  }
  const far = positions.find(
    ({ base, index, path }) => (base === "s" && index > 0) || path.some((step) => step !== "p" && step !== "n"),
  );
  return far && `the template position ${far.name} ${expected}`;
}
