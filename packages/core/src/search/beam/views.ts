import type { Columns } from "../../features/columns.js";
import { type Position, STEPS, type Step, type TemplateSet, TREE_ATTRIBUTES } from "../../features/templates.js";

/** What templates can see of the node at the end of a path. */
export interface View {
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

/** In place of an attribute: which node it is. */
export const ITSELF = "itself";

/**
 * For every path from a node that a position's stands for, with spaces between its steps: the attributes that are
 * looked at at its end. A position stands for the ends of its path, or for what `pathsOf` says.
 */
export function seenPaths(
  { positions, atoms }: TemplateSet,
  pathsOf: (position: Position) => readonly (readonly Step[])[] = endsOf,
): Map<string, Set<string>> {
  const seen = new Map<string, Set<string>>();
  const see = (position: number, attribute: string) => {
    for (const path of pathsOf(positions[position]!)) {
      const key = path.join(" ");
      seen.set(key, (seen.get(key) ?? new Set()).add(attribute));
    }
  };
  for (const atom of atoms) {
    if (atom.kind === "history") continue;
    if (atom.kind === "word" || atom.kind === "tree") see(atom.position, atom.attribute);
    else for (const position of [atom.from, atom.to]) see(position, ITSELF);
  }
  return seen;
}

/** The steps of a path of `seenPaths`. */
export function stepsOf(key: string): Step[] {
  return key.split(" ").filter(Boolean) as Step[];
}

/** The ends of a path, all of it included. */
function endsOf({ path }: Position): Step[][] {
  return [...path, undefined].flatMap((_, from) => withOutermost(path.slice(from)));
}

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

/** What is looked at at the end of a path. */
export function viewOf(path: readonly Step[], attributes: ReadonlySet<string>, { attributes: names }: Columns): View {
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
