// Changes to the enhanced graph: its empty nodes, and its arcs in DEPS. What is not changed keeps its bytes.

import { check, STRING } from "../../checks/options.js";
import { SENTENCE } from "../../checks/shapes.js";
import { CONLLU } from "../formats/layout.js";
import { readTreebank } from "../formats/reader.js";
import type { Sentence } from "../sentence/sentence.js";
import { sortedArcs } from "../validation/repair.js";
import { arcsOf } from "../validation/rows/arcs.js";
import { hasGraph, liftArcs } from "./graph.js";
import { isWord, linesOf, newIds, renumbered, type SentenceLines, textOfLines } from "./lines.js";

const [ID, HEAD, DEPREL, DEPS] = [0, 6, 7, 8] as const;

/** The columns of an empty node that can be set; it has neither HEAD nor DEPREL. */
const COLUMNS = { form: 1, lemma: 2, upos: 3, xpos: 4, feats: 5, deps: DEPS, misc: 9 } as const;

/** An arc of the enhanced graph: the ID of the head, "0" for the root, and the label. */
export interface GraphArc {
  readonly head: string;
  readonly label: string;
}

/**
 * The sentence with an empty node after a word (0 for the beginning), and after the empty nodes that stand there. A
 * sentence that has no graph yet gets that of its tree first.
 */
export function addEmptyNode(sentence: Sentence, word: number): Sentence {
  const lines = linesIn(sentence);
  if (word !== 0 && !lines.rows.some(([id]) => id === String(word))) refuse("word", String(word), lines);
  beginGraph(lines);
  let at = lines.rows.length - 1;
  // A multiword token that begins with the next word comes after the node.
  while (at >= 0 && (Number.parseInt(lines.rows[at]![ID]!, 10) > word || lines.rows[at]![ID]!.includes("-"))) at--;
  const [last = ""] = lines.rows[at] ?? [];
  const number = last.includes(".") ? Number(last.split(".")[1]) + 1 : 1;
  lines.rows.splice(at + 1, 0, [`${word}.${number}`, ...Array<string>(9).fill("_")]);
  return sentenceOf(lines);
}

/** The sentence without an empty node: in the graph, its dependents go to its heads; those after it are renumbered. */
export function removeEmptyNode(sentence: Sentence, id: string): Sentence {
  const lines = linesIn(sentence);
  nodeIn(lines, id);
  liftArcs(lines.rows, (one) => one === id);
  const rows = lines.rows.filter((columns) => columns[ID] !== id);
  const ids = newIds(rows, (word) => word);
  return sentenceOf({ ...lines, rows: rows.map((columns) => renumbered(columns, ids)) });
}

/** The sentence with another value in a column of an empty node; "" is "_". */
export function setEmptyNode(sentence: Sentence, id: string, column: keyof typeof COLUMNS, value: string): Sentence {
  check("value", value, STRING);
  if (/[\t\r\n]/.test(value)) throw new RangeError(`invalid ${column}: ${value} (expected no tab and no line end)`);
  const lines = linesIn(sentence);
  nodeIn(lines, id)[COLUMNS[column]] = value || "_";
  return sentenceOf(lines);
}

/**
 * The sentence with an arc into a node added, changed or removed: `before` is the arc that goes, `after` the one that
 * comes. A sentence that has no graph yet gets that of its tree first.
 */
export function changeGraphArc(
  sentence: Sentence,
  dependent: string,
  before: GraphArc | undefined,
  after: GraphArc | undefined,
): Sentence {
  const lines = linesIn(sentence);
  const columns = nodeOrWordIn(lines, dependent);
  beginGraph(lines);
  const arcs = arcsOf(columns[DEPS]!).filter(({ head, label }) => head !== before?.head || label !== before.label);
  if (after) {
    const { head, label } = after;
    if (head !== "0") nodeOrWordIn(lines, head);
    if (head === dependent) throw new RangeError(`invalid head: ${head} (expected another node)`);
    if (!/^[^\s|]+$/u.test(label)) throw new RangeError(`invalid label: ${label} (expected one word, such as nsubj)`);
    arcs.push(after);
  }
  columns[DEPS] = arcs.length === 0 ? "_" : sortedArcs(arcs.map(({ head, label }) => `${head}:${label}`).join("|"));
  return sentenceOf(lines);
}

/** The arcs of the tree, where there are none in DEPS. */
function beginGraph({ rows }: SentenceLines): void {
  if (hasGraph(rows)) return;
  for (const row of rows) if (isWord(row) && row[HEAD] !== "_") row[DEPS] = `${row[HEAD]}:${row[DEPREL]}`;
}

function linesIn(sentence: Sentence): SentenceLines {
  check("sentence", sentence, SENTENCE);
  if (sentence.layout !== CONLLU)
    throw new RangeError(`invalid sentence: ${sentence.layout.name} has no enhanced graph`);
  return linesOf(sentence.toString());
}

function sentenceOf(lines: SentenceLines): Sentence {
  return readTreebank(textOfLines(lines), { allowNonTrees: true })[0]!;
}

function nodeIn(lines: SentenceLines, id: string): string[] {
  const columns = lines.rows.find(([one]) => one === id && id.includes("."));
  return columns ?? refuse("empty node", id, lines);
}

function nodeOrWordIn(lines: SentenceLines, id: string): string[] {
  return lines.rows.find((columns) => columns[ID] === id && !id.includes("-")) ?? refuse("node", id, lines);
}

function refuse(what: string, id: string, { rows }: SentenceLines): never {
  const known = rows.flatMap(([one]) => (what === "empty node" && !one!.includes(".") ? [] : [one!]));
  throw new RangeError(`invalid ${what}: ${id} (expected one of ${known.join(", ") || "none: there is none"})`);
}
