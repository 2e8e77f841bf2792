// Changes to the lines of a CoNLL-U sentence, as text: all other lines keep their bytes.

import { check, STRING } from "../../checks/options.js";
import { STRINGS } from "../../checks/shapes.js";
import { hasGraph, liftArcs, mendGraph } from "../../treebank/restructuring/graph.js";
import { linesOf, newIds, renumbered, textOfLines } from "../../treebank/restructuring/lines.js";

/** The sentence with comments after those that it has; they may leave out their "# ". */
export function withComments(text: string, comments: readonly string[]): string {
  check("text", text, STRING);
  check("comments", comments, STRINGS);
  const end = text.includes("\r\n") ? "\r\n" : "\n";
  const lines = comments.map((comment) => `${comment.startsWith("#") ? comment : `# ${comment}`}${end}`);
  // A byte order mark and blank lines may come before the comments.
  return text.replace(/^\ufeff?\s*(?:#[^\n]*\n)*/, (before) => before + lines.join(""));
}

/** The sentence with another value of `# text`. */
export function withTextComment(text: string, value: string): string {
  return text.replace(/^(#\s*text\s*=\s*)[^\r\n]*/m, (_, key: string) => key + value);
}

/**
 * The sentence without the lines of some words, everything numbered anew: IDs, HEADs, arcs in DEPS (what depended on a
 * deleted word depends on its heads), multiword tokens, of which all words or none are deleted, and empty nodes. HEADs
 * must not point to deleted words.
 */
export function withoutWords(text: string, deleted: ReadonlySet<number>): string {
  const lines = linesOf(text);
  liftArcs(lines.rows, (id) => deleted.has(Number(id)));
  let count = 0;
  const ids = newIds(lines.rows, (word) => (deleted.has(word) ? undefined : ++count));
  const rows = lines.rows.filter(([id]) => id!.includes(".") || !deleted.has(Number.parseInt(id!, 10)));
  return textOfLines({ ...lines, rows: rows.map((columns) => renumbered(columns, ids)) });
}

/** The sentence with its enhanced graph mended, if it has one. */
export function withWholeGraph(text: string): string {
  const lines = linesOf(text);
  if (!hasGraph(lines.rows)) return text;
  mendGraph(lines.rows);
  return textOfLines(lines);
}
