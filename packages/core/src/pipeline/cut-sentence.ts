import { fieldsOf, type MultiWordToken } from "../treebank/sentence/columns.js";
import { oneLine } from "../treebank/sentence/comments.js";
import { ListColumns } from "../treebank/sentence/list-columns.js";
import type { ParsedTree } from "../treebank/sentence/parsed-tree.js";
import { Sentence } from "../treebank/sentence/sentence.js";
import { spaceValues } from "../treebank/sentence/spaces.js";
import type { Token } from "../treebank/sentence/token.js";
import { withScore } from "../treebank/sentence/token-misc.js";
import type { RawSentence } from "./segmenter/segmenter.js";
import type { TaggedWords } from "./tagged-words.js";

/** A sentence of a text that has been cut into tokens and words. */
export class CutSentence {
  /** The forms of its words, from index 1. */
  readonly forms: string[] = [""];
  private readonly tokens: Token[] = [];
  private readonly text: string;

  /** `offset` is added to those of tokens; `remarks` are comments. */
  constructor(
    raw: RawSentence,
    offset: number,
    private readonly remarks: readonly string[],
  ) {
    const { start, text, tokens, before } = raw;
    this.text = text.slice(0, raw.end - start);
    tokens.forEach((token, t) => {
      const from = this.forms.length;
      if (token.words) this.forms.push(...token.words);
      else this.forms.push(token.form);
      const end = token.end - start;
      const next = t + 1 < tokens.length ? tokens[t + 1]!.start - start : text.length;
      this.tokens.push({
        form: token.form,
        start: token.start + offset,
        end: token.end + offset,
        from,
        to: this.forms.length - 1,
        spacesBefore: t === 0 ? before : "",
        spacesAfter: next === end + 1 && text[end] === " " ? " " : text.slice(end, next),
      });
    });
  }

  /** The sentence with the tags of its words and a tree, which belong to it from now on. */
  withTree(words: TaggedWords, tree: ParsedTree, scores?: Float64Array): Sentence {
    const { forms, tokens, text, remarks } = this;
    const { lemmas: lemma, uposTags: upos, xposTags: xpos, featsTexts: feats } = words;
    const misc = miscOf(tokens, forms.length, scores);
    const lists = { form: [...forms], lemma, upos, xpos, feats, deprel: tree.labels, misc };
    const comments = [`# text = ${oneLine(text)}`, ...remarks];
    const parsed = { text, tokens, scores };
    const multiWordTokens = multiWordTokensOf(tokens);
    return new Sentence(new ListColumns(lists, tree.heads, { comments, multiWordTokens, parsed }));
  }
}

/** The tokens that have several words, as CoNLL-U has them. */
function multiWordTokensOf(tokens: readonly Token[]): MultiWordToken[] {
  const found: MultiWordToken[] = [];
  for (const token of tokens) {
    const { from, to, form } = token;
    if (to > from) found.push({ from, to, ...fieldsOf({ form, misc: spaceValues(token).join("|") }) });
  }
  return found;
}

/** The facts in MISC of each word: the white space around its token, and how sure its head is. */
function miscOf(tokens: readonly Token[], length: number, scores: Float64Array | undefined): string[] {
  const misc = new Array<string>(length).fill("_");
  for (const token of tokens) {
    const isUsual = token.spacesAfter === " " && token.spacesBefore === "";
    if (token.from === token.to && !isUsual) misc[token.from] = spaceValues(token).join("|") || "_";
  }
  if (scores) for (let i = 1; i < length; i++) misc[i] = withScore(misc[i]!, Number(scores[i]!.toFixed(3)));
  return misc;
}
