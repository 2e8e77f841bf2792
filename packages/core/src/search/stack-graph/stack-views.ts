import type { Columns } from "../../features/columns.js";
import { STEPS, type Step, type TemplateSet } from "../../features/templates.js";
import type { TransitionSystem } from "../../systems/system.js";
import { ITSELF, seenPaths, stepsOf, type View, viewOf } from "../beam/views.js";
import type { VisibleTree } from "./visible-tree.js";

const [, LEFT, LEFT2, RIGHT] = STEPS.map((_, i) => i);

const isBeside = (step: Step) => step === "p" || step === "n";

/** Why stacks of a system with these templates cannot be merged by their tops; undefined if they can. */
export function obstacle(system: TransitionSystem, { atoms, positions }: TemplateSet): string | undefined {
  if (!system.description.leftArcFrom) {
    return `the system ${system.name} (expected one whose arcs take one node off the stack, as arc-standard or arc-hybrid)`;
  }
  for (const atom of atoms) {
    const expected = "(expected templates that see only trees on the stack)";
    if (atom.kind === "history") return `the template value t${atom.index}.${atom.attribute} ${expected}`;
    const places = atom.kind === "word" || atom.kind === "tree" ? [atom.position] : [atom.from, atom.to];
    for (const place of places) {
      const { path, name } = positions[place]!;
      const beside = path.findIndex(isBeside);
      // A neighbour may be within any tree, and its label or dependents change with that one.
      const isTree = beside >= 0 && (atom.kind === "tree" || !path.slice(beside).every(isBeside));
      if (isTree || path.lastIndexOf("h") >= path.filter((step) => step === "h").length) {
        return `the template position ${name} ${expected}`;
      }
    }
  }
  return undefined;
}

/**
 * What templates see of the trees on the stack, at each depth. Of the topmost one all that can ever be seen: it may
 * become a dependent, or sink into the stack. Of a tree below only what is seen at its depth and further down: nothing
 * is attached to it there, and when it comes to the top again it does so with the state that has it on top.
 */
export class StackViews {
  /** By depth; from `views.length` on nothing is seen. */
  private readonly views: readonly (readonly View[])[];
  /** How many steps down from the tree at each depth something is seen. */
  readonly steps: readonly number[];
  /** How many nodes of the buffer are seen. */
  readonly lookahead: number;

  constructor(
    templates: TemplateSet,
    private readonly columns: Columns,
  ) {
    const { positions } = templates;
    const last = (base: string) => Math.max(...positions.map((p) => (p.base === base ? p.index : 0)));
    // Whether arcs are permitted depends on which the two topmost nodes are.
    const depth = Math.max(2, last("s") + 1);
    this.lookahead = last("b") + 1;
    this.views = Array.from({ length: depth }, (_, k) => {
      const seen =
        k === 0
          ? seenPaths(templates)
          : seenPaths(templates, ({ base, index, path }) => (base === "s" && index >= k ? [path] : []));
      const views = [...seen].flatMap(([key, attributes]) => {
        const path = stepsOf(key);
        const beside = path.findIndex(isBeside);
        // Nodes of stack and buffer have no heads where trees are built bottom-up.
        if (path[0] === "h") return [];
        // The words beside two nodes are the same if the nodes are.
        return beside < 0 ? viewOf(path, attributes, columns) : viewOf(path.slice(0, beside), new Set([ITSELF]), columns);
      });
      return k < 2 ? [viewOf([], new Set([ITSELF]), columns), ...views] : views;
    });
    this.steps = this.views.map((views) => Math.max(0, ...views.map(({ path }) => path.length)));
  }

  get depth(): number {
    return this.views.length;
  }

  /** Do two trees look the same at a depth of the stack? */
  isSame(one: VisibleTree | undefined, other: VisibleTree | undefined, depth: number): boolean {
    if (one === other) return true;
    if (!one || !other) return false;
    const views = this.views[depth]!;
    const { columns } = this.columns;
    for (let v = 0; v < views.length; v++) {
      const view = views[v]!;
      const a = treeAt(one, view.path);
      const b = treeAt(other, view.path);
      if (a === b) continue;
      if (!a || !b) return false;
      if (a.node !== b.node) {
        if (a.node === 0 || b.node === 0 || view.itself) return false;
        for (const k of view.columns) if (columns[k]![a.node] !== columns[k]![b.node]) return false;
      }
      if (view.label && a.label !== b.label) return false;
      if (view.leftValency && a.leftValency !== b.leftValency) return false;
      if (view.rightValency && a.rightValency !== b.rightValency) return false;
      if (view.leftLabels && a.leftLabels !== b.leftLabels) return false;
      if (view.rightLabels && a.rightLabels !== b.rightLabels) return false;
    }
    return true;
  }
}

/** The tree at the end of steps to dependents. */
function treeAt(start: VisibleTree, path: Int32Array): VisibleTree | undefined {
  let tree: VisibleTree | undefined = start;
  for (let i = 0; i < path.length && tree; i++) {
    const step = path[i];
    tree =
      step === LEFT
        ? tree.leftmost
        : step === LEFT2
          ? tree.leftmost2
          : step === RIGHT
            ? tree.rightmost
            : tree.rightmost2;
  }
  return tree;
}
