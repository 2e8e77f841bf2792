import {
  countLosses,
  type Format,
  formatSentence,
  isParagraphBreak,
  type ParsedTree,
  type Parser,
  type ParserOptions,
  Pipeline,
  type PipelineModel,
  readTreebank,
  type ScoredTree,
  type Sentence,
  TreebankError,
  type TreebankProblem,
  TreebankReader,
  type TreeRank,
  withoutScore,
  withScore,
} from "@stemma/core";

/** What to do with sentences; plain data, as it travels to workers. */
export interface BatchOptions {
  /** Say for each word how sure the parser is: in MISC, and in JSON as a field of its own. */
  scores?: boolean | undefined;
  /** Give so many trees of each sentence, at most, best first. */
  kBest?: number | undefined;
}

/** Whole sentences of a treebank as they were read. */
export interface TreebankBatch extends BatchOptions {
  kind: "treebank";
  from: Format;
  to: Format;
  bytes: Uint8Array;
  /** Name of the file and number of the first line, for errors. */
  source: string;
  line: number;
  /** Stop at the first sentence that cannot be read. */
  strict?: boolean | undefined;
  /** Tag words again that have tags. */
  retag?: boolean | undefined;
  /** Keep the heads and labels that are there. */
  keep?: boolean | undefined;
}

/** Whole paragraphs of a text, sentences in lines, or tokens with spaces between them. */
export interface TextBatch extends BatchOptions {
  kind: "text";
  from: TextFormat;
  to: "conllu" | "json" | "drawing";
  text: string;
  /** Where it is in the whole text. */
  offset: number;
  /** Say where the tokens are, in CoNLL-U; JSON always does. */
  offsets?: boolean | undefined;
}

export const TEXT_FORMATS = ["text", "lines", "tokens"] as const;
export type TextFormat = (typeof TEXT_FORMATS)[number];

export type Batch = TreebankBatch | TextBatch;

/** What became of a batch. */
export interface BatchResult {
  /** The output: of a treebank in one piece; of a text a piece for each sentence, without its number. */
  pieces: string[];
  /** Of a text with several trees of each sentence: for each piece which of them it is, from 1. */
  ranks?: number[] | undefined;
  sentences: number;
  words: number;
  /** Sentences that could not be read, in order; with `strict` at most one, and the text is what was before it. */
  problems: TreebankProblem[];
  /** What the format of the output cannot hold, counted. */
  losses: [what: string, count: number][];
  /** Blank lines and comments after the last sentence. */
  trailer: string;
}

type KnownTree = ReturnType<Pipeline["constraintsOf"]>;

/** A pipeline and what it needs to work on batches. */
export class BatchParser {
  private readonly pipeline: Pipeline;
  private readonly parser: Parser;
  private scores = new Float64Array(256);

  constructor(model: PipelineModel, search: ParserOptions = {}) {
    this.pipeline = new Pipeline(model, search);
    this.parser = this.pipeline.parser;
  }

  run(batch: Batch): BatchResult {
    return batch.kind === "text" ? this.runText(batch) : this.runTreebank(batch);
  }

  /** Cuts a text into sentences and tokens, tags and parses them. */
  private runText({ text, from, to, offset, offsets, scores, kBest }: TextBatch): BatchResult {
    const pieces: string[] = [];
    const ranks: number[] = [];
    let sentences = 0;
    let words = 0;
    let newParagraph = true;
    for (const sentence of this.pipeline.parse(text, { input: from, offset, scores, trees: kBest })) {
      const rank = sentence.tree?.rank ?? 1;
      ranks.push(rank);
      if (rank === 1) {
        sentences++;
        words += sentence.length;
      }
      const last = sentence.tokens[sentence.tokens.length - 1]!;
      if (to === "drawing") pieces.push(JSON.stringify(sentence.drawable()));
      else {
        if (newParagraph && rank === 1 && from === "text") sentence.comments = ["# newpar", ...sentence.comments];
        pieces.push(to === "conllu" ? sentence.toConllu({ offsets }) : formatSentence(sentence, "json"));
      }
      newParagraph = isParagraphBreak(last.spacesAfter);
    }
    return { pieces, ranks, sentences, words, problems: [], losses: [], trailer: "" };
  }

  /** Reads the sentences of a treebank, parses them and writes them. */
  private runTreebank(batch: TreebankBatch): BatchResult {
    const { bytes, source, line, from, to, strict } = batch;
    const reader = new TreebankReader({ format: from, source, line, allowNonTrees: true });
    const losses = new Map<string, number>();
    const problems: TreebankProblem[] = [];
    let text = "";
    let sentences = 0;
    let words = 0;
    for (const result of [...reader.push(bytes), ...reader.end()]) {
      const known = batch.keep && !(result instanceof TreebankError) ? this.constraintsOf(result, source) : undefined;
      if (result instanceof TreebankError || known instanceof TreebankError) {
        const { what, value, expected, line, column } =
          result instanceof TreebankError ? result : (known as TreebankError);
        problems.push({ what, value, expected, line, column });
        if (strict) break;
        continue;
      }
      sentences++;
      words += result.length;
      this.pipeline.fillTags(result, batch.retag, known);
      text += this.parse(result, batch, known);
      if (from !== to) countLosses(result, to, losses);
    }
    return { pieces: [text], sentences, words, problems, losses: [...losses], trailer: reader.trailer };
  }

  /** The heads and labels that a sentence has; an error if no tree has them. */
  private constraintsOf(sentence: Sentence, source: string): KnownTree | TreebankError {
    try {
      return this.pipeline.constraintsOf(sentence, source);
    } catch (error) {
      if (error instanceof TreebankError) return error;
      throw error;
    }
  }

  private parse(sentence: Sentence, { to, scores, kBest }: TreebankBatch, known: KnownTree | undefined): string {
    if (kBest !== undefined) {
      let text = "";
      const trees: ScoredTree[] = [...this.parser.parseBest(sentence, kBest, { constraints: known })];
      trees.forEach((tree, i) => {
        setTree(sentence, tree, known);
        setRank(sentence, { rank: i + 1, of: trees.length, score: tree.score });
        text += formatSentence(sentence, to);
      });
      return text;
    }
    if (!scores) {
      setTree(sentence, this.parser.parse(sentence, { constraints: known }), known);
      return formatSentence(sentence, to);
    }
    if (this.scores.length <= sentence.length) this.scores = new Float64Array(2 * sentence.length);
    const tree = this.parser.parse(sentence, { scores: this.scores, constraints: known });
    setTree(sentence, tree, known);
    // CoNLL-X and CoNLL-2009 have no MISC; CoNLL-U, to which they are turned, has.
    const target = sentence.layout.misc < 0 ? readTreebank(formatSentence(sentence, "conllu"))[0]! : sentence;
    for (let i = 1; i <= target.length; i++) {
      target.set("misc", i, withScore(withoutScore(target.misc(i)), Number(this.scores[i]!.toFixed(3))));
    }
    return formatSentence(target, to);
  }
}

/** Says which of its trees the sentence has. */
function setRank(sentence: Sentence, { rank, of, score }: TreeRank): void {
  sentence.setComment("tree", `${rank} of ${of}`);
  sentence.setComment("score", String(score));
}

/**
 * Sets HEAD and DEPREL. The enhanced dependencies belong to the tree that was there before, so they go, but for those of words whose head and
 * label are kept.
 */
function setTree(sentence: Sentence, { heads, labels }: ParsedTree, known: KnownTree | undefined): void {
  const hasDeps = sentence.layout.deps >= 0;
  for (let i = 1; i <= sentence.length; i++) {
    sentence.setHead(i, heads[i]!);
    sentence.setDeprel(i, labels[i]!);
    const isKept = known !== undefined && known.heads[i]! >= 0 && known.labels?.[i] !== undefined;
    if (hasDeps && !isKept && sentence.deps(i) !== "_") sentence.set("deps", i, "_");
  }
}
