// Levels 2 and 3: the enhanced graph in DEPS.

import { ArcReader, arcsOf } from "./rows/arcs.js";
import { relationMessage, relationOf } from "./rows/relation-names.js";
import { at, DEPS, ID, type Row, type Rows } from "./rows/rows.js";
import { page, type Report, type Rule } from "./violation.js";

const LINK = page("u/overview/enhanced-syntax.html");

/** The known facts of the graphs of the sentences before: the line of the first of each kind, or 0. */
export interface Graphs {
  withGraph: number;
  withoutGraph: number;
  orphan: number;
  emptyNode: number;
  /** The last sentence with a graph, and whether a graph so far has more than the tree. */
  last: number;
  isEnhanced: boolean;
}

/**
 * Checks form, heads, order and labels of DEPS, and that all nodes can be reached from the root. Returns the nodes that
 * level 3 has to look at: empty ones, and those with arcs that are orphans, or of which only one of head and label is
 * that of the root.
 */
export function checkGraph({ rows, words }: Rows, known: Graphs, report: Report): Row[] {
  const nodes = words.length === rows.length ? words : rows.filter((row) => row.kind !== "token");
  const line = nodes[0]!.line;
  if (nodes.length === words.length && words.every((row) => row.isBlank(DEPS))) {
    if (known.withGraph > 0 && known.withoutGraph === 0) {
      report(
        "edeps-only-sometimes",
        { line, column: DEPS + 1, link: LINK },
        `The sentence has no DEPS, that of line ${known.withGraph} has.`,
      );
    }
    known.withoutGraph ||= line;
    return [];
  }
  if (known.withoutGraph > 0 && known.withGraph === 0) {
    report(
      "edeps-only-sometimes",
      { line, column: DEPS + 1, link: LINK },
      `The sentence has DEPS, that of line ${known.withoutGraph} has none.`,
    );
  }
  known.withGraph ||= line;
  known.last = line;
  known.isEnhanced ||= nodes.some((row) => !row.isBlank(DEPS) && !row.isPlain);
  const graph = new Graph(nodes, words.length);
  const odd: Row[] = [];
  for (let i = 1; i <= nodes.length; i++) {
    const row = nodes[i - 1]!;
    if (!row.isBlank(DEPS) && (checkDeps(row, i, graph, report) || row.kind === "empty")) odd.push(row);
  }
  const lost = graph.isWhole ? graph.lost() : [];
  if (lost.length > 0) {
    const names = lost.slice(0, 5).map((row) => row.column(ID));
    const more = lost.length > 5 ? `, … (${lost.length})` : "";
    const message = `The enhanced graph does not reach ${names.join(", ")}${more} from the root.`;
    report("unconnected-egraph", at(lost[0]!, DEPS, LINK), message);
  }
  return odd;
}

/** The graph of a sentence; its nodes are numbered in their order, from 1. */
class Graph {
  /** Are all heads nodes of the graph? */
  isWhole = true;
  /** The places of nodes by their IDs, where these are not the same. */
  private readonly places: ReadonlyMap<string, number> | undefined;
  /** The last arc from each node; the arc before an arc; its dependent. Arcs are numbered from 1. */
  private readonly last: Int32Array;
  private readonly before = [0];
  private readonly dependents = [0];

  constructor(
    private readonly nodes: readonly Row[],
    words: number,
  ) {
    this.last = new Int32Array(nodes.length + 1);
    if (nodes.length === words) return;
    this.places = new Map([["0", 0], ...nodes.map((row, i) => [row.column(ID), i + 1] as const)]);
  }

  get size(): number {
    return this.nodes.length;
  }

  get hasEmptyNodes(): boolean {
    return this.places !== undefined;
  }

  placeOf({ word, head }: ArcReader): number | undefined {
    if (this.places !== undefined) return this.places.get(head);
    return word >= 0 && word <= this.nodes.length ? word : undefined;
  }

  add(head: number, dependent: number): void {
    this.before.push(this.last[head]!);
    this.last[head] = this.dependents.push(dependent) - 1;
  }

  /** The nodes that cannot be reached from the root. */
  lost(): Row[] {
    const { last, before, dependents } = this;
    const reached = new Uint8Array(this.nodes.length + 1);
    let count = 0;
    for (const stack = [0]; stack.length > 0; ) {
      for (let arc = last[stack.pop()!]!; arc > 0; arc = before[arc]!) {
        const node = dependents[arc]!;
        if (reached[node] === 1) continue;
        reached[node] = 1;
        count++;
        stack.push(node);
      }
    }
    return count === this.nodes.length ? [] : this.nodes.filter((_, i) => reached[i + 1] === 0);
  }
}

const HEAD_ID = /^(?:0|[1-9][0-9]*)(?:\.[1-9][0-9]*)?$/;
const arc = new ArcReader();

/** Checks DEPS of a node, and adds its arcs to the graph; whether level 3 has to look at them. */
function checkDeps(row: Row, place: number, graph: Graph, report: Report): boolean {
  // Most arcs are those of the tree.
  const { head, relation: own } = row;
  if (!graph.hasEmptyNodes && head >= 0 && head <= graph.size && head !== place && own.isPlain && row.isPlain) {
    graph.add(head, place);
    return (head === 0) !== own.isRoot;
  }
  const tell = (rule: Rule, message: string) => report(rule, at(row, DEPS, LINK), message);
  let lastNode = -1;
  let lastLabel = "";
  let isOrdered = true;
  let isOdd = false;
  for (row.readArcs(arc); arc.next(); ) {
    const { relation } = arc;
    if (relation === undefined) {
      tell("invalid-deps", `${row.column(DEPS)} is not DEPS (expected HEAD:RELATION, several joined with |).`);
      graph.isWhole = false;
      continue;
    }
    isOdd ||= relation.isOrphan || (arc.word === 0) !== relation.isRoot;
    if (arc.word < 0 && !HEAD_ID.test(arc.head)) {
      tell("invalid-ehead", `${arc.head} is no head (expected the ID of a word or an empty node, or 0).`);
      graph.isWhole = false;
      continue;
    }
    const node = graph.placeOf(arc);
    if (node === undefined) {
      tell("unknown-ehead", `There is no ${arc.head} in the sentence.`);
      graph.isWhole = false;
      continue;
    }
    const { label, enhancedProblem: problem } = relation;
    if (isOrdered && (node < lastNode || (node === lastNode && label < lastLabel))) {
      const rule = node < lastNode ? "unsorted-deps" : "unsorted-deps-2";
      tell(rule, `DEPS are sorted by head, then by relation: ${row.column(DEPS)}.`);
      isOrdered = false;
    } else if (node === lastNode && label === lastLabel) tell("repeated-deps", `${arc.head}:${label} occurs twice.`);
    lastNode = node;
    lastLabel = label;
    if (node === place) tell("deps-self-loop", `${arc.head} is its own head.`);
    if (problem !== undefined) {
      tell(problem === "form" ? "invalid-edeprel" : "unknown-edeprel", relationMessage(label, problem));
    }
    graph.add(node, place);
  }
  return isOdd;
}

/** Level 3: the label root goes with 0; where gaps are filled with empty nodes there are no orphans. */
export function checkEnhancedRelations(nodes: readonly Row[], known: Graphs, report: Report): void {
  for (const row of nodes) {
    const tell = (rule: Rule, message: string) => report(rule, at(row, DEPS, LINK), message);
    if (row.kind === "empty" && known.emptyNode === 0) {
      known.emptyNode = row.line;
      if (known.orphan > 0) {
        tell(
          "empty-node-after-eorphan",
          `Where empty nodes fill gaps there is no orphan in DEPS, as in line ${known.orphan}.`,
        );
      }
    }
    let hasOrphan = false;
    for (const { head, label } of arcsOf(row.column(DEPS))) {
      const { isRoot, isOrphan } = relationOf(label);
      hasOrphan ||= isOrphan;
      if (head === "0" && !isRoot) tell("enhanced-0-is-not-root", `0:${label}: what depends on 0 is labelled root.`);
      if (head !== "0" && isRoot)
        tell("enhanced-root-is-not-0", `${head}:${label}: only what depends on 0 is labelled root.`);
    }
    if (!hasOrphan) continue;
    known.orphan ||= row.line;
    if (known.emptyNode > 0) {
      tell(
        "eorphan-after-empty-node",
        `DEPS have no orphan where empty nodes fill gaps, as in line ${known.emptyNode}.`,
      );
    }
  }
}

/** Level 3, after the last sentence: graphs that are all the same as the trees say nothing. */
export function checkAllGraphs({ last, isEnhanced }: Graphs, report: Report): void {
  if (last === 0 || isEnhanced) return;
  const message = "DEPS repeat the tree in all sentences (expected enhancements somewhere, or _ in DEPS).";
  report("edeps-identical-to-basic-trees", { line: last, column: DEPS + 1, link: LINK }, message);
}
