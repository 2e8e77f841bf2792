import type { SentencePart, TreeRank } from "./columns.js";

/** The value of the first comment `# key = value` (or `#key=value`). */
export function commentValue(comments: readonly string[], key: string): string | undefined {
  for (const comment of comments) {
    const equals = comment.indexOf("=");
    if (equals > 0 && comment.slice(1, equals).trim() === key) return comment.slice(equals + 1).trim();
  }
  return undefined;
}

/** The comments with another value of one: in its place, or after the others; undefined removes it. */
export function withComment(comments: readonly string[], key: string, value: string | undefined): string[] {
  const at = comments.findIndex((comment) => commentValue([comment], key) !== undefined);
  const line = value === undefined ? [] : [`# ${key} = ${value}`];
  if (at < 0) return [...comments, ...line];
  return [...comments.slice(0, at), ...line, ...comments.slice(at + 1)];
}

/** The CoNLL-U comments that give the rank of a tree. */
export function rankComments({ rank, of, score }: TreeRank): string[] {
  return [`# tree = ${rank} of ${of}`, `# score = ${score}`];
}

/** The CoNLL-U comment that gives the number of a part of an overlong sentence. */
export function partComments({ number, of }: SentencePart): string[] {
  return [`# part = ${number} of ${of}`];
}

/** The part that partComments wrote. */
export function partOf(comments: readonly string[]): SentencePart | undefined {
  const [, number, of] = /^(\d+) of (\d+)$/.exec(commentValue(comments, "part") ?? "") ?? [];
  return number === undefined ? undefined : { number: Number(number), of: Number(of) };
}

/** The rank that rankComments wrote. */
export function rankOf(comments: readonly string[]): TreeRank | undefined {
  const [, rank, of] = /^(\d+) of (\d+)$/.exec(commentValue(comments, "tree") ?? "") ?? [];
  const score = Number(commentValue(comments, "score") ?? Number.NaN);
  return rank === undefined || Number.isNaN(score) ? undefined : { rank: Number(rank), of: Number(of), score };
}

/** Line ends and tabs would break a line of CoNLL-U; they are in forms only if nothing else separates words there. */
export function oneLine(text: string): string {
  return /[\t\n\r]/.test(text) ? text.replace(/[\t\n\r]+/g, " ") : text;
}
