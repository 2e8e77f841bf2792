import {
  checkOptions,
  checkRequired,
  type Expectation,
  STRING,
  TRUE_OR_FALSE,
  WHOLE_NUMBER,
} from "../../checks/options.js";
import { arrayOf, OBJECT, STRINGS } from "../../checks/shapes.js";
import { TreebankError } from "../errors.js";
import { CONLLU, type Column } from "../formats/layout.js";
import { checkHeads, type TreeRequirements } from "../formats/requirements.js";
import { writeConllu } from "../formats/write-conllu.js";
import { type AttributeColumn, type Attributes, type Failure, formatAttributes } from "./attributes.js";
import {
  type EmptyNode,
  type Fields,
  fieldsOf,
  type MultiWordToken,
  type ParsedText,
  type SentenceColumns,
  type TreeRank,
} from "./columns.js";
import { commentValue, oneLine, rankComments } from "./comments.js";
import { checkPredicates, type PredicateData, withPredicate } from "./semantics/predicate-data.js";
import { withRange, withScore } from "./token-misc.js";

/** T with members that may be missing or undefined. */
export type Optional<T> = { [K in keyof T]?: T[K] | undefined };

/** Columns to build from: FEATS, DEPS and MISC as text or as objects; missing columns are "_". */
export type ColumnsInput = Optional<Record<Exclude<Column, AttributeColumn>, string>> &
  Optional<Record<AttributeColumn, string | Readonly<Attributes> | null>>;

/** Values that MISC has as TokenRange and Score, unless `misc` itself gives them. */
export interface Measures {
  start?: number | undefined;
  end?: number | undefined;
}

/** A word to build a sentence from. */
export interface WordInput extends ColumnsInput, Measures {
  /** As written. */
  form: string;
  /** 0 for the root; null, -1 or nothing for none. */
  head?: number | null | undefined;
  /** The probability that head and relation are right. */
  score?: number | undefined;
}

/** A multiword token, as `Sentence.from` takes it. */
export interface MultiWordTokenInput extends ColumnsInput, Measures {
  /** The number of its first word. */
  from: number;
  /** The number of its last word. */
  to: number;
  /** The token, as written. */
  form: string;
  /** Its column HEAD, which is empty as a rule. */
  head?: string | undefined;
}

/** An empty node, as `Sentence.from` takes it. */
export interface EmptyNodeInput extends ColumnsInput {
  id: string;
  head?: string | undefined;
}

/** The input of Sentence.from. */
export interface SentenceInput {
  /** In their order. */
  words: readonly WordInput[];
  /** Comment lines; the "# " is optional. */
  comments?: readonly string[] | undefined;
  /** Become comments, unless `comments` already has them. */
  id?: string | undefined;
  /** As written; becomes a comment, unless `comments` has one. */
  text?: string | undefined;
  /** Which of the best trees it has, if there are several. */
  tree?: TreeRank | undefined;
  /** Tokens of several words. */
  multiWordTokens?: readonly MultiWordTokenInput[] | undefined;
  /** Nodes of the enhanced graph that are not written. */
  emptyNodes?: readonly EmptyNodeInput[] | undefined;
  /** Become Pred and Args in MISC, where that has none. */
  predicates?: readonly PredicateData[] | undefined;
}

/** The source of a sentence, for errors, and its requirements. */
export interface SentenceOptions extends TreeRequirements {
  /** The name of the file, for errors. */
  source?: string | undefined;
  /** The number of its first line, for errors. */
  line?: number | undefined;
}

// Columns are checked when they are read.
const ANYTHING: Expectation = { expected: "", accepts: () => true };
const WORDS = arrayOf("an array of objects", OBJECT);
const SENTENCE_INPUT: Readonly<Record<keyof SentenceInput | "version" | "start" | "end", Expectation>> = {
  words: WORDS,
  comments: STRINGS,
  id: STRING,
  text: STRING,
  tree: OBJECT,
  multiWordTokens: WORDS,
  emptyNodes: WORDS,
  predicates: arrayOf("an array of predicates", OBJECT),
  // Of what toJSON gives.
  ...{ version: ANYTHING, start: ANYTHING, end: ANYTHING },
};
const REQUIREMENTS: Readonly<Record<keyof SentenceOptions, Expectation>> = {
  ...{ requireTree: TRUE_OR_FALSE, singleRoot: TRUE_OR_FALSE, allowNonTrees: TRUE_OR_FALSE },
  ...{ source: STRING, line: WHOLE_NUMBER },
};
const TOKEN_INPUT = {
  ...{ from: WHOLE_NUMBER, to: WHOLE_NUMBER, form: STRING, start: WHOLE_NUMBER, end: WHOLE_NUMBER, head: STRING },
  ...{ lemma: ANYTHING, upos: ANYTHING, xpos: ANYTHING, feats: ANYTHING, deprel: ANYTHING, deps: ANYTHING },
  misc: ANYTHING,
} satisfies Record<keyof MultiWordTokenInput, Expectation>;

export function checkSentenceInput(input: unknown, options: unknown): void {
  checkRequired("a sentence", input, SENTENCE_INPUT, ["words"]);
  checkOptions("Sentence.from", options, REQUIREMENTS);
}

export function checkTokenInput(token: unknown): void {
  checkRequired("a multi-word token", token, TOKEN_INPUT, ["from", "to", "form"]);
}

/** The columns of words as lists; index 0 of every list is unused. Columns without a list are "_". */
export type WordLists = Readonly<Partial<Record<Column, string[]>>>;

/** The parts of a sentence over lists besides its words. */
interface ListExtras {
  comments?: string[] | undefined;
  multiWordTokens?: MultiWordToken[] | undefined;
  emptyNodes?: EmptyNode[] | undefined;
  line?: number | undefined;
  parsed?: ParsedText | undefined;
}

/** A sentence that is not from a file of columns: from a parser, from JSON, from objects. */
export class ListColumns implements SentenceColumns {
  readonly layout = CONLLU;
  readonly columns = CONLLU.columns.length;
  readonly length: number;
  readonly line: number;
  readonly parsed: ParsedText | undefined;
  private readonly lists: (string[] | undefined)[];
  private ownComments: string[];
  private tokens: MultiWordToken[];
  readonly empty: EmptyNode[];

  /** The lists belong to the sentence from now on. */
  constructor(
    lists: WordLists,
    private readonly heads: Int32Array,
    { comments = [], multiWordTokens = [], emptyNodes = [], line = 1, parsed }: ListExtras,
  ) {
    const { form, lemma, upos, xpos, feats, deprel, deps, misc } = lists;
    this.lists = [undefined, form, lemma, upos, xpos, feats, undefined, deprel, deps, misc];
    this.length = heads.length - 1;
    this.ownComments = comments;
    this.tokens = multiWordTokens;
    this.empty = emptyNodes;
    this.line = line;
    this.parsed = parsed;
  }

  copy(): ListColumns {
    const [, form, lemma, upos, xpos, feats, , deprel, deps, misc] = this.lists.map((list) => list && [...list]);
    const lists = { form, lemma, upos, xpos, feats, deprel, deps, misc } as WordLists;
    const { line, parsed, empty } = this;
    const extras = { comments: this.comments(), multiWordTokens: this.multiWordTokens(), emptyNodes: [...empty] };
    return new ListColumns(lists, this.heads.slice(), { ...extras, line, parsed });
  }

  head(i: number): number {
    return this.heads[i]!;
  }

  setHead(i: number, head: number): void {
    this.heads[i] = head;
  }

  column(i: number, index: number): string {
    const list = this.lists[index];
    if (list !== undefined) return list[i]!;
    if (index === 0) return String(i);
    return index === CONLLU.head && this.heads[i]! >= 0 ? String(this.heads[i]) : "_";
  }

  setColumn(i: number, index: number, value: string): void {
    (this.lists[index] ??= new Array<string>(this.length + 1).fill("_"))[i] = value;
  }

  comments(): string[] {
    return [...this.ownComments];
  }

  setComments(comments: readonly string[]): void {
    this.ownComments = [...comments];
  }

  multiWordTokens(): MultiWordToken[] {
    return [...this.tokens];
  }

  setMultiWordTokens(tokens: readonly MultiWordToken[]): void {
    this.tokens = [...tokens];
  }

  emptyNodes(): EmptyNode[] {
    return [...this.empty];
  }

  lineOf(i: number): number {
    const ranges = this.tokens.filter(({ from }) => from <= i).length;
    const nodes = this.empty.filter(({ id }) => Number.parseInt(id, 10) < i).length;
    return this.line + this.ownComments.length + ranges + nodes + i - 1;
  }

  toString(): string {
    return writeConllu(this);
  }
}

/** A copy of the columns of a sentence in CoNLL-U, whatever their format; predicates go to MISC. */
export function conlluColumns(source: SentenceColumns): SentenceColumns {
  const { layout, length, line } = source;
  if (layout === CONLLU) return source.copy();
  const predicates = new Map((source.predicates?.() ?? []).map((each) => [each.word, each]));
  const lists = fieldLists();
  const heads = new Int32Array(length + 1).fill(-1);
  for (let i = 1; i <= length; i++) {
    heads[i] = source.head(i);
    for (const column of COLUMNS) {
      const index = layout[column];
      lists[column].push(index < 0 || index >= source.columns ? "_" : source.column(i, index));
    }
    const own = predicates.get(i);
    if (own) lists.misc[i] = withPredicate(lists.misc[i]!, own);
  }
  return new ListColumns(lists, heads, { comments: source.comments(), line });
}

/** The columns of what is given; throws a TreebankError when they are not those of a sentence. */
export function listColumns(input: SentenceInput, options: SentenceOptions = {}): ListColumns {
  const { source = "sentence", line = 1 } = options;
  const fail: Failure = (what, value, expected) => {
    throw new TreebankError(source, { what, value, expected, line });
  };
  const { words, text } = input;
  const n = words.length;
  if (n === 0) fail("sentence", "", "at least one word");
  const comments = commentsOf(input, fail);
  const multiWordTokens = (input.multiWordTokens ?? []).map((token) => multiWordTokenOf(token, fail));
  multiWordTokens.sort((a, b) => a.from - b.from);
  checkMultiWordTokens(multiWordTokens, n, fail);
  const emptyNodes = emptyNodesOf(input.emptyNodes ?? [], n, fail);
  const predicates = new Map(checkPredicates(input.predicates ?? [], n, fail).map((each) => [each.word, each]));

  const lists: Record<Column, string[]> = fieldLists();
  const heads = new Int32Array(n + 1).fill(-1);
  let inside = 0;
  let nextToken = 0;
  words.forEach((word, index) => {
    const i = index + 1;
    if (multiWordTokens[nextToken]?.from === i) inside = multiWordTokens[nextToken++]!.to;
    const fields = fieldsFrom(String(i), word, fail);
    // A word within a multiword token is where that is.
    const own = predicates.get(i);
    const roles = own && !/(^|\|)Pred=/.test(fields.misc) ? withPredicate(fields.misc, own) : fields.misc;
    const misc = withScore(inside >= i ? roles : withRange(roles, word), word.score);
    for (const column of COLUMNS) lists[column].push(column === "misc" ? misc : fields[column]);
    const head = word.head ?? -1;
    if (!(Number.isInteger(head) && head >= -1)) {
      fail(`head of word ${i}`, String(head), "a whole number, or null for none");
    }
    // Whatever is too large stays so in 32 bits.
    heads[i] = Math.min(head, n + 1);
  });
  const parsed = text === undefined ? undefined : { text };
  const columns = new ListColumns(lists, heads, { comments, multiWordTokens, emptyNodes, line, parsed });
  const wrong = checkHeads(heads, options);
  if (wrong !== undefined) {
    const value = heads[wrong.word]! < 0 ? "_" : String(words[wrong.word - 1]!.head);
    const place = { line: columns.lineOf(wrong.word), column: CONLLU.head + 1 };
    throw new TreebankError(source, { what: "HEAD", value, expected: wrong.expected, ...place });
  }
  return columns;
}

const COLUMNS = ["form", "lemma", "upos", "xpos", "feats", "deprel", "deps", "misc"] as const;

function fieldLists(): Record<Column, string[]> {
  return Object.fromEntries(COLUMNS.map((column) => [column, [""]])) as Record<Column, string[]>;
}

function commentsOf(input: SentenceInput, fail: Failure): string[] {
  const lines = commentLines(input);
  for (const line of lines) if (/[\n\r]/.test(line)) fail("comment", line, "no line end");
  return lines;
}

/** The comments that are given and those that other fields say, with their "#". */
export function commentLines({ comments = [], id, text, tree }: Omit<SentenceInput, "words">): string[] {
  const lines = comments.map((comment) => (comment.startsWith("#") ? comment : `# ${comment}`));
  const missing: string[] = [];
  if (id !== undefined && commentValue(lines, "sent_id") === undefined) missing.push(`# sent_id = ${id}`);
  if (text !== undefined && commentValue(lines, "text") === undefined) missing.push(`# text = ${oneLine(text)}`);
  if (tree !== undefined && commentValue(lines, "tree") === undefined) missing.push(...rankComments(tree));
  // Where documents and paragraphs begin is said first.
  let at = 0;
  while (at < lines.length && /^#\s*new(doc|par)\b/.test(lines[at]!)) at++;
  lines.splice(at, 0, ...missing);
  return lines;
}

/** The columns of a line, checked. */
function fieldsFrom(id: string, given: ColumnsInput & { head?: unknown }, fail: Failure): Fields {
  const of: Failure = (what, value, expected) => fail(`${what} of ${id}`, value, expected);
  const feats = formatAttributes("feats", given.feats, of);
  const deps = formatAttributes("deps", given.deps, of);
  const misc = formatAttributes("misc", given.misc, of);
  const { form, lemma, upos, xpos, deprel } = given;
  const head = typeof given.head === "string" ? given.head : undefined;
  for (const [name, value] of Object.entries({ form, lemma, upos, xpos, feats, head, deprel, deps, misc })) {
    if ((value ?? "") === "" || (typeof value === "string" && !/[\t\n\r]/.test(value))) continue;
    of(name.toUpperCase(), String(value), "a string without tab or line end");
  }
  return fieldsOf({ form, lemma, upos, xpos, feats, head, deprel, deps, misc } as Partial<Fields>);
}

/** A multiword token with all its columns. */
export function multiWordTokenOf(given: MultiWordTokenInput, fail: Failure): MultiWordToken {
  const { from, to } = given;
  const fields = fieldsFrom(`${from}-${to}`, given, fail);
  return { from, to, ...fields, misc: withRange(fields.misc, given) };
}

/** Multiword tokens stand for words that are there, in their order, and none for those of another. */
export function checkMultiWordTokens(tokens: readonly MultiWordToken[], n: number, fail: Failure): void {
  let last = 0;
  for (const { from, to } of tokens) {
    const id = `${from}-${to}`;
    const isNumber = (value: number, least: number) => Number.isInteger(value) && value >= least;
    if (!isNumber(from, 1) || from > n) fail("ID", id, `a start from 1 to ${n}`);
    if (!isNumber(to, from)) fail("ID", id, "a multiword token that ends after its start");
    if (to > n) fail("ID", id, `the words up to ${to}: the sentence ends at ${n}`);
    if (from <= last) fail("ID", id, `a multiword token that starts after ${last}, where the one before ends`);
    last = to;
  }
}

function emptyNodesOf(given: readonly EmptyNodeInput[], n: number, fail: Failure): EmptyNode[] {
  const nodes = given.map((node) => {
    const known = /^(0|[1-9]\d*)\.\d+$/.test(node.id) && Number.parseInt(node.id, 10) <= n;
    if (!known) fail("ID", node.id, `the id of an empty node, 0.1 to ${n}.1 and up`);
    return { id: node.id, ...fieldsFrom(node.id, node, fail) };
  });
  nodes.sort((a, b) => Number.parseInt(a.id, 10) - Number.parseInt(b.id, 10));
  const counts = new Map<string, number>();
  for (const { id } of nodes) {
    const [word, number] = id.split(".") as [string, string];
    const count = (counts.get(word) ?? 0) + 1;
    if (number !== String(count)) fail("ID", id, `${word}.${count} for an empty node here`);
    counts.set(word, count);
  }
  return nodes;
}
