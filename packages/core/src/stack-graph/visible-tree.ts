import { type Configuration, labelMark, NONE } from "../systems/configuration.js";

/**
 * A tree on the stack, as features see it: its root, and the trees of the outermost dependents. Never changed, so that
 * all states that have it share it.
 */
export interface VisibleTree {
  readonly node: number;
  /** Label of the arc into the root of a dependent's tree, else NONE. */
  readonly label: number;
  readonly leftmost: VisibleTree | undefined;
  readonly leftmost2: VisibleTree | undefined;
  readonly rightmost: VisibleTree | undefined;
  readonly rightmost2: VisibleTree | undefined;
  readonly leftValency: number;
  readonly rightValency: number;
  readonly leftLabels: number;
  readonly rightLabels: number;
}

/** The tree of a word without dependents. */
export function leaf(node: number): VisibleTree {
  return {
    node,
    label: NONE,
    leftmost: undefined,
    leftmost2: undefined,
    rightmost: undefined,
    rightmost2: undefined,
    leftValency: 0,
    rightValency: 0,
    leftLabels: 0,
    rightLabels: 0,
  };
}

/**
 * The tree of a head with one more dependent, further outside than all on its side: where trees are built bottom-up,
 * and of neighbours, it always is. `isLeft`: on which side.
 */
export function withDependent(head: VisibleTree, tree: VisibleTree, label: number, isLeft: boolean): VisibleTree {
  const dependent = { ...tree, label };
  const mark = labelMark(label);
  return isLeft
    ? {
        ...head,
        leftmost: dependent,
        leftmost2: head.leftmost,
        leftValency: head.leftValency + 1,
        leftLabels: (head.leftLabels + mark) | 0,
      }
    : {
        ...head,
        rightmost: dependent,
        rightmost2: head.rightmost,
        rightValency: head.rightValency + 1,
        rightLabels: (head.rightLabels + mark) | 0,
      };
}

/** Write a tree into the arrays of a configuration, as deep as so many steps down lead. */
export function write(tree: VisibleTree, c: Configuration, steps: number): void {
  const { node, leftmost, leftmost2, rightmost, rightmost2 } = tree;
  c.labels[node] = tree.label;
  c.leftValency[node] = tree.leftValency;
  c.rightValency[node] = tree.rightValency;
  c.leftLabels[node] = tree.leftLabels;
  c.rightLabels[node] = tree.rightLabels;
  c.leftmost[node] = leftmost ? leftmost.node : NONE;
  c.leftmost2[node] = leftmost2 ? leftmost2.node : NONE;
  c.rightmost[node] = rightmost ? rightmost.node : NONE;
  c.rightmost2[node] = rightmost2 ? rightmost2.node : NONE;
  if (steps === 0) return;
  if (leftmost) write(leftmost, c, steps - 1);
  if (leftmost2) write(leftmost2, c, steps - 1);
  if (rightmost) write(rightmost, c, steps - 1);
  if (rightmost2) write(rightmost2, c, steps - 1);
}
