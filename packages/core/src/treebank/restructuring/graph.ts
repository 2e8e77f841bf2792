// The enhanced graph in DEPS when words go, move or become one: what the tree of a sentence connects stays connected.

import { sortedArcs } from "../validation/repair.js";
import { arcsOf } from "../validation/rows/arcs.js";

const [ID, HEAD, DEPREL, DEPS] = [0, 6, 7, 8] as const;

/** Does one of the rows of a sentence have DEPS? */
export function hasGraph(rows: readonly (readonly string[])[]): boolean {
  return rows.some((columns) => columns[DEPS] !== undefined && columns[DEPS] !== "_");
}

/**
 * The label in DEPS of the arc that a word has in the tree. An orphan that is none in DEPS is one whose gap an empty
 * node fills: no orphan may come in there.
 */
export function labelInGraph(label: string, deps: string): string {
  return /^orphan(?::|$)/.test(label) && !deps.includes(":orphan") ? "dep" : label;
}

/** Gives the dependents of words that are to be deleted to the heads of these, in the graph. */
export function liftArcs(rows: readonly string[][], isDeleted: (id: string) => boolean): void {
  if (!hasGraph(rows)) return;
  const rowOf = new Map(rows.map((columns) => [columns[ID]!, columns]));
  const original = new Map(rows.map((columns) => [columns, columns[DEPS]!]));
  /** The nearest nodes above one that stay. */
  const remaining = (id: string, seen: Set<string>): string[] => {
    if (!isDeleted(id)) return [id];
    const row = rowOf.get(id);
    if (row === undefined || seen.has(id)) return [];
    seen.add(id);
    const deps = original.get(row)!;
    const heads = deps === "_" ? [row[HEAD]!] : arcsOf(deps).map(({ head }) => head);
    return heads.flatMap((head) => remaining(head, seen));
  };
  const below = dependentsOf(rows);
  for (const columns of rows) {
    const deps = columns[DEPS]!;
    if (deps === "_" || isDeleted(columns[ID]!) || !arcsOf(deps).some(({ head }) => isDeleted(head))) continue;
    const own = reachedFrom(columns[ID]!, below);
    const arcs = arcsOf(deps).flatMap(({ head, label }) => {
      if (!isDeleted(head)) return [`${head}:${label}`];
      // A cycle through the deleted word ends there.
      const above = remaining(head, new Set()).filter((id) => !own.has(id));
      return above.map((id) => `${id}:${id === "0" ? "root" : label}`);
    });
    columns[DEPS] = arcs.length === 0 ? "_" : sortedArcs(arcs.join("|"));
  }
}

/**
 * Mends the graph of the rows of a sentence, if it has one: arcs in their order, each once, none from a node to itself;
 * the label root from 0 and from nowhere else; and whatever cannot be reached from 0 gets the arc of the tree.
 */
export function mendGraph(rows: readonly string[][]): void {
  if (!hasGraph(rows)) return;
  const nodes = rows.filter(([id]) => !id!.includes("-"));
  const rowOf = new Map(nodes.map((columns) => [columns[ID]!, columns]));
  const original = new Map(nodes.map((columns) => [columns, columns[DEPS]!]));
  for (const columns of nodes) {
    const before = arcsOf(columns[DEPS]!);
    const arcs = before.flatMap(({ head, label }) => {
      if (head === columns[ID] || !(head === "0" || rowOf.has(head))) return [];
      const isRoot = label === "root" || label.startsWith("root:");
      return [`${head}:${head === "0" ? (isRoot ? label : "root") : isRoot ? "parataxis" : label}`];
    });
    // Words that become one may bring arcs from the same head.
    const isOrdered = before.every(
      ({ head, label }, i) => i === 0 || head !== before[i - 1]!.head || label > before[i - 1]!.label,
    );
    if (isOrdered && arcs.join("|") === columns[DEPS]) continue;
    columns[DEPS] = arcs.length === 0 ? "_" : sortedArcs(arcs.join("|"));
  }
  for (let lost = unreached(nodes); lost.size > 0; lost = unreached(nodes)) {
    // Of the words that are lost one has a head in the tree that is not; without words only empty nodes are left.
    const next = nodes.find((columns) => lost.has(columns[ID]!) && rowOf.has(columns[ID]!) && isBelow(columns, lost));
    const columns = next ?? nodes.find(([id]) => lost.has(id!))!;
    const root = nodes.find((row) => row[HEAD] === "0")?.[ID] ?? "0";
    const arc = next
      ? `${next[HEAD]}:${labelInGraph(next[DEPREL]!, original.get(next)!)}`
      : `${root}:${root === "0" ? "root" : "dep"}`;
    columns[DEPS] = columns[DEPS] === "_" ? arc : sortedArcs(`${columns[DEPS]}|${arc}`);
  }
}

/** Is the head of the word in the tree there, and not lost? */
function isBelow(columns: readonly string[], lost: ReadonlySet<string>): boolean {
  return /^\d+$/.test(columns[HEAD]!) && !lost.has(columns[HEAD]!);
}

/** The IDs of the nodes that no path from 0 leads to. */
function unreached(nodes: readonly (readonly string[])[]): Set<string> {
  const reached = reachedFrom("0", dependentsOf(nodes));
  return new Set(nodes.map(([id]) => id!).filter((id) => !reached.has(id)));
}

function dependentsOf(rows: readonly (readonly string[])[]): Map<string, string[]> {
  const dependents = new Map<string, string[]>();
  for (const columns of rows) {
    for (const { head } of arcsOf(columns[DEPS]!)) {
      const list = dependents.get(head);
      if (list) list.push(columns[ID]!);
      else dependents.set(head, [columns[ID]!]);
    }
  }
  return dependents;
}

/** The IDs of a node and of those that a path leads to from it. */
function reachedFrom(start: string, dependents: ReadonlyMap<string, readonly string[]>): Set<string> {
  const reached = new Set([start]);
  for (const stack = [start]; stack.length > 0; ) {
    for (const id of dependents.get(stack.pop()!) ?? []) {
      if (reached.has(id)) continue;
      reached.add(id);
      stack.push(id);
    }
  }
  return reached;
}
