import { check, TRUE_OR_FALSE, wholeNumber } from "../../checks/options.js";
import { checkedList, STRINGS } from "../../checks/shapes.js";
import type { ContextualNodes, ContextualTreebank } from "../../learning/network/lane/lane-contextual.js";
import { Encoder } from "../encoder.js";
import type { EncoderData, WordEncoder } from "../encoder-data.js";
import { ENCODER_DATA } from "../encoder-shape.js";
import { EncoderVectors } from "../encoder-vectors.js";
import { VectorStore } from "./vector-store.js";

/** Sentences whose vectors are computed together. */
const TOGETHER = 32;
const MOST_BYTES = 2 ** 32;

/** The part of a sentence that is needed. */
export interface Forms {
  readonly length: number;
  form(i: number): string;
}

/**
 * The output of an encoder for the sentences of a treebank: computed once, with 8 bits a number, since training asks
 * for it in every epoch. Sentences with the same words share their vectors.
 */
export class EncodedTreebank implements ContextualTreebank {
  /** Words whose vectors are kept. */
  readonly words: number;
  /** Where the rows of each sentence begin. */
  private readonly begins = new Map<string, number>();
  private readonly sentences: string[][] = [];
  private store: VectorStore;

  /** `shared` puts the vectors where threads can share them. */
  constructor(
    readonly encoder: EncoderData,
    sentences: Iterable<Forms>,
    private readonly shared = false,
  ) {
    check("encoder", encoder, ENCODER_DATA);
    check("shared", shared, TRUE_OR_FALSE);
    let words = 0;
    for (const sentence of checkedList("sentences", sentences, "form")) {
      const forms = formsOf(sentence);
      const key = keyOf(forms);
      if (this.begins.has(key)) continue;
      this.begins.set(key, words);
      this.sentences.push(forms);
      words += forms.length;
    }
    this.words = words;
    this.store = new VectorStore(0, encoder.header.size);
    const { mixed, size } = encoder.header;
    const bytes = words * mixed * (size + 4);
    if (bytes > MOST_BYTES)
      throw new RangeError(
        `the vectors of ${words} words take ${(bytes / 2 ** 30).toFixed(1)} GB ` +
          `(expected at most ${MOST_BYTES / 2 ** 30}: mix fewer layers, or train on less)`,
      );
  }

  get contextual(): EncoderVectors {
    return EncoderVectors.of(this.encoder);
  }

  /** Computes the vectors; each step gives how many words are done. */
  *steps(): Generator<number, void, void> {
    const { mixed, size } = this.encoder.header;
    this.store = new VectorStore(this.words * mixed, size, this.shared);
    const encoder = new Encoder(this.encoder);
    // Those of about the same length stand together.
    const order = this.sentences.map((_, s) => s).sort((a, b) => this.sentences[a]!.length - this.sentences[b]!.length);
    let done = 0;
    for (let from = 0; from < order.length; from += TOGETHER) {
      const batch = order.slice(from, from + TOGETHER).map((s) => this.sentences[s]!);
      encoder.encodeAll(batch).forEach((vectors, k) => {
        this.store.keep(vectors, this.begins.get(keyOf(batch[k]!))! * mixed);
        done += batch[k]!.length;
      });
      yield done;
    }
  }

  /** The nodes of sentences, each with its node 0 first. */
  nodes(sentences: readonly Forms[]): ContextualNodes {
    checkedList("sentences", sentences, "form");
    const count = sentences.reduce((sum, { length }) => sum + length + 1, 0);
    const rows = new Int32Array(this.shared ? (new SharedArrayBuffer(4 * count) as never) : new ArrayBuffer(4 * count));
    let node = 0;
    for (const sentence of sentences) {
      const begin = this.begins.get(keyOf(formsOf(sentence)));
      if (begin === undefined)
        throw new RangeError("a sentence was not encoded (expected those that the treebank was made of)");
      rows[node++] = -1;
      for (let i = 0; i < sentence.length; i++) rows[node++] = begin + i;
    }
    const { values, scales } = this.store;
    return { rows, values, scales };
  }

  /** The root of the mean square of the numbers of each layer. */
  get sizes(): number[] {
    const { mixed, size } = this.encoder.header;
    const { values, scales } = this.store;
    return Array.from({ length: mixed }, (_, layer) => {
      let squares = 0;
      for (let row = layer; row < this.words * mixed; row += mixed) {
        let sum = 0;
        for (let j = row * size; j < (row + 1) * size; j++) sum += values[j]! ** 2;
        squares += sum * scales[row]! ** 2;
      }
      return Math.sqrt(squares / Math.max(1, this.words * size)) || 1;
    });
  }
}

/** The words of sentences by their rows, and what reads the mean of the layers of a row. */
export interface LayerMeans {
  readonly rows: Int32Array;
  readonly inputs: number;
  read(row: number, out: Float32Array, at: number): void;
}

/** The means of the encoder's layers for the words of sentences. */
export function meansOf(encoded: EncodedTreebank, sentences: readonly Forms[]): LayerMeans {
  const { rows, values, scales } = encoded.nodes(sentences);
  const { mixed, size } = encoded.encoder.header;
  return {
    rows: rows.filter((row) => row >= 0),
    inputs: size,
    read: (row, out, at) => {
      out.fill(0, at, at + size);
      for (let layer = row * mixed; layer < (row + 1) * mixed; layer++) {
        const scale = scales[layer]! / mixed;
        for (let j = 0; j < size; j++) out[at + j] = out[at + j]! + scale * values[layer * size + j]!;
      }
    },
  };
}

/**
 * Remembers the vectors of some sentences, which are asked for again in every epoch: development data. All else is
 * computed, and nothing beyond `most` bytes is kept.
 */
export class RememberingEncoder implements WordEncoder {
  private readonly encoder: Encoder;
  private readonly known = new Map<string, Float32Array>();
  private bytes = 0;

  constructor(
    data: EncoderData,
    private readonly most: number,
  ) {
    check("encoder", data, ENCODER_DATA);
    check("most", most, wholeNumber(0));
    this.encoder = new Encoder(data);
  }

  encode(forms: readonly string[]): Float32Array {
    check("forms", forms, STRINGS);
    const key = keyOf(forms);
    let vectors = this.known.get(key);
    if (vectors) return vectors;
    vectors = this.encoder.encode(forms);
    if (this.bytes + vectors.byteLength <= this.most) {
      this.known.set(key, vectors);
      this.bytes += vectors.byteLength;
    }
    return vectors;
  }

  skim(forms: readonly string[]): Float32Array {
    check("forms", forms, STRINGS);
    return this.encoder.skim(forms);
  }
}

function formsOf(sentence: Forms): string[] {
  return Array.from({ length: sentence.length }, (_, i) => sentence.form(i + 1));
}

/** No form has a line end. */
function keyOf(forms: readonly string[]): string {
  return forms.join("\n");
}
