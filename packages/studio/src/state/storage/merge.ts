// Changes that were made in two tabs at the same time, put one after the other.

import type { Tree } from "../../protocol/sentence.js";
import type { Change, ChangedSentence, SentenceState } from "./changes.js";

/** A change as it is after others that its maker had not seen, and how many of their values it replaces. */
export interface Rebased {
  change: Change;
  clashes: number;
}

/**
 * Puts a change after others. `written`: as much of it as the others had seen. What only one side changed is kept;
 * where both changed the same value of a word, this change comes last.
 */
export function rebase(change: Change, written: Change | undefined, others: readonly Change[]): Rebased {
  let clashes = 0;
  const count = (more: number) => (clashes += more);
  if (change.kind === "tree") {
    const theirs = others.filter((one) => one.kind === "tree" && one.sentence === change.sentence).at(-1);
    if (theirs?.kind !== "tree") return { change, clashes };
    const after = mergeTrees(change.before, theirs.after, change.after, count);
    return { change: { ...change, before: theirs.after, after }, clashes };
  }
  if (change.kind !== "sentences") return { change, clashes };
  const seen = written?.kind === "sentences" ? written.sentences : [];
  const sentences = change.sentences.map((one): ChangedSentence => {
    const earlier = seen.find(({ index }) => index === one.index);
    const base = earlier ? earlier.after : one.before;
    const theirs = others
      .flatMap((other) => (other.kind === "sentences" && other.document === change.document ? other.sentences : []))
      .filter(({ index }) => index === one.index)
      .at(-1);
    if (!theirs) return { ...one, before: base };
    const original = one.original ?? theirs.original;
    const after = mergeStates(base ?? {}, theirs.after ?? {}, one.after ?? {}, original, count);
    return { ...one, before: theirs.after, after };
  });
  return { change: { ...change, sentences }, clashes };
}

function mergeStates(
  base: SentenceState,
  theirs: SentenceState,
  mine: SentenceState,
  original: string | undefined,
  clash: (more: number) => void,
): SentenceState {
  const merged: SentenceState = {
    note: either(base.note, theirs.note, mine.note, clash),
    done: either(base.done, theirs.done, mine.done, clash),
    text: mine.text,
    fixed: mine.fixed,
    decided: mine.decided,
  };
  if (theirs.decided) merged.decided = [...new Set([...theirs.decided, ...(mine.decided ?? [])])];
  if (mine.text === base.text) Object.assign(merged, { text: theirs.text, fixed: theirs.fixed });
  else if (theirs.text !== base.text) {
    const texts = [base.text, theirs.text, mine.text].map((text) => text ?? original);
    const text = texts.every((one) => one !== undefined)
      ? mergeTexts(texts[0]!, texts[1]!, texts[2]!, clash)
      : undefined;
    if (text === undefined) clash(1);
    else {
      merged.text = text;
      const length = Math.max(theirs.fixed?.length ?? 0, mine.fixed?.length ?? 0);
      merged.fixed = Array.from({ length }, (_, k) =>
        [...new Set([...(theirs.fixed?.[k] ?? []), ...(mine.fixed?.[k] ?? [])])].sort((a, b) => a - b),
      );
    }
  }
  return Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== undefined));
}

/** HEAD and DEPREL belong together. */
const ARC = 6;

/** CoNLL-U with what either side changed, word by word; undefined if they do not have the same words. */
export function mergeTexts(
  base: string,
  theirs: string,
  mine: string,
  clash: (more: number) => void,
): string | undefined {
  const [old, other, own] = [base, theirs, mine].map(partsOf);
  const idsOf = (lines: readonly string[]) => lines.map((line) => line.split("\t", 1)[0]).join();
  if (idsOf(old!.words) !== idsOf(other!.words) || idsOf(old!.words) !== idsOf(own!.words)) return undefined;
  const comments = mergeComments(old!.comments, other!.comments, own!.comments, clash);
  const words = own!.words.map((line, i) => {
    const [a, b, c] = [old!.words[i]!, other!.words[i]!, line].map(cellsOf);
    return c!.map((cell, k) => either(a![k], b![k], cell, clash)).join("\t");
  });
  return comments && [...comments, ...words].join("\n");
}

/** The lines before the first word, and those of the words with the blank ones after them. */
function partsOf(text: string): { comments: string[]; words: string[] } {
  const lines = text.split("\n");
  const at = lines.findIndex((line) => /^\d/.test(line));
  return { comments: lines.slice(0, at), words: lines.slice(at) };
}

/** Line by line if all have as many; else one side must have left them as they were. */
function mergeComments(
  base: readonly string[],
  theirs: readonly string[],
  mine: readonly string[],
  clash: (more: number) => void,
): readonly string[] | undefined {
  if (base.length === theirs.length && base.length === mine.length)
    return mine.map((line, i) => either(base[i]!, theirs[i]!, line, clash));
  if (mine.join("\n") === base.join("\n")) return theirs;
  return theirs.join("\n") === base.join("\n") ? mine : undefined;
}

/** The columns of a word, its arc as one. */
function cellsOf(line: string): string[] {
  const cells = line.split("\t");
  if (cells.length > ARC + 1) cells.splice(ARC, 2, `${cells[ARC]}\t${cells[ARC + 1]}`);
  return cells;
}

function mergeTrees(
  base: Tree | undefined,
  theirs: Tree | undefined,
  mine: Tree | undefined,
  clash: (more: number) => void,
): Tree | undefined {
  if (!theirs || !mine || theirs.heads.length !== mine.heads.length) return mine;
  const arcOf = (tree: Tree | undefined, d: number) => (tree ? `${tree.heads[d]} ${tree.labels[d]}` : undefined);
  const isMine = mine.heads.map(
    (_, d) => either(arcOf(base, d), arcOf(theirs, d), arcOf(mine, d), clash) === arcOf(mine, d),
  );
  return {
    heads: mine.heads.map((head, d) => (isMine[d] ? head : theirs.heads[d]!)),
    labels: mine.labels.map((label, d) => (isMine[d] ? label : theirs.labels[d]!)),
  };
}

/** The value that is other than before; if both are, and not the same, mine. */
function either<T>(base: T, theirs: T, mine: T, clash: (more: number) => void): T {
  if (mine === base) return theirs;
  if (theirs !== base && theirs !== mine) clash(1);
  return mine;
}
