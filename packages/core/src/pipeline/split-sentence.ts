import type { RawSentence } from "./segmenter/segmenter.js";

/** Where a long sentence is split if it can be: after punctuation. */
const PUNCTUATION = /^[\p{P}\p{S}]+$/u;

/**
 * The parts of a sentence that has more words than `most`: after the last punctuation mark in the second half of what
 * may be in a part, or else where it is full. A multiword token is never divided, and so makes a part by itself if it
 * has more words. The parts have all of the text.
 * @param sentence the sentence
 */
export function splitSentence(sentence: RawSentence, most: number): RawSentence[] {
  const { tokens, start, before, text } = sentence;
  const parts: RawSentence[] = [];
  let from = 0;
  while (from < tokens.length) {
    let to = from;
    let mark = from;
    for (let words = 0; to < tokens.length; to++) {
      words += tokens[to]!.words?.length ?? 1;
      if (words > most && to > from) break;
      if (2 * words >= most && PUNCTUATION.test(tokens[to]!.form)) mark = to + 1;
    }
    if (to < tokens.length && mark > from) to = mark;
    const first = tokens[from]!.start;
    const next = to < tokens.length ? tokens[to]!.start - start : text.length;
    parts.push({
      start: first,
      end: tokens[to - 1]!.end,
      tokens: tokens.slice(from, to),
      before: from === 0 ? before : "",
      text: text.slice(first - start, next),
    });
    from = to;
  }
  return parts;
}

/** How many words it has. */
export function wordsIn({ tokens }: RawSentence): number {
  let words = 0;
  for (const token of tokens) words += token.words?.length ?? 1;
  return words;
}
