import type { Columns } from "../features/columns.js";
import type { Step, TemplateSet } from "../features/templates.js";
import type { VisibleTree } from "./visible-tree.js";

/** The view of templates on a word: columns, or which word it is, because they measure distances or look beside it. */
interface View {
  readonly columns: number[];
  isItself: boolean;
}

/** How far down the stack trees are compared. */
const LEVELS = 3;

/**
 * By what states of a graph-structured stack are told apart: the words on top of the stack and their outermost
 * dependents, as templates see them. Words that look alike are the same; what templates do not look at is not compared.
 * (Huang & Sagae 2010, section 3.3: kernel features.)
 *
 * Level 0 is that of the topmost tree, and what is seen at a level is compared at those above, too: the states below
 * one are all alike at its next level, so they must be at the one after that.
 */
export class KernelFeatures {
  private readonly roots: View[] = [];
  private readonly lefts: View[] = [];
  private readonly rights: View[] = [];

  constructor(
    { atoms, positions }: TemplateSet,
    private readonly columns: Columns,
  ) {
    for (let level = 0; level < LEVELS; level++) {
      for (const views of [this.roots, this.lefts, this.rights]) views.push({ columns: [], isItself: false });
    }
    for (const atom of atoms) {
      if (atom.kind === "history") continue;
      const isWord = atom.kind === "word";
      for (const place of isWord || atom.kind === "tree" ? [atom.position] : [atom.from, atom.to]) {
        const { base, index, path } = positions[place]!;
        const column = isWord ? columns.attributes.indexOf(atom.attribute) : -1;
        const isDependent = path[0] === "l" || path[0] === "r";
        // The words ahead are the same. Dependents of the first stay with it when it comes to the top of the stack.
        if (base === "b" && !(index === 0 && isDependent)) continue;
        for (let level = 0; level < LEVELS && level <= index; level++) {
          this.add(level, path, atom.kind === "tree" ? undefined : column);
        }
      }
    }
  }

  /** Templates look at the end of a path: a column, or with -1 which word it is. */
  private add(level: number, path: readonly Step[], column: number | undefined): void {
    const [first, second] = path;
    const isBeside = (step: Step | undefined) => step === "p" || step === "n";
    const views = first === "l" ? this.lefts : first === "r" ? this.rights : this.roots;
    const view = views[level]!;
    const last = views === this.roots ? first : second;
    if (isBeside(last)) view.isItself = true;
    else if (last !== undefined || column === undefined) return;
    else if (column < 0) view.isItself = true;
    else if (!view.columns.includes(column)) view.columns.push(column);
  }

  /** Can a template tell two trees apart by their words, if both are on a level? */
  same(one: VisibleTree | undefined, other: VisibleTree | undefined, level: number): boolean {
    if (one === other) return true;
    if (!one || !other || !this.alike(this.roots[level]!, one.node, other.node)) return false;
    // Whether a root may have one more dependent depends on whether it has one.
    const isRoot = one.node === 0;
    return (
      this.alikeTrees(this.lefts[level]!, one.leftmost, other.leftmost, isRoot) &&
      this.alikeTrees(this.rights[level]!, one.rightmost, other.rightmost, isRoot)
    );
  }

  /** A number that is the same for trees that are. */
  hash(tree: VisibleTree | undefined, level: number): number {
    if (!tree) return -1;
    const { columns, isItself } = this.roots[level]!;
    if (isItself) return tree.node;
    let h = 0;
    for (let i = 0; i < columns.length; i++) h = Math.imul(h ^ this.columns.columns[columns[i]!]![tree.node]!, 31);
    return h;
  }

  private alikeTrees(
    view: View,
    one: VisibleTree | undefined,
    other: VisibleTree | undefined,
    isRoot: boolean,
  ): boolean {
    if (one && other) return this.alike(view, one.node, other.node);
    return one === other || (!isRoot && !view.isItself && view.columns.length === 0);
  }

  private alike({ columns, isItself }: View, one: number, other: number): boolean {
    if (one === other) return true;
    if (isItself || one === 0 || other === 0) return false;
    for (let i = 0; i < columns.length; i++) {
      const column = this.columns.columns[columns[i]!]!;
      if (column[one] !== column[other]) return false;
    }
    return true;
  }
}
