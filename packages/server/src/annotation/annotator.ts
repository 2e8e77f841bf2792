// The work of a thread on a piece of a text or treebank: for `stemma parse` and for the server alike.

import {
  ImpossibleConstraints,
  type ParsedTree,
  type ParserOptions,
  Pipeline,
  type PipelineModel,
  readTreebank,
  type Sentence,
  SentenceTooLong,
} from "@stemma/core";
import {
  countLosses,
  endsInParagraphBreak,
  type Format,
  fluentSentence,
  TreebankError,
  TreebankReader,
} from "@stemma/core/treebank";
import { parsedOutput } from "./parsed-output.js";
import {
  type AnnotatedSentence,
  type AnnotationOptions,
  type DocumentsInput,
  emptyResult,
  type Piece,
  type PieceInput,
  type PieceProblem,
  type PieceResult,
  type TreebankInput,
} from "./piece.js";
import { setAnnotations, setTree, treebankOutput, withRoom } from "./treebank-output.js";
import { characterCounter } from "./udpipe-output.js";
import { newDocumentOf } from "./word-table.js";

type KnownTree = ReturnType<Pipeline["constraintsOf"]>;
type TextualInput = Exclude<PieceInput, TreebankInput | DocumentsInput>;

/** A model at work on one piece after the other. */
export class Annotator {
  private readonly usual: Pipeline;
  /** With the beam that was asked for last, if not the usual one. */
  private other: Pipeline | undefined;
  private scores = new Float64Array(256);

  /** `search`: how the parser searches unless a piece says otherwise. */
  constructor(
    private readonly model: PipelineModel,
    private readonly search: ParserOptions = {},
  ) {
    this.usual = new Pipeline(model, search);
  }

  run({ input, options }: Piece): PieceResult {
    if (input.kind === "treebank") return this.treebank(input, options);
    return input.kind === "documents" ? this.documents(input, options) : this.text(input, options);
  }

  private documents({ texts }: DocumentsInput, options: AnnotationOptions): PieceResult {
    const result = emptyResult();
    for (const [item, text] of texts.entries()) {
      const { sentences, words, problems } = this.text({ kind: "text", from: "text", ...text }, options);
      for (const sentence of sentences) result.sentences.push({ ...sentence, item });
      result.words += words;
      for (const problem of problems) result.problems.push({ ...problem, item });
    }
    return result;
  }

  private pipeline({ beam, trees }: AnnotationOptions): Pipeline {
    const own = this.usual.parser.beam;
    const width = beam ?? (this.model.limits.beam ? own : Math.max(own, trees ?? 1));
    if (width === own) return this.usual;
    if (this.other?.parser.beam !== width) this.other = new Pipeline(this.model, { ...this.search, beam: width });
    return this.other;
  }

  private text(input: TextualInput, options: AnnotationOptions): PieceResult {
    const result = emptyResult();
    const ofText = input.kind === "text";
    let newParagraph = ofText && !input.continues;
    const place = ofText && options.udpipe?.ranges ? characterCounter(input.text, input.offset) : undefined;
    try {
      for (const sentence of this.parsed(input, options, place === undefined)) {
        const rank = sentence.tree?.rank ?? 1;
        if (rank === 1) result.words += sentence.length;
        // CoNLL-U gets it before the number; in JSON it is a comment.
        if (
          (options.to === "json" || options.to === "table") &&
          newParagraph &&
          rank === 1 &&
          ofText &&
          input.from === "text"
        ) {
          sentence.comments = ["# newpar", ...sentence.comments];
        }
        const shown = options.fluent ? this.withoutDisfluencies(sentence, options) : sentence;
        if (!shown) continue;
        result.sentences.push({
          ...parsedOutput(shown, options, place),
          newParagraph: newParagraph && rank === 1,
          rank,
        });
        if (ofText) newParagraph = endsInParagraphBreak(sentence.tokens[sentence.tokens.length - 1]?.spacesAfter ?? "");
      }
    } catch (error) {
      if (error instanceof SentenceTooLong) result.problems.push(tooLong(result, error.words));
      else if (error instanceof ImpossibleConstraints) {
        const { message } = error;
        result.problems.push({ kind: "impossible-heads", sentence: numberOf(result), message });
      } else throw error;
    }
    return result;
  }

  /** The sentence without its disfluent words; undefined if it has no others. */
  private withoutDisfluencies(sentence: Sentence, { offsets, to }: AnnotationOptions): Sentence | undefined {
    const isPlaced = offsets || to === "json" || to === "table";
    return fluentSentence(isPlaced ? readTreebank(sentence.toConllu({ offsets: true }))[0]! : sentence);
  }

  private *parsed(input: TextualInput, options: AnnotationOptions, offsets: boolean): Generator<Sentence> {
    const pipeline = this.pipeline(options);
    const { scores, trees, maxSentence: maxWords } = options;
    const tooLong = input.kind === "text" && options.tooLong !== "error" ? ("split" as const) : ("throw" as const);
    const how = { scores, trees, maxWords, tooLong };
    switch (input.kind) {
      case "text":
        yield* pipeline.parse(input.text, { ...how, input: input.from, offset: offsets ? input.offset : 0 });
        break;
      case "sentences":
        for (const sentence of input.sentences) {
          yield* pipeline.parse(sentence.replace(/[\n\r\u2028\u2029]/g, " "), { ...how, input: "lines" });
        }
        break;
      case "tokens":
        for (const sentence of input.sentences) {
          if (trees === undefined) yield pipeline.parseTokens(sentence, how);
          else yield* pipeline.parseTokensBest(sentence, trees, how);
        }
    }
  }

  private treebank({ from, bytes, source, line }: TreebankInput, options: AnnotationOptions): PieceResult {
    const result = emptyResult();
    const losses = new Map<string, number>();
    const reader = new TreebankReader({ format: from, source, line, allowNonTrees: true });
    const pipeline = this.pipeline(options);
    for (const sentence of [...reader.push(bytes), ...reader.end()]) {
      const known = this.check(pipeline, sentence, source, options);
      if (sentence instanceof TreebankError || known instanceof TreebankError) {
        const { what, value, expected, line, column } = known as TreebankError;
        result.problems.push({ kind: "treebank", what, value, expected, line, column });
        if (options.strict) break;
        continue;
      }
      if (sentence.length > (options.maxSentence ?? Number.POSITIVE_INFINITY)) {
        result.problems.push(tooLong(result, sentence.length));
        break;
      }
      result.words += sentence.length;
      for (const output of this.annotated(pipeline, sentence, known, options)) {
        const newDocument = newDocumentOf(sentence.comments);
        result.sentences.push({ ...output, newParagraph: false, newDocument });
      }
      // Elsewhere nobody asks what was lost.
      if (!options.standalone) countLosses(sentence, options.to === "table" ? "json" : (options.to as Format), losses);
    }
    return { ...result, losses: [...losses], trailer: reader.trailer };
  }

  /** The heads and labels to keep; an error if no tree has them, or the sentence could not be read or is too long. */
  private check(
    pipeline: Pipeline,
    sentence: Sentence | TreebankError,
    source: string,
    { keep }: AnnotationOptions,
  ): KnownTree | TreebankError | undefined {
    if (sentence instanceof TreebankError) return sentence;
    const { mostWords } = pipeline.parser;
    if (sentence.length > mostWords) {
      const expected = `at most ${mostWords} for this model: its time and memory grow fast with the length`;
      const value = String(sentence.length);
      return new TreebankError(source, {
        what: "number of words",
        value,
        expected,
        line: sentence.lineOf(1),
        column: 1,
      });
    }
    if (!keep) return undefined;
    try {
      return pipeline.constraintsOf(sentence, source);
    } catch (error) {
      if (error instanceof TreebankError) return error;
      throw error;
    }
  }

  /** The output for a sentence of a treebank, once for each tree. */
  private *annotated(
    pipeline: Pipeline,
    sentence: Sentence,
    known: KnownTree | undefined,
    options: AnnotationOptions,
  ): Generator<Pick<AnnotatedSentence, "body" | "table" | "rank">> {
    const { udpipe, trees } = options;
    const { parser } = pipeline;
    const before = udpipe && !udpipe.tag ? tagsOf(sentence) : undefined;
    if (!udpipe || udpipe.parse || udpipe.tag) pipeline.fillTags(sentence, options.retag || udpipe?.tag, known);
    const words = pipeline.wordsOf(sentence);
    const forms = ["", ...Array.from({ length: sentence.length }, (_, i) => sentence.form(i + 1))];
    let target = sentence;
    const take = (tree: ParsedTree) => {
      pipeline.completeTree(words, forms, tree, known);
      const found = pipeline.annotations(words, tree);
      if (found.length > 0) target = withRoom(target, options);
      setTree(target, tree, known);
      setAnnotations(target, found, options);
    };
    if (trees !== undefined) {
      const best = [...parser.parseBest(words, trees, { constraints: known })];
      for (const [i, tree] of best.entries()) {
        take(tree);
        const rank = i + 1;
        const shown = options.fluent ? fluentSentence(target) : target;
        if (!shown) continue;
        yield { ...treebankOutput(shown, options, { tree: { rank, of: best.length, score: tree.score } }), rank };
      }
      return;
    }
    let scores: Float64Array | undefined;
    if (!udpipe || udpipe.parse) {
      if (options.scores) {
        if (this.scores.length <= sentence.length) this.scores = new Float64Array(2 * sentence.length);
        scores = this.scores;
      }
      take(parser.parse(words, { scores, constraints: known }));
    }
    if (before) restoreTags(target, before);
    const shown = options.fluent ? fluentSentence(target) : target;
    if (shown) yield { ...treebankOutput(shown, options, { scores }), rank: 1 };
  }
}

function tooLong(result: PieceResult, words: number): PieceProblem {
  return { kind: "sentence-too-long", sentence: numberOf(result), words };
}

/** The number of the sentence that comes next. */
function numberOf({ sentences }: PieceResult): number {
  return sentences.filter(({ rank }) => rank === 1).length + 1;
}

const TAGS = ["lemma", "upos", "xpos", "feats"] as const;

function tagsOf(sentence: Sentence): string[][] {
  return TAGS.map((column) => Array.from({ length: sentence.length }, (_, i) => sentence[column](i + 1)));
}

function restoreTags(sentence: Sentence, tags: string[][]): void {
  TAGS.forEach((column, c) => {
    for (let i = 1; i <= sentence.length; i++) sentence.set(column, i, tags[c]![i - 1]!);
  });
}
