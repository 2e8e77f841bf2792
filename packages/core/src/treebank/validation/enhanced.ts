// Levels 2 and 3: the enhanced graph in DEPS.

import { ENHANCED, relationMessage, relationProblem } from "./columns.js";
import { at, DEPREL, DEPS, HEAD, ID, type Row, type Rows } from "./rows.js";
import { page, type Report, type Rule } from "./violation.js";

const LINK = page("u/overview/enhanced-syntax.html");
const HEAD_ID = /^(?:0|[1-9][0-9]*)(?:\.[1-9][0-9]*)?$/;

/** The known facts of the graphs of the sentences before: the line of the first of each kind, or 0. */
export interface Graphs {
  withGraph: number;
  withoutGraph: number;
  orphan: number;
  emptyNode: number;
}

/** An arc of DEPS. */
export interface EnhancedArc {
  readonly head: string;
  readonly label: string;
}

export function arcsOf(deps: string): EnhancedArc[] {
  if (deps === "_") return [];
  return deps.split("|").map((arc) => {
    const colon = arc.indexOf(":");
    return colon < 0 ? { head: arc, label: "" } : { head: arc.slice(0, colon), label: arc.slice(colon + 1) };
  });
}

/** Checks form, heads, order and labels of DEPS, and that all nodes can be reached from the root. */
export function checkGraph({ rows, words }: Rows, known: Graphs, report: Report): void {
  const nodes = rows.filter((row) => row.kind !== "token");
  const line = nodes[0]!.line;
  if (nodes.length === words.length && words.every((row) => row.columns[DEPS] === "_")) {
    if (known.withGraph > 0 && known.withoutGraph === 0) {
      report(
        "edeps-only-sometimes",
        { line, column: DEPS + 1, link: LINK },
        `The sentence has no DEPS, that of line ${known.withGraph} has.`,
      );
    }
    known.withoutGraph ||= line;
    return;
  }
  if (known.withoutGraph > 0 && known.withGraph === 0) {
    report(
      "edeps-only-sometimes",
      { line, column: DEPS + 1, link: LINK },
      `The sentence has DEPS, that of line ${known.withoutGraph} has none.`,
    );
  }
  known.withGraph ||= line;
  const place = new Map(nodes.map((row, i) => [row.columns[ID]!, i + 1]));
  place.set("0", 0);
  // Arcs as lists: first[h], then next[that], …
  const dependents: number[][] = [];
  let isWhole = true;
  nodes.forEach((row, i) => {
    for (const head of checkDeps(row, place, report)) {
      if (head < 0) isWhole = false;
      else (dependents[head] ??= []).push(i + 1);
    }
  });
  if (!isWhole) return;
  const reached = new Uint8Array(nodes.length + 1);
  for (const stack = [0]; stack.length > 0; ) {
    for (const node of dependents[stack.pop()!] ?? []) {
      if (reached[node] === 1) continue;
      reached[node] = 1;
      stack.push(node);
    }
  }
  const lost = nodes.filter((_, i) => reached[i + 1] === 0);
  if (lost.length > 0) {
    const names = lost.slice(0, 5).map(({ columns }) => columns[ID]);
    const more = lost.length > 5 ? `, … (${lost.length})` : "";
    const message = `The enhanced graph does not reach ${names.join(", ")}${more} from the root.`;
    report("unconnected-egraph", at(lost[0]!, DEPS, LINK), message);
  }
}

/** Checks DEPS of a row; the heads as places of nodes, -1 for one that is not there. */
function checkDeps(row: Row, place: ReadonlyMap<string, number>, report: Report): number[] {
  const deps = row.columns[DEPS]!;
  const tell = (rule: Rule, message: string) => report(rule, at(row, DEPS, LINK), message);
  let [lastHead, lastLabel] = [-1, ""];
  let isOrdered = true;
  return arcsOf(deps).map(({ head, label }) => {
    if (label === "") {
      tell("invalid-deps", `${deps} is not DEPS (expected HEAD:RELATION, several joined with |).`);
      return -1;
    }
    if (!HEAD_ID.test(head)) {
      tell("invalid-ehead", `${head} is no head (expected the ID of a word or an empty node, or 0).`);
      return -1;
    }
    const node = place.get(head);
    if (node === undefined) {
      tell("unknown-ehead", `There is no ${head} in the sentence.`);
      return -1;
    }
    if (isOrdered && (node < lastHead || (node === lastHead && label < lastLabel))) {
      tell("unsorted-deps", `DEPS are sorted by head, then by relation: ${deps}.`);
      isOrdered = false;
    } else if (node === lastHead && label === lastLabel) tell("repeated-deps", `${head}:${label} occurs twice.`);
    [lastHead, lastLabel] = [node, label];
    if (head === row.columns[ID]) tell("deps-self-loop", `${head} is its own head.`);
    const problem = relationProblem(label, ENHANCED);
    if (problem !== undefined) {
      tell(problem === "form" ? "invalid-edeprel" : "unknown-edeprel", relationMessage(label, problem));
    }
    return node;
  });
}

/** Level 3: the label root goes with 0; where gaps are filled with empty nodes there are no orphans. */
export function checkEnhancedRelations({ rows }: Rows, known: Graphs, report: Report): void {
  for (const row of rows) {
    const deps = row.columns[DEPS]!;
    if (row.kind === "token" || deps === "_") continue;
    const tell = (rule: Rule, message: string) => report(rule, at(row, DEPS, LINK), message);
    const isEmpty = row.kind === "empty";
    if (isEmpty && known.emptyNode === 0) {
      known.emptyNode = row.line;
      if (known.orphan > 0) {
        tell(
          "empty-node-after-eorphan",
          `Where empty nodes fill gaps there is no orphan in DEPS, as in line ${known.orphan}.`,
        );
      }
    }
    // The usual case: the arc of the tree, which other rules look at.
    if (
      !isEmpty &&
      !deps.includes("|") &&
      deps === `${row.columns[HEAD]}:${row.columns[DEPREL]}` &&
      !deps.includes("orphan")
    ) {
      if (deps.startsWith("0:") || deps.includes(":root")) checkRoot(deps, tell);
      continue;
    }
    checkRoot(deps, tell);
    if (!deps.includes("orphan") || !arcsOf(deps).some(({ label }) => /^orphan(?::|$)/.test(label))) continue;
    known.orphan ||= row.line;
    if (known.emptyNode > 0) {
      tell(
        "eorphan-after-empty-node",
        `DEPS have no orphan where empty nodes fill gaps, as in line ${known.emptyNode}.`,
      );
    }
  }
}

function checkRoot(deps: string, tell: (rule: Rule, message: string) => void): void {
  for (const { head, label } of arcsOf(deps)) {
    const isRoot = label === "root" || label.startsWith("root:");
    if (head === "0" && !isRoot) tell("enhanced-0-is-not-root", `0:${label}: what depends on 0 is labelled root.`);
    if (head !== "0" && isRoot)
      tell("enhanced-root-is-not-0", `${head}:${label}: only what depends on 0 is labelled root.`);
  }
}
