// Sentences as JSON: docs/formats.md, docs/sentence.schema.json.
import { type Attributes, attributesOrText } from "../sentence/attributes.js";
import type { Fields, MultiWordToken, TreeRank } from "../sentence/columns.js";
import { commentValue } from "../sentence/comments.js";
import { commentLines, type SentenceInput } from "../sentence/list-columns.js";
import { type PredicateData, withPredicate } from "../sentence/semantics/predicate-data.js";
import type { Sentence } from "../sentence/sentence.js";
import { placeOfWord, type Token } from "../sentence/token.js";
import { scoreOf, withoutMeasures } from "../sentence/token-misc.js";

/** The version of the format; it changes when older programs can no longer read it. */
export const JSON_VERSION = 1;

/** FEATS, DEPS or MISC by name; a string where an object cannot express the value. */
export type AttributesJSON = Attributes | string;

/** A word; strings are as in CoNLL-U, with "_" for no value. */
export interface WordJSON {
  /** Its number, from 1. */
  id: number;
  /** As written. */
  form: string;
  /** Its lemma; "_" if it has none. */
  lemma: string;
  /** Its universal tag; "_" if it has none. */
  upos: string;
  /** Its tag in the language's own scheme; "_" if it has none. */
  xpos: string;
  /** Its features as text, as in CoNLL-U. */
  feats: AttributesJSON;
  /** 0 for the root, null for none. */
  head: number | null;
  /** The relation to its head; "_" if it has none. */
  deprel: string;
  /** Its enhanced relations as text, as in CoNLL-U. */
  deps?: AttributesJSON;
  /** MISC without TokenRange and Score at its end, which are `start`, `end` and `score`. */
  misc?: AttributesJSON;
  /**
   * Offset in the text, in UTF-16 units, if known: its own, or that of its token if that is not its words one after the
   * other.
   */
  start?: number;
  /** Where it ends in the text. */
  end?: number;
  /** The probability that head and label are right, if requested. */
  score?: number;
}

/** Columns that are not "_" of what is not a word. */
export interface ExtraJSON {
  form: string;
  lemma?: string;
  upos?: string;
  xpos?: string;
  feats?: AttributesJSON;
  head?: string;
  deprel?: string;
  deps?: AttributesJSON;
  misc?: AttributesJSON;
}

/** A token of the text that stands for the words `from` to `to`. */
export interface MultiWordTokenJSON extends ExtraJSON {
  from: number;
  to: number;
  start?: number;
  end?: number;
}

/** A node of the enhanced graph; `id` is "3.1" for the first after word 3. */
export interface EmptyNodeJSON extends ExtraJSON {
  id: string;
}

/** A sentence as plain data. */
export interface SentenceJSON {
  /** The version of the format. */
  version: typeof JSON_VERSION;
  /** The value of the comment sent_id. */
  id?: string;
  /** As written. */
  text?: string;
  /** Offset in the text, in UTF-16 units, if known. */
  start?: number;
  /** Where it ends in the text. */
  end?: number;
  /** Comment lines with their "#"; those expressed by other fields may be left out. */
  comments?: string[];
  /** Which of the best trees this is, if several were requested. */
  tree?: TreeRank;
  /** In their order. */
  words: WordJSON[];
  /** Tokens of several words. */
  multiWordTokens?: MultiWordTokenJSON[];
  /** Nodes of the enhanced graph that are not written. */
  emptyNodes?: EmptyNodeJSON[];
  /** Predicates with the roles of their arguments. */
  predicates?: PredicateData[];
}

/** `length`: how many words are wanted; who needs only what is around them saves most of the time with 0. */
export function sentenceToJSON(sentence: Sentence, length = sentence.length): SentenceJSON {
  const { comments, tree, multiWordTokens, emptyNodes } = sentence;
  const tokens = sentence.hasOffsets ? sentence.tokens : undefined;
  const id = commentValue(comments, "sent_id");
  const text = commentValue(comments, "text") === undefined ? undefined : sentence.text;
  const others = furtherComments(comments, { id, text, tree });
  const predicates = sentence.predicates.map((predicate) => predicate.toJSON());
  const words: WordJSON[] = [];
  let t = 0;
  let next = 0;
  for (let i = 1; i <= length; i++) {
    if (tokens && tokens[t]!.to < i) t++;
    while (next < multiWordTokens.length && multiWordTokens[next]!.to < i) next++;
    words.push(wordToJSON(sentence, i, tokens?.[t], (multiWordTokens[next]?.from ?? i + 1) <= i, predicates));
  }
  return {
    version: JSON_VERSION,
    ...(id !== undefined && { id }),
    ...(text !== undefined && { text }),
    ...(tokens && place(sentence)),
    ...(others.length > 0 && { comments: others }),
    ...(tree && { tree }),
    words,
    ...(multiWordTokens.length > 0 && { multiWordTokens: multiWordTokens.map((whole) => multiWord(whole, tokens)) }),
    ...(emptyNodes.length > 0 && { emptyNodes: emptyNodes.map(({ id, ...fields }) => ({ id, ...extra(fields) })) }),
    ...(predicates.length > 0 && { predicates }),
  };
}

/** The comments without those that the fields say, if they are all found again that way, else all. */
function furtherComments(comments: readonly string[], fields: Omit<SentenceInput, "words">): string[] {
  const said = commentLines(fields);
  const others = comments.filter((comment) => !said.includes(comment));
  const again = commentLines({ ...fields, comments: others });
  return again.join("\n") === comments.join("\n") ? others : [...comments];
}

/**
 * `isPart`: the word is one of a multiword token. `predicates`: those that are a field of the sentence and need not be
 * in MISC.
 */
export function wordToJSON(
  sentence: Sentence,
  i: number,
  token: Token | undefined,
  isPart: boolean,
  predicates: readonly PredicateData[] = [],
): WordJSON {
  const deps = attributesOrText("deps", sentence.deps(i));
  const misc = sentence.misc(i);
  const score = scoreOf(misc);
  // The range of a word of a multiword token is that of the token.
  const others = withoutMeasures(misc, { range: token !== undefined && !isPart, score: true });
  const predicate = predicates.find(({ word }) => word === i);
  const plain = predicate ? withPredicate(others, undefined) : others;
  // All of it if that would not give it back.
  const bare = attributesOrText("misc", withPredicate(plain, predicate) === others ? plain : others);
  const head = sentence.head(i);
  return {
    id: i,
    form: sentence.form(i),
    lemma: sentence.lemma(i),
    upos: sentence.upos(i),
    xpos: sentence.xpos(i),
    feats: attributesOrText("feats", sentence.feats(i)),
    head: head < 0 ? null : head,
    deprel: sentence.deprel(i),
    ...(!isEmpty(deps) && { deps }),
    ...(!isEmpty(bare) && { misc: bare }),
    ...(token && place(placeOfWord(sentence, token, i))),
    ...(score !== undefined && { score }),
  };
}

function place({ start, end }: { start: number; end: number }): { start: number; end: number } {
  return { start, end };
}

function multiWord({ from, to, ...fields }: MultiWordToken, tokens: readonly Token[] | undefined): MultiWordTokenJSON {
  const token = tokens?.find((each) => each.from === from);
  const misc = withoutMeasures(fields.misc, { range: token !== undefined, score: false });
  return { from, to, ...extra({ ...fields, misc }), ...(token && place(token)) };
}

function extra({ form, feats, deps, misc, ...others }: Fields): ExtraJSON {
  const texts = Object.entries(others).filter(([, value]) => value !== "_");
  const maps = Object.entries({
    feats: attributesOrText("feats", feats),
    deps: attributesOrText("deps", deps),
    misc: attributesOrText("misc", misc),
  }).filter(([, value]) => !isEmpty(value));
  return { form, ...Object.fromEntries([...texts, ...maps]) };
}

function isEmpty(value: AttributesJSON): boolean {
  return Object.keys(value).length === 0;
}
