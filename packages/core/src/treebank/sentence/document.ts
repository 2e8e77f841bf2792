import { INSPECT, type Inspecting, inspected } from "../../checks/inspection.js";
import { check, SENTENCES, STRING, shown, WHOLE_NUMBER } from "../../checks/options.js";
import { holding, SENTENCE } from "../../checks/shapes.js";
import type { SentenceJSON } from "../formats/to-json.js";
import { commentValue } from "./comments.js";
import type { SentenceInput } from "./list-columns.js";
import { Sentence } from "./sentence.js";
import { isParagraphBreak } from "./spaces.js";
import type { Word } from "./word.js";

/** Sentences that belong together, between two blank lines of the text or comments `# newpar`. */
export interface Paragraph {
  /** The value of the comment `# newpar id = …`. */
  readonly id: string | undefined;
  /** In the order of their text. */
  readonly sentences: readonly Sentence[];
  /** Where it begins in the text. */
  readonly start: number;
  /** Where it ends in the text. */
  readonly end: number;
}

/**
 * Sentences in the order of their text. Those of a parsed text keep their offsets; others, which have none, get offsets
 * in a text that is built from them, with a blank line between paragraphs. A sentence is in one document at a time.
 *
 * @example
 * ```ts
 * import { Document, readTreebank } from "@stemma/core";
 *
 * const conllu = "1\tShe\t_\tPRON\t_\t_\t2\tnsubj\t_\t_\n2\treads\t_\tVERB\t_\t_\t0\troot\t_\t_\n\n";
 * const document = new Document(readTreebank(conllu));
 * console.log(document.text, document.at(4)?.form);
 * ```
 */
export class Document {
  /** In the order of their text. */
  readonly sentences: readonly Sentence[];
  private ids: Map<string, Sentence> | undefined;
  private madeText: string | undefined;

  /** @param sentences in the order of their text */
  constructor(sentences: Iterable<Sentence>) {
    check("sentences", sentences, SENTENCES);
    this.sentences = Object.freeze([...sentences]);
    for (const sentence of this.sentences) {
      if (!(sentence instanceof Sentence))
        throw new TypeError(`invalid sentence: ${shown(sentence)} (expected a Sentence)`);
    }
    const isPlaced = this.sentences.every(({ start }, k) => k === 0 || this.sentences[k - 1]!.end <= start);
    if (!isPlaced || !this.sentences.every(({ hasOffsets }) => hasOffsets)) this.place();
  }

  /**
   * Builds a document from the output of toJSON, or from the answer of a server, which has `sentences`, too.
   *
   * @param json an object with the sentences as plain data
   */
  static from(json: { readonly sentences: readonly SentenceInput[] }): Document {
    check("document", json, holding("an object with sentences", "sentences"));
    check("sentences", json.sentences, SENTENCES);
    return new Document(json.sentences.map(Sentence.from));
  }

  private place(): void {
    let at = 0;
    this.sentences.forEach((sentence, k) => {
      at += this.gap(k).length;
      sentence.moveTo(at);
      at = sentence.end;
    });
  }

  /** The white space before sentence k. */
  private gap(k: number): string {
    const before = this.sentences[k]!.tokens[0]?.spacesBefore ?? "";
    if (k === 0) return before;
    const tokens = this.sentences[k - 1]!.tokens;
    const spaces = (tokens[tokens.length - 1]?.spacesAfter ?? "") + before;
    return beginsParagraph(this.sentences[k]!) && !isParagraphBreak(spaces) ? "\n\n" : spaces;
  }

  /** The text of the sentences, with the white space between them. It begins at `start`. */
  get text(): string {
    this.madeText ??= this.sentences
      .map((sentence, k) => (k === 0 ? "" : this.gap(k)) + sentence.span(1, sentence.length).text)
      .join("");
    return this.madeText;
  }

  /** Where its first sentence begins and its last ends. */
  get start(): number {
    return this.sentences[0]?.start ?? 0;
  }
  /** Where it ends in the text. */
  get end(): number {
    return this.sentences[this.sentences.length - 1]?.end ?? 0;
  }

  /** The value of the comment `# newdoc id = …`. */
  get id(): string | undefined {
    return this.sentences[0] && commentValue(this.sentences[0].comments, "newdoc id");
  }

  /**
   * The sentence with an id.
   * @param id the `sent_id`
   */
  sentence(id: string): Sentence | undefined {
    check("id", id, STRING);
    if (!this.ids) {
      this.ids = new Map();
      for (const each of this.sentences)
        if (each.id !== undefined && !this.ids.has(each.id)) this.ids.set(each.id, each);
    }
    return this.ids.get(id);
  }

  /** The words of all sentences. */
  *words(): Generator<Word> {
    for (const sentence of this.sentences) yield* sentence.words;
  }

  /** Its sentences, divided where paragraphs begin. */
  get paragraphs(): Paragraph[] {
    const paragraphs: Sentence[][] = [];
    this.sentences.forEach((sentence, k) => {
      const begins = k === 0 || beginsParagraph(sentence) || isParagraphBreak(this.gap(k));
      if (begins) paragraphs.push([sentence]);
      else paragraphs[paragraphs.length - 1]!.push(sentence);
    });
    return paragraphs.map((sentences) => ({
      id: commentValue(sentences[0]!.comments, "newpar id"),
      sentences,
      start: sentences[0]!.start,
      end: sentences[sentences.length - 1]!.end,
    }));
  }

  /**
   * The sentence at an offset in the text; undefined between sentences. O(log n).
   * @param offset a place in the text, in UTF-16 units
   */
  sentenceAt(offset: number): Sentence | undefined {
    check("offset", offset, WHOLE_NUMBER);
    return lastAt(this.sentences, offset);
  }

  /**
   * The word at an offset in the text; of a token whose words have no places of their own the first. Undefined in white
   * space. O(log n).
   * @param offset a place in the text, in UTF-16 units
   */
  at(offset: number): Word | undefined {
    const sentence = this.sentenceAt(offset);
    const token = sentence && lastAt(sentence.tokens, offset);
    return token && sentence.words.slice(token.from - 1, token.to).find(({ end }) => offset < end);
  }

  /** Its sentences. */
  [Symbol.iterator](): Iterator<Sentence> {
    return this.sentences[Symbol.iterator]();
  }

  /** All sentences in CoNLL-U. */
  toConllu(): string {
    return this.sentences.map((sentence) => sentence.toConllu()).join("");
  }

  /** As plain data, which `Document.from` reads. */
  toJSON(): { sentences: SentenceJSON[] } {
    return { sentences: this.sentences.map((sentence) => sentence.toJSON()) };
  }

  /** How it looks in a console. @internal */
  [INSPECT](_depth?: unknown, ...how: Inspecting): string {
    const { sentences, text } = this;
    return inspected("Document", { sentences: sentences.length, text }, ...how);
  }
}

/**
 * Divides sentences into documents, where a comment `# newdoc` says that one begins.
 * @param sentences the sentences of a treebank, in their order
 */
export function documentsOf(sentences: Iterable<Sentence>): Generator<Document> {
  check("sentences", sentences, SENTENCES);
  return collect(sentences);
}

function* collect(sentences: Iterable<Sentence>): Generator<Document> {
  let collected: Sentence[] = [];
  for (const sentence of sentences) {
    check("sentence", sentence, SENTENCE);
    if (collected.length > 0 && sentence.comments.some((comment) => /^#\s*newdoc\b/.test(comment))) {
      yield new Document(collected);
      collected = [];
    }
    collected.push(sentence);
  }
  if (collected.length > 0) yield new Document(collected);
}

function beginsParagraph(sentence: Sentence): boolean {
  return sentence.comments.some((comment) => /^#\s*new(par|doc)\b/.test(comment));
}

/** The last of what is in order and begins at or before a place, if it does not end before it. */
function lastAt<T extends { start: number; end: number }>(items: readonly T[], offset: number): T | undefined {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (items[middle]!.start <= offset) low = middle + 1;
    else high = middle;
  }
  const found = items[low - 1];
  return found && offset < found.end ? found : undefined;
}
