// The work of a thread on a piece of a text or treebank: for `stemma parse` and for the server alike.

import {
  ImpossibleConstraints,
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
  type AnnotationOptions,
  type DocumentsInput,
  emptyResult,
  type Piece,
  type PieceInput,
  type PieceProblem,
  type PieceResult,
  type TreebankInput,
} from "./piece.js";
import { treebankOutput } from "./treebank-output.js";
import { characterCounter } from "./udpipe-output.js";
import { newDocumentOf } from "./word-table.js";

type TextualInput = Exclude<PieceInput, TreebankInput | DocumentsInput>;

/** A model at work on one piece after the other. */
export class Annotator {
  private readonly usual: Pipeline;
  /** With the beam that was asked for last, if not the usual one. */
  private other: Pipeline | undefined;

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
    // Lines make no paragraphs, but for UDPipe.
    const hasParagraphs = ofText && (input.from === "text" || options.udpipe !== undefined);
    let newParagraph = hasParagraphs && !input.continues;
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
        if (hasParagraphs)
          newParagraph = endsInParagraphBreak(sentence.tokens[sentence.tokens.length - 1]?.spacesAfter ?? "");
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
    const { maxSentence = Number.POSITIVE_INFINITY } = options;
    for (const sentence of [...reader.push(bytes), ...reader.end()]) {
      let annotated: Sentence[];
      try {
        if (sentence instanceof TreebankError) throw sentence;
        if (sentence.length > maxSentence && sentence.length <= pipeline.parser.mostWords) {
          result.problems.push(tooLong(result, sentence.length));
          break;
        }
        annotated = annotate(pipeline, sentence, source, options);
      } catch (error) {
        if (!(error instanceof TreebankError)) throw error;
        const { what, value, expected, line, column } = error;
        result.problems.push({ kind: "treebank", what, value, expected, line, column });
        if (options.strict) break;
        continue;
      }
      const read = sentence as Sentence;
      result.words += read.length;
      const newDocument = newDocumentOf(read.comments);
      for (const one of annotated) {
        const shown = options.fluent ? fluentSentence(one) : one;
        if (!shown) continue;
        const rank = one.tree?.rank ?? 1;
        result.sentences.push({ ...treebankOutput(shown, options), rank, newParagraph: false, newDocument });
      }
      // Elsewhere nobody asks what was lost.
      if (!options.standalone) countLosses(read, options.to === "table" ? "json" : (options.to as Format), losses);
    }
    return { ...result, losses: [...losses], trailer: reader.trailer };
  }
}

/** A sentence of a treebank with what the options ask for, once for each tree. */
function annotate(pipeline: Pipeline, sentence: Sentence, source: string, options: AnnotationOptions): Sentence[] {
  const { udpipe, trees, keep, retag, scores, to } = options;
  if (udpipe && !udpipe.tag && !udpipe.parse) return [sentence];
  // CoNLL-X that is written as something else may get what it has no place for.
  const { layout } = sentence;
  const given =
    layout.misc >= 0 || layout.most > layout.fewest || to === layout.name ? sentence : sentence.copy("conllu");
  const how = { keep, retag: udpipe?.tag || retag, source };
  if (trees !== undefined) return pipeline.annotate(given, { ...how, trees });
  const annotated = pipeline.annotate(given, { ...how, scores, parse: !udpipe || udpipe.parse });
  if (udpipe && !udpipe.tag) restoreTags(annotated, sentence);
  return [annotated];
}

function tooLong(result: PieceResult, words: number): PieceProblem {
  return { kind: "sentence-too-long", sentence: numberOf(result), words };
}

/** The number of the sentence that comes next. */
function numberOf({ sentences }: PieceResult): number {
  return sentences.filter(({ rank }) => rank === 1).length + 1;
}

/** Tags that were only needed for parsing go. */
function restoreTags(sentence: Sentence, before: Sentence): void {
  for (const column of ["lemma", "upos", "xpos", "feats"] as const) {
    for (let i = 1; i <= sentence.length; i++) sentence.set(column, i, before[column](i));
  }
}
