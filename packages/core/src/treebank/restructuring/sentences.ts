import { check } from "../../checks/options.js";
import { having } from "../../checks/shapes.js";
import { readTreebank } from "../formats/reader.js";
import { commentValue, withComment } from "../sentence/comments.js";
import type { Sentence } from "../sentence/sentence.js";
import { hasNoSpaceAfter, surfaceText } from "../sentence/spaces.js";
import { LEFT_TO_RIGHT } from "../validation/relations.js";
import { labelInGraph, mendGraph } from "./graph.js";
import { highest } from "./highest.js";
import { linesOf, newIds, renumbered, type SentenceLines, textOfLines } from "./lines.js";

const SENTENCE = having("a Sentence", "form", "comment");
const HEAD = 6;
const DEPREL = 7;
const DEPS = 8;

/**
 * Two sentences of one: the second begins with word `at`. In each, the highest of the words that lose their head
 * becomes the root, and the others depend on it with the labels that they have. The comments stay with the first;
 * `sent_id` gets -1 and -2.
 * @param sentence the sentence
 * @param at the number of the first word of the second part
 */
export function splitSentence(sentence: Sentence, at: number): [Sentence, Sentence] {
  check("sentence", sentence, SENTENCE);
  if (!(Number.isInteger(at) && at >= 2 && at <= sentence.length)) {
    throw new RangeError(`invalid word: ${at} (expected 2 to ${sentence.length}, where the second sentence begins)`);
  }
  const token = sentence.multiWordTokens.find(({ from, to }) => from < at && to >= at);
  if (token) {
    throw new RangeError(
      `invalid word: ${at} (expected one that begins a token: ${token.form} is ${token.from} to ${token.to})`,
    );
  }
  const lines = linesOf(sentence.toString());
  const half = (from: number, to: number, number: 1 | 2): Sentence => {
    const inside = (i: number) => i >= from && i <= to;
    // An empty node before the first word belongs to the first sentence.
    const rows = lines.rows.filter(([id]) => inside(Math.max(1, Number.parseInt(id!, 10))));
    const ids = newIds(rows, (i) => i - from + 1);
    const heads = sentence.heads;
    const loose = rangeOf(from, to).filter((i) => !inside(heads[i]!));
    const root = highest(heads, loose);
    const renamed = rows.map((columns) => {
      const line = renumbered(columns, ids);
      const word = Number(columns[0]);
      if (!loose.includes(word)) return line;
      const head = word === root ? 0 : root - from + 1;
      const label = word === root ? "root" : labelBelow(line[DEPREL]!, word > root);
      [line[HEAD], line[DEPREL]] = [String(head), label];
      if (columns[DEPS] !== "_") line[DEPS] = withArc(line[DEPS]!, head, labelInGraph(label, columns[DEPS]!));
      return line;
    });
    mendGraph(renamed);
    const before = number === 1 ? lines.before : "";
    return withComments({ ...lines, before, rows: renamed, after: lines.after || lines.end }, sentence, number);
  };
  return [half(1, at - 1, 1), half(at, sentence.length, 2)];
}

/** The label of a word whose head is in the other sentence, below the root of its own. */
function labelBelow(label: string, isAfter: boolean): string {
  if (isRoot(label)) return "parataxis";
  return isAfter || !LEFT_TO_RIGHT.has(label.split(":", 1)[0]!) ? label : "dep";
}

function withComments(lines: SentenceLines, { id, comments, line }: Sentence, number: 1 | 2): Sentence {
  const [read] = readTreebank(textOfLines(lines), { line, allowNonTrees: true });
  const sentence = read!;
  let now: string[] = number === 1 ? [...sentence.comments] : [];
  if (id !== undefined) now = withComment(now, "sent_id", `${id}-${number}`);
  if (commentValue(comments, "text") !== undefined) now = withComment(now, "text", surfaceText(sentence));
  sentence.comments = now;
  return sentence;
}

/**
 * One sentence of two. The root of the second depends on that of the first, as `parataxis`. The comments of the first
 * stay, those of the second that it does not have are added.
 * @param first the first sentence
 * @param second the one that follows it
 */
export function joinSentences(first: Sentence, second: Sentence): Sentence {
  check("first sentence", first, SENTENCE);
  check("second sentence", second, SENTENCE);
  const lines = linesOf(first.toString());
  const more = linesOf(second.toString());
  const n = first.length;
  const ids = newIds(more.rows, (i) => i + n);
  const root = first.heads.indexOf(0);
  // Empty nodes before the first word follow the last word of the first sentence.
  let empty = lines.rows.filter(([id]) => id!.startsWith(`${n}.`)).length;
  for (const [id] of more.rows) if (id!.startsWith("0.")) ids.set(id!, `${n}.${++empty}`);
  const rows = more.rows.map((columns) => {
    const line = renumbered(columns, ids);
    if (columns[HEAD] !== "0" || root < 1) return line;
    [line[HEAD], line[DEPREL]] = [String(root), isRoot(line[DEPREL]!) ? "parataxis" : line[DEPREL]!];
    if (columns[DEPS] !== "_") line[DEPS] = withArc(line[DEPS]!, root, line[DEPREL]!);
    return line;
  });
  const all = [...lines.rows, ...rows];
  mendGraph(all);
  const [joined] = readTreebank(textOfLines({ ...lines, rows: all }), {
    line: first.line,
    allowNonTrees: true,
  });
  let comments: string[] = [...first.comments];
  for (const comment of second.comments) {
    const [, key] = /^#\s*([^=\s]+)\s*=/.exec(comment) ?? [];
    if (key !== undefined && key !== "sent_id" && commentValue(comments, key) === undefined) comments.push(comment);
  }
  const [a, b] = [commentValue(first.comments, "text"), commentValue(second.comments, "text")];
  if (a !== undefined) {
    comments = withComment(comments, "text", a + (endsInSpace(first) ? " " : "") + (b ?? surfaceText(second)));
  }
  joined!.comments = comments;
  return joined!;
}

function endsInSpace(sentence: Sentence): boolean {
  const token = sentence.multiWordTokens.find(({ to }) => to === sentence.length);
  return !hasNoSpaceAfter(token?.misc ?? sentence.misc(sentence.length));
}

function rangeOf(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, k) => from + k);
}

function isRoot(label: string): boolean {
  return /^root(?::|$)/.test(label);
}

/** DEPS with one more arc, in the order of the heads. */
function withArc(deps: string, head: number, label: string): string {
  const arcs = deps === "_" ? [] : deps.split("|").filter((arc) => !arc.startsWith("0:"));
  return [...arcs, `${head}:${label}`].sort((a, b) => Number.parseFloat(a) - Number.parseFloat(b)).join("|");
}
