import type { RawSentence } from "../../src/pipeline/segmenter/segmenter.js";
import type { SentenceInput } from "../../src/treebank/sentence/list-columns.js";
import { spaceValues } from "../../src/treebank/sentence/spaces.js";

/** The MISC column of each token of a sentence: the white space around it. */
export function spacesMisc({ tokens, text, start, before }: RawSentence): string[] {
  return tokens.map(({ end }, t) => {
    const next = t + 1 < tokens.length ? tokens[t + 1]!.start - start : text.length;
    return (
      spaceValues({ spacesBefore: t === 0 ? before : "", spacesAfter: text.slice(end - start, next) }).join("|") || "_"
    );
  });
}

/**
 * A sentence of CoNLL-U with the words, multiword tokens, text and white space of a segmented one, and nothing else.
 */
export function sentenceInput(sentence: RawSentence): SentenceInput {
  const misc = spacesMisc(sentence);
  const words: { form: string; misc?: string }[] = [];
  const multiWordTokens: { from: number; to: number; form: string; misc: string }[] = [];
  sentence.tokens.forEach((token, t) => {
    if (token.words === undefined) {
      words.push({ form: token.form, misc: misc[t]! });
      return;
    }
    const from = words.length + 1;
    for (const form of token.words) words.push({ form });
    multiWordTokens.push({ from, to: words.length, form: token.form, misc: misc[t]! });
  });
  const text = sentence.text.slice(0, sentence.end - sentence.start).replace(/[\s\u0085]+/g, " ");
  return { words, multiWordTokens, comments: [`# text = ${text}`] };
}
