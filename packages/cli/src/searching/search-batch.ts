import { type Match, MatchValue, Pipeline, type PipelineModel, readTreebank, type Sentence } from "@stemma/core";
import { type MatchableSentence, Matcher, TOO_MANY, TooManyMatches } from "@stemma/core/search";
import {
  type Format,
  formatSentence,
  TreebankError,
  type TreebankProblem,
  TreebankReader,
} from "@stemma/core/treebank";
import type { TextFormat } from "@stemma/server/annotation";
import { DOCUMENT_FORMATS } from "../documents/document-writer.js";
import { TableColumns } from "../documents/table-columns.js";
import { matchComment, matchJson, matchText } from "./match-output.js";
import { TableSentences } from "./table-sentences.js";

export const SEARCH_OUTPUTS = ["text", "conllu", "json", ...DOCUMENT_FORMATS] as const;
export type SearchOutput = (typeof SEARCH_OUTPUTS)[number];

/** The pattern that is looked for and the wanted output; plain data, as it travels to workers. */
export interface SearchOptions {
  pattern: string;
  /** How they come out of the threads; what becomes documents is CoNLL-U until then. */
  to: "text" | "conllu" | "json";
  color: boolean;
  /** Sentences without a match are wanted. */
  not: boolean;
  /** Values of matches, such as subject.lemma, by which they are counted or grouped. */
  by: readonly string[];
  /** Only numbers are wanted. */
  countOnly: boolean;
  /** Keep no more results than so many of a batch, or of each group of it. */
  limit: number;
  strict: boolean;
}

/** Whole sentences of a treebank, a part of a text that is parsed first, or a row group of a table. */
export type SearchBatch =
  | { kind: "table"; path: string; group: number }
  | { kind: "treebank"; from: Format; bytes: Uint8Array; source: string; line: number }
  | { kind: "text"; from: TextFormat; text: string };

/** A match, or a sentence, that was found. */
export interface Found {
  /** Which sentence of the batch, from 0. */
  sentence: number;
  /** Line or row of the sentence in the file. */
  line: number;
  /** The name of its document, if a table has it. */
  document?: string | undefined;
  /** The output, but for the place. */
  body: string;
}

/** Matches that have the same values. */
export interface Group {
  values: string[];
  count: number;
  found: Found[];
}

export interface SearchResult {
  found: Found[];
  groups: Group[];
  sentences: number;
  /** Sentences with a match. */
  matching: number;
  matches: number;
  problems: TreebankProblem[];
}

/** The sentence at hand, and what is found in it. */
interface Searched {
  readonly line: number;
  readonly document?: string | undefined;
  matches(): Match<MatchableSentence>[];
  test(): boolean;
  /** With all that may be shown. */
  whole(): Sentence;
}

/** One of a row group. */
class SearchedPlace implements Searched {
  place = 0;

  constructor(
    private readonly matcher: Matcher,
    private readonly group: TableSentences,
  ) {}

  get line(): number {
    return this.group.firstRow + this.group.sentences[this.place]!.row;
  }

  get document(): string | undefined {
    return this.group.documentOf(this.group.sentences[this.place]!);
  }

  matches(): Match<MatchableSentence>[] {
    return this.matcher.matchAt(this.group, this.place);
  }

  test(): boolean {
    return this.matcher.testAt(this.group, this.place);
  }

  whole(): Sentence {
    return this.group.sentences[this.place]!.whole;
  }
}

/** The stand-in for a missing value where matches are counted. */
const NO_VALUE = "_";

/** Searches batches; for text it needs a model. */
export class BatchSearcher {
  private readonly matcher: Matcher;
  private readonly values: readonly MatchValue[];
  private readonly pipeline: Pipeline | undefined;
  /** The file that was searched last. */
  private table: TableColumns | undefined;

  /** Throws a PatternError if the pattern is wrong. */
  constructor(
    private readonly options: SearchOptions,
    model?: PipelineModel,
  ) {
    this.matcher = new Matcher(options.pattern);
    this.values = options.by.map((text) => new MatchValue(text, this.matcher.names));
    this.pipeline = model && new Pipeline(model);
  }

  run(batch: SearchBatch): SearchResult {
    const result: SearchResult = { found: [], groups: [], sentences: 0, matching: 0, matches: 0, problems: [] };
    const groups = new Map<string, Group>();
    for (const sentence of this.searched(batch, result)) {
      try {
        this.search(sentence, result, groups);
      } catch (error) {
        if (!(error instanceof TooManyMatches)) throw error;
        result.problems.push({ ...TOO_MANY, line: sentence.line });
        if (this.options.strict) break;
      }
      result.sentences++;
    }
    result.groups = [...groups.values()];
    return result;
  }

  private *searched(batch: SearchBatch, result: SearchResult): Generator<Searched> {
    if (batch.kind === "table") yield* this.inTable(batch, result);
    else {
      for (const sentence of batch.kind === "text" ? this.parsed(batch) : this.read(batch, result.problems)) {
        yield this.asSearched(sentence);
      }
    }
  }

  private asSearched(sentence: Sentence): Searched {
    const { matcher } = this;
    const [matches, test] = [() => matcher.match(sentence), () => matcher.test(sentence)];
    return { line: sentence.line, matches, test, whole: () => sentence };
  }

  /** Sentences of a row group; of one that cannot match nothing is read but how many there are. */
  private *inTable({ path, group }: SearchBatch & { kind: "table" }, result: SearchResult): Generator<Searched> {
    const { matcher, options } = this;
    if (this.table?.path !== path) {
      this.table?.close();
      this.table = TableColumns.open(path)!;
    }
    const sentences = new TableSentences(this.table, group);
    const isPossible = options.not || matcher.canMatch((column) => sentences.valuesOf(column));
    const searched = new SearchedPlace(matcher, sentences);
    const { sentences: all, isIrregular } = sentences;
    for (let k = 0; k < all.length; k++) {
      searched.place = k;
      if (isIrregular[k] === 0) {
        if (isPossible) yield searched;
        else result.sentences++;
        continue;
      }
      const whole = sentences.whole(all[k]!);
      const { line, document } = searched;
      if (!(whole instanceof TreebankError)) yield { ...this.asSearched(whole), line, document };
      else {
        const { what, value, expected, line, column } = whole;
        result.problems.push({ what, value, expected, line, column });
        if (options.strict) return;
      }
    }
  }

  private *parsed({ text, from }: SearchBatch & { kind: "text" }): Generator<Sentence> {
    for (const sentence of this.pipeline!.parse(text, { input: from })) yield readTreebank(sentence.toConllu())[0]!;
  }

  private *read(batch: SearchBatch & { kind: "treebank" }, problems: TreebankProblem[]): Generator<Sentence> {
    const { bytes, source, line, from: format } = batch;
    // Sentences that are no trees can be searched, and may be what is looked for.
    const reader = new TreebankReader({ format, source, line, allowNonTrees: true });
    for (const read of [...reader.push(bytes), ...reader.end()]) {
      if (!(read instanceof TreebankError)) yield read;
      else {
        const { what, value, expected, line, column } = read;
        problems.push({ what, value, expected, line, column });
        if (this.options.strict) return;
      }
    }
  }

  private search(sentence: Searched, result: SearchResult, groups: Map<string, Group>): void {
    const { not, countOnly, to, limit } = this.options;
    const keep = (list: Found[], matches: readonly Match<MatchableSentence>[]) => {
      if (list.length >= limit) return;
      const { line, document } = sentence;
      list.push({ sentence: result.sentences, line, document, body: this.output(sentence.whole(), matches) });
    };
    if (not) {
      if (sentence.test()) result.matching++;
      else if (!countOnly) keep(result.found, []);
      return;
    }
    const matches = sentence.matches();
    if (matches.length === 0) return;
    result.matching++;
    result.matches += matches.length;
    if (this.values.length > 0) {
      for (const match of matches) {
        const group = this.groupOf(match, groups);
        group.count++;
        if (!countOnly) keep(group.found, [match]);
      }
    } else if (countOnly) return;
    else if (to === "conllu") keep(result.found, matches);
    else for (const match of matches) keep(result.found, [match]);
  }

  private groupOf(match: Match<MatchableSentence>, groups: Map<string, Group>): Group {
    const values = this.values.map((value) => value.of(match) ?? NO_VALUE);
    const key = values.join("\t");
    let group = groups.get(key);
    if (group === undefined) {
      group = { values, count: 0, found: [] };
      groups.set(key, group);
    }
    return group;
  }

  private output(sentence: Sentence, matches: readonly Match<MatchableSentence>[]): string {
    const { to, color } = this.options;
    const { names } = this.matcher;
    if (to === "text") return `${matchText(sentence, matches[0], names, color)}\n`;
    if (to === "json") return JSON.stringify(matchJson(sentence, matches[0]));
    return matches.reduce((text, match) => matchComment(text, match, names), formatSentence(sentence, "conllu"));
  }
}
