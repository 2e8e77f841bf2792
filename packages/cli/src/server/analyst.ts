// What a worker does with a piece of a request.
import {
  formatSentence,
  isParagraphBreak,
  Pipeline,
  type PipelineModel,
  Segmenter,
  type Sentence,
  TreebankError,
  TreebankReader,
  textOf,
  withoutScore,
  withScore,
} from "@stemma/core";
import type { Piece, PieceOptions, PieceResult } from "./piece.js";
import { characterCounter, udpipeSentence, unbroken } from "./udpipe-output.js";

/** A text longer than this is looked through for sentences that are too long before any is parsed. */
const SUSPICIOUS = 1 << 14;

/** A pipeline and what it needs to work on pieces. */
export class Analyst {
  private readonly pipeline: Pipeline;
  private readonly segmenter: Segmenter | undefined;
  private scores = new Float64Array(256);

  constructor(model: PipelineModel) {
    this.pipeline = new Pipeline(model);
    this.segmenter = model.segmenter && new Segmenter(model.segmenter);
  }

  run({ input, options }: Piece): PieceResult {
    switch (input.kind) {
      case "conllu":
        return this.treebank(input.bytes, input.line, options);
      case "tokens":
        return this.collect(this.tokens(input.sentences, options), options, false);
      case "sentences":
        return this.collect(this.sentences(input.sentences, options), options, false);
      default: {
        const { kind, text, offset } = input;
        const tooLong = this.tooLong(text, kind, options.maxSentence);
        if (tooLong) return { sentences: [], words: 0, problem: tooLong };
        const { scores, udpipe } = options;
        const first = !input.continues && (kind === "text" || udpipe !== undefined);
        const place = udpipe?.ranges ? characterCounter(text, offset) : undefined;
        const parsed = this.pipeline.parse(text, { input: kind, offset: place ? 0 : offset, scores });
        return this.collect(parsed, options, first, place);
      }
    }
  }

  // A parser may need more than linear time, so a sentence without end must not reach it.
  private tooLong(text: string, kind: "text" | "lines", limit: number): PieceResult["problem"] {
    if (text.length < SUSPICIOUS || !this.segmenter || kind !== "text") return undefined;
    let sentence = 0;
    for (const { tokens } of this.segmenter.segment(text)) {
      sentence++;
      if (tokens.length > limit) return { kind: "sentence-too-long", sentence, words: tokens.length };
    }
    return undefined;
  }

  private *tokens(sentences: readonly (readonly string[])[], { scores }: PieceOptions): Generator<Sentence> {
    for (const sentence of sentences) yield this.pipeline.parseTokens(sentence, { scores });
  }

  private *sentences(sentences: readonly string[], { scores }: PieceOptions): Generator<Sentence> {
    for (const sentence of sentences) {
      yield* this.pipeline.parse(sentence.replace(/[\n\r\u2028\u2029]/g, " "), { input: "lines", scores });
    }
  }

  private collect(
    parsed: Iterable<Sentence>,
    options: PieceOptions,
    paragraphs: boolean,
    place = (offset: number) => offset,
  ): PieceResult {
    const { to, udpipe, maxSentence } = options;
    const sentences: string[] = [];
    let words = 0;
    let newParagraph = paragraphs;
    for (const sentence of parsed) {
      if (sentence.length > maxSentence) {
        const problem = { kind: "sentence-too-long", sentence: sentences.length + 1, words: sentence.length } as const;
        return { sentences, words, problem };
      }
      words += sentence.length;
      if (udpipe) sentences.push(udpipeSentence(sentence, to, udpipe, newParagraph, place));
      else {
        if (newParagraph) sentence.comments = ["# newpar", ...sentence.comments];
        sentences.push(to === "json" ? JSON.stringify(sentence) : sentence.toConllu());
      }
      newParagraph = isParagraphBreak(sentence.tokens[sentence.tokens.length - 1]?.spacesAfter ?? "");
    }
    return { sentences, words };
  }

  private treebank(bytes: Uint8Array, line: number, options: PieceOptions): PieceResult {
    const reader = new TreebankReader({ format: "conllu", source: "conllu", line, allowNonTrees: true });
    const sentences: string[] = [];
    let words = 0;
    for (const result of [...reader.push(bytes), ...reader.end()]) {
      if (result instanceof TreebankError) {
        const { what, value, expected, line, column } = result;
        return { sentences, words, problem: { kind: "treebank", what, value, expected, line, column } };
      }
      if (result.length > options.maxSentence) {
        const problem = { kind: "sentence-too-long", sentence: sentences.length + 1, words: result.length } as const;
        return { sentences, words, problem };
      }
      words += result.length;
      sentences.push(this.annotate(result, options));
    }
    return { sentences, words };
  }

  private annotate(sentence: Sentence, { udpipe, scores, to }: PieceOptions): string {
    const n = sentence.length;
    const untagged = udpipe && !udpipe.tag ? tagsOf(sentence) : undefined;
    if (!udpipe || udpipe.parse || udpipe.tag) this.pipeline.fillTags(sentence, udpipe?.tag);
    if (!udpipe || udpipe.parse) {
      if (this.scores.length <= n) this.scores = new Float64Array(2 * n);
      const { heads, labels } = this.pipeline.parser.parse(sentence, scores ? { scores: this.scores } : {});
      for (let i = 1; i <= n; i++) {
        sentence.setHead(i, heads[i]!);
        sentence.setDeprel(i, labels[i]!);
        // The enhanced dependencies belong to the tree that was there before.
        if (sentence.deps(i) !== "_") sentence.set("deps", i, "_");
      }
    }
    if (untagged) restoreTags(sentence, untagged);
    if (scores && (to === "json" || to === "conllu")) {
      for (let i = 1; i <= n; i++) {
        sentence.set("misc", i, withScore(withoutScore(sentence.misc(i)), Number(this.scores[i]!.toFixed(3))));
      }
    }
    if (to === "json") return JSON.stringify(sentence);
    if (to === "conllu") return ended(formatSentence(sentence, "conllu"));
    if (to === "plaintext") return udpipe?.normalizedSpaces ? `${textOf([sentence]).trim()}\n` : textOf([sentence]);
    const forms = Array.from({ length: n }, (_, i) => sentence.form(i + 1));
    return to === "vertical" ? `${forms.join("\n")}\n\n` : `${forms.map(unbroken).join(" ")}\n`;
  }
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

// Every sentence stands on its own: line ends as they should be, the blank line after it, no byte order mark before it.
function ended(text: string): string {
  const lines = text.replace(/^\ufeff/, "").replace(/\r\n/g, "\n");
  return `${lines.replace(/^\n+/, "").replace(/\n+$/, "")}\n\n`;
}
