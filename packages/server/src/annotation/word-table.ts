// The words of a sentence as columns: what becomes rows of a Parquet file. docs/corpora.md has the table for users.
import type { Sentence } from "@stemma/core";
import { type SentenceInput, scoreOf, sentenceToJSON, withoutMeasures } from "@stemma/core/treebank";
import { commentText } from "./names.js";

type ColumnType = "string" | "int" | "double";

interface ColumnDescription {
  readonly type: ColumnType;
  /** There is a value in every row. */
  readonly required?: boolean;
}

/** The columns of a file, in their order. Only the writer knows the first four. */
export const WORD_COLUMNS = {
  document: { type: "string" },
  fields: { type: "string" },
  sentence: { type: "int", required: true },
  sent_id: { type: "string" },
  text: { type: "string" },
  comments: { type: "string" },
  id: { type: "int", required: true },
  start_offset: { type: "int" },
  end_offset: { type: "int" },
  form: { type: "string", required: true },
  lemma: { type: "string" },
  upos: { type: "string" },
  xpos: { type: "string" },
  feats: { type: "string" },
  head: { type: "int" },
  deprel: { type: "string" },
  score: { type: "double" },
  deps: { type: "string" },
  misc: { type: "string" },
  token_first: { type: "int" },
  token_last: { type: "int" },
  token_form: { type: "string" },
  token_fields: { type: "string" },
  empty_nodes: { type: "string" },
} as const satisfies Record<string, ColumnDescription>;

export type WordColumn = keyof typeof WORD_COLUMNS;
/** A word with everything around it; null and what is not there say the same. */
export type WordRow = Partial<Record<WordColumn, string | number | null>>;

/** The names of the columns of CoNLL-U here; "_" is null. */
const TEXT_COLUMNS = ["lemma", "upos", "xpos", "feats", "deprel", "deps"] as const;

/** A sentence as the thread that made it sends it to the one that writes. */
export interface SentenceTable {
  /** The sentence begins a document; its name, if it has one. */
  newDocument?: { id: string | undefined };
  sentId: string | undefined;
  text: string | undefined;
  comments: string | undefined;
  /** Rows without what is the same for all of them. */
  rows: WordRow[];
}

/** The name of the document that begins with a comment `# newdoc`. */
export function newDocumentOf(comments: readonly string[]): { id: string | undefined } | undefined {
  for (const comment of comments) {
    const [line, id] = /^#\s*newdoc\b(?:\s+id\s*=\s*(.*?)\s*$)?/.exec(comment) ?? [];
    if (line !== undefined) return { id };
  }
  return undefined;
}

/** The columns of a sentence. */
export function sentenceTable(sentence: Sentence): SentenceTable {
  const { id: sentId, text, comments = [], tree, multiWordTokens = [], emptyNodes = [] } = sentenceToJSON(sentence, 0);
  const newDocument = newDocumentOf(comments);
  const isSaid = newDocument?.id !== undefined && comments[0] === newDocumentComment(newDocument.id);
  const others = [...(isSaid ? comments.slice(1) : comments), ...(tree ? sentence.comments.filter(isRank) : [])];
  const tokens = sentence.hasOffsets ? sentence.tokens : undefined;
  const rows: WordRow[] = [];
  let [t, next] = [0, 0];
  for (let i = 1; i <= sentence.length; i++) {
    const head = sentence.head(i);
    const row: WordRow = { id: i, form: sentence.form(i), head: head < 0 ? null : head };
    for (const column of TEXT_COLUMNS) row[column] = orNull(sentence[column](i));
    while (next < multiWordTokens.length && multiWordTokens[next]!.to < i) next++;
    const whole = multiWordTokens[next];
    const isPart = whole !== undefined && whole.from <= i;
    if (tokens && tokens[t]!.to < i) t++;
    const misc = sentence.misc(i);
    row.score = scoreOf(misc) ?? null;
    row.misc = orNull(withoutMeasures(misc, { range: tokens !== undefined && !isPart, score: true }));
    if (tokens) {
      row.start_offset = tokens[t]!.start;
      row.end_offset = tokens[t]!.end;
    }
    if (isPart) {
      const { from, to, form, start: _, end: __, ...fields } = whole;
      row.token_first = from;
      row.token_last = to;
      row.token_form = form;
      // Once, where the token begins.
      if (from === i && Object.keys(fields).length > 0) row.token_fields = JSON.stringify(fields);
    }
    rows.push(row);
  }
  if (emptyNodes.length > 0) rows[0]!.empty_nodes = JSON.stringify(emptyNodes);
  return {
    ...(newDocument ? { newDocument } : {}),
    sentId,
    text,
    comments: others.length > 0 ? others.join("\n") : undefined,
    rows,
  };
}

/** Whether a comment says which of the best trees the sentence has. */
function isRank(comment: string): boolean {
  return /^#\s*(tree|score)\s*=/.test(comment);
}

export function newDocumentComment(id: string): string {
  return `# newdoc id = ${id}`;
}

function orNull(text: string): string | null {
  return text === "_" ? null : text;
}

/** A name that JSON may have over several lines; others stay as the treebank has them. */
function oneLine(name: string): string {
  return /[\n\r\u2028\u2029]/.test(name) ? commentText(name) : name;
}

/** The sentence of rows, as `Sentence.from` takes it; `begins`: the name of the document that begins with it. */
export function sentenceOfRows(rows: readonly WordRow[], begins: string | undefined): SentenceInput {
  const first = rows[0]!;
  const text = (row: WordRow, column: WordColumn) => (row[column] ?? undefined) as string | undefined;
  const number = (row: WordRow, column: WordColumn) => (row[column] ?? undefined) as number | undefined;
  const comments = text(first, "comments")?.split("\n") ?? [];
  return {
    id: text(first, "sent_id"),
    text: text(first, "text"),
    comments: begins === undefined ? comments : [newDocumentComment(oneLine(begins)), ...comments],
    words: rows.map((row) => ({
      form: text(row, "form")!,
      lemma: text(row, "lemma"),
      upos: text(row, "upos"),
      xpos: text(row, "xpos"),
      feats: text(row, "feats"),
      head: number(row, "head"),
      deprel: text(row, "deprel"),
      deps: text(row, "deps"),
      misc: text(row, "misc"),
      start: number(row, "start_offset"),
      end: number(row, "end_offset"),
      score: number(row, "score"),
    })),
    multiWordTokens: rows
      .filter((row) => row.token_first === row.id)
      .map((row) => ({
        ...JSON.parse(text(row, "token_fields") ?? "{}"),
        from: number(row, "token_first")!,
        to: number(row, "token_last")!,
        form: text(row, "token_form")!,
        start: number(row, "start_offset"),
        end: number(row, "end_offset"),
      })),
    emptyNodes: JSON.parse(text(first, "empty_nodes") ?? "[]"),
  };
}
