import { type Match, MatchValue, Pipeline, type PipelineModel, readTreebank, type Sentence } from "@stemma/core";
import { Matcher, TOO_MANY, TooManyMatches } from "@stemma/core/search";
import {
  type Format,
  formatSentence,
  TreebankError,
  type TreebankProblem,
  TreebankReader,
} from "@stemma/core/treebank";
import type { TextFormat } from "@stemma/server/annotation";
import { DOCUMENT_FORMATS } from "../documents/document-writer.js";
import { matchComment, matchJson, matchText } from "./match-output.js";

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

/** Whole sentences of a treebank, or a part of a text that is parsed first. */
export type SearchBatch =
  | { kind: "treebank"; from: Format; bytes: Uint8Array; source: string; line: number }
  | { kind: "text"; from: TextFormat; text: string };

/** A match, or a sentence, that was found. */
export interface Found {
  /** Which sentence of the batch, from 0. */
  sentence: number;
  /** Line of the sentence in the file. */
  line: number;
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

/** The stand-in for a missing value where matches are counted. */
const NO_VALUE = "_";

/** Searches batches; for text it needs a model. */
export class BatchSearcher {
  private readonly matcher: Matcher;
  private readonly values: readonly MatchValue[];
  private readonly pipeline: Pipeline | undefined;

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
    for (const sentence of batch.kind === "text" ? this.parsed(batch) : this.read(batch, result.problems)) {
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

  private search(sentence: Sentence, result: SearchResult, groups: Map<string, Group>): void {
    const { not, countOnly, to, limit } = this.options;
    const keep = (list: Found[], body: () => string) => {
      if (list.length < limit) list.push({ sentence: result.sentences, line: sentence.line, body: body() });
    };
    if (not) {
      if (this.matcher.test(sentence)) result.matching++;
      else if (!countOnly) keep(result.found, () => this.output(sentence, []));
      return;
    }
    const matches = this.matcher.match(sentence);
    if (matches.length === 0) return;
    result.matching++;
    result.matches += matches.length;
    if (this.values.length > 0) {
      for (const match of matches) {
        const group = this.groupOf(match, groups);
        group.count++;
        if (!countOnly) keep(group.found, () => this.output(sentence, [match]));
      }
    } else if (countOnly) return;
    else if (to === "conllu") keep(result.found, () => this.output(sentence, matches));
    else for (const match of matches) keep(result.found, () => this.output(sentence, [match]));
  }

  private groupOf(match: Match<Sentence>, groups: Map<string, Group>): Group {
    const values = this.values.map((value) => value.of(match) ?? NO_VALUE);
    const key = values.join("\t");
    let group = groups.get(key);
    if (group === undefined) {
      group = { values, count: 0, found: [] };
      groups.set(key, group);
    }
    return group;
  }

  private output(sentence: Sentence, matches: readonly Match<Sentence>[]): string {
    const { to, color } = this.options;
    const { names } = this.matcher;
    if (to === "text") return `${matchText(sentence, matches[0], names, color)}\n`;
    if (to === "json") return JSON.stringify(matchJson(sentence, matches[0]));
    return matches.reduce((text, match) => matchComment(text, match, names), formatSentence(sentence, "conllu"));
  }
}
