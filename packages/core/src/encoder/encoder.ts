import encoderKernel from "../kernels/encoder.generated.js";
import inferenceKernel from "../kernels/inference.generated.js";
import { type GrowingMemory, instantiate } from "../kernels/kernel.js";
import {
  fillMatrix,
  grow,
  type MatrixPlace,
  memoryOf,
  Places,
  padded,
  placeMatrix,
} from "../scoring/network/inference-memory.js";
import { type InferenceKernel, plainKernel } from "../scoring/network/plain-network.js";
import type { StoredTensor } from "../scoring/network/quantization.js";
import type { EncoderData, WordEncoder } from "./encoder-data.js";
import { encoderStorage } from "./encoder-shape.js";
import { type EncoderKernel, plainEncoderKernel } from "./plain-encoder.js";
import { type Window, windowsOver } from "./windows.js";
import { WordPieces } from "./word-pieces.js";

/** Of a word so many pieces are read at most; more have only words of hundreds of signs. */
const MOST_PIECES = 48;
/** Rows for which there is room before more are needed. */
const ROWS = 128;
/** Rows of several sentences that are computed together, about. */
const BATCH_ROWS = 256;
/** Pieces that are skimmed together, at most, and how many of them twice: attention costs less in short windows. */
const SKIMMED = 160;
const SKIMMED_TWICE = 40;

interface Layer {
  readonly attention: MatrixPlace;
  readonly attentionBias: number;
  readonly attended: MatrixPlace;
  readonly attendedBias: number;
  readonly attendedNorm: number;
  readonly inner: MatrixPlace;
  readonly innerBias: number;
  readonly outer: MatrixPlace;
  readonly outerBias: number;
  readonly outerNorm: number;
}

/** Where what is computed for the pieces at hand is. */
interface Rows {
  readonly capacity: number;
  /** The vectors of the pieces, and what is added to them next. */
  readonly x: number;
  readonly y: number;
  /** Queries, keys and values, or the units of the inner layer. */
  readonly wide: number;
  /** The factor of a matrix, as integers, and the scale of each row. */
  readonly narrowed: number;
  readonly scales: number;
  readonly end: number;
}

/** The pieces of a sentence and its windows, whose rows begin where `rows` says. */
interface Sentence {
  readonly forms: readonly string[];
  readonly pieces: readonly (readonly number[])[];
  readonly windows: readonly Window[];
  /** Layers whose vectors are taken. */
  readonly taken: number;
  readonly vectors: Float32Array;
}

/**
 * A BERT-like encoder at work: 8-bit weights, 16-bit activations, integer sums; the same bits everywhere, with
 * WebAssembly or, `plain`, without. Has a memory of its own with the matrices in the layout of the kernel. A word's
 * vector is the mean of those of its pieces.
 */
export class Encoder implements WordEncoder {
  private readonly pieces: WordPieces;
  private readonly memory: GrowingMemory;
  private readonly products: InferenceKernel;
  private readonly kernel: EncoderKernel;
  private readonly layers: readonly Layer[];
  private readonly norm: number;
  /** Keys of a head, turned, and scores of two queries. */
  private readonly keys: number;
  private readonly scores: number;
  private readonly base: number;
  private readonly tables: { readonly pieces: StoredTensor; readonly positions: StoredTensor };
  private rows: Rows;
  private floats: Float32Array;
  private last: Sentence | undefined;

  constructor(
    private readonly data: EncoderData,
    plain = false,
  ) {
    const { header, vocabulary, numbers } = data;
    const { size, heads, layers, window } = header;
    this.pieces = new WordPieces(header.pieces, vocabulary);
    const places = new Places();
    const tensors = new Map(encoderStorage(header, vocabulary.length).tensors.map((stored) => [stored.name, stored]));
    const tensor = (name: string) => tensors.get(name)!;
    this.tables = { pieces: tensor("pieces"), positions: tensor("positions") };
    const fillers: ((memory: GrowingMemory) => void)[] = [];
    const matrix = (name: string): MatrixPlace => {
      const stored = tensor(name);
      const place = placeMatrix(stored, stored.rows, places);
      fillers.push((memory) => fillMatrix(memory, place, stored, numbers));
      return place;
    };
    const plainTensor = (name: string): number => {
      const { rows, columns, floats } = tensor(name);
      const at = places.take(4 * rows * columns);
      fillers.push((memory) => {
        new Float32Array(memory.buffer, at).set(numbers.floats.subarray(floats, floats + rows * columns));
      });
      return at;
    };
    this.norm = plainTensor("norm");
    this.layers = Array.from({ length: layers }, (_, k) => ({
      attention: matrix(`attention ${k}`),
      attentionBias: plainTensor(`attention bias ${k}`),
      attended: matrix(`attended ${k}`),
      attendedBias: plainTensor(`attended bias ${k}`),
      attendedNorm: plainTensor(`attended norm ${k}`),
      inner: matrix(`inner ${k}`),
      innerBias: plainTensor(`inner bias ${k}`),
      outer: matrix(`outer ${k}`),
      outerBias: plainTensor(`outer bias ${k}`),
      outerNorm: plainTensor(`outer norm ${k}`),
    }));
    const wide = 4 * padded(window, 8);
    this.keys = places.take((size / heads) * wide);
    this.scores = places.take(2 * wide);
    this.base = places.end;
    this.rows = this.placeRows(ROWS);
    this.memory = memoryOf(this.rows.end, plain);
    this.floats = new Float32Array(this.memory.buffer);
    const kernel = plain ? undefined : instantiate<EncoderKernel>(encoderKernel, this.memory, "encoder");
    const products = plain ? undefined : instantiate<InferenceKernel>(inferenceKernel, this.memory, "inference");
    this.kernel = kernel ?? plainEncoderKernel(this.memory);
    this.products = products ?? plainKernel(this.memory);
    for (const fill of fillers) fill(this.memory);
  }

  private placeRows(capacity: number): Rows {
    const { size, inner } = this.data.header;
    const places = new Places();
    places.end = this.base;
    const x = places.take(4 * capacity * size);
    const y = places.take(4 * capacity * size);
    const wide = places.take(4 * capacity * Math.max(3 * size, inner));
    const narrowed = places.take(2 * capacity * Math.max(size, inner));
    const scales = places.take(4 * capacity);
    return { capacity, x, y, wide, narrowed, scales, end: places.end };
  }

  encode(forms: readonly string[]): Float32Array {
    const { last } = this;
    if (last && last.forms.length === forms.length && forms.every((form, i) => form === last.forms[i])) {
      return last.vectors;
    }
    const sentence = this.read([...forms]);
    this.run([sentence]);
    this.last = sentence;
    return sentence.vectors;
  }

  skim(forms: readonly string[]): Float32Array {
    const text = this.read(forms, true);
    this.run([text]);
    return text.vectors;
  }

  /** The vectors of sentences, the same as one by one; several short ones are computed together, which is faster. */
  encodeAll(sentences: readonly (readonly string[])[]): Float32Array[] {
    const read = sentences.map((forms) => this.read(forms));
    for (let from = 0, to = 0, rows = 0; from < read.length; from = to, rows = 0) {
      do for (const { pieces } of [read[to++]!]) for (const { length } of pieces) rows += length;
      while (to < read.length && rows < BATCH_ROWS);
      this.run(read.slice(from, to));
    }
    return read.map(({ vectors }) => vectors);
  }

  private read(forms: readonly string[], skims = false): Sentence {
    const { pieces: settings, window, mixed, size } = this.data.header;
    const room = skims ? Math.min(window, SKIMMED) - 2 : window - 2;
    const most = Math.min(MOST_PIECES, room);
    const pieces = forms.map((form) => {
      const found = this.pieces.of(form);
      if (found.length === 0) return [settings.unknown];
      return found.length > most ? found.slice(0, most) : found;
    });
    const windows = windowsOver(
      pieces.map(({ length }) => length),
      room,
      skims ? Math.min(SKIMMED_TWICE, room / 2) : undefined,
    );
    const taken = skims ? 1 : mixed;
    return { forms, pieces, windows, taken, vectors: new Float32Array(forms.length * taken * size) };
  }

  /** Computes the vectors of sentences, window by window where they are long. */
  private run(sentences: readonly Sentence[]): void {
    // A long sentence has several windows, which are computed one after the other: memory stays bounded.
    let parts: { sentence: Sentence; window: Window; row: number; count: number }[] = [];
    let rows = 0;
    for (const sentence of sentences) {
      for (const window of sentence.windows) {
        let count = 2;
        for (let word = window.first; word < window.end; word++) count += sentence.pieces[word]!.length;
        if (rows > 0 && rows + count > 2 * BATCH_ROWS) {
          this.compute(parts, rows);
          parts = [];
          rows = 0;
        }
        parts.push({ sentence, window, row: rows, count });
        rows += count;
      }
    }
    if (rows > 0) this.compute(parts, rows);
  }

  private compute(
    parts: readonly { sentence: Sentence; window: Window; row: number; count: number }[],
    rows: number,
  ): void {
    const { header } = this.data;
    const { size, heads, inner, layers, mixed, epsilon, pieces: settings } = header;
    // Filled up to four, so that the kernel has no rows left over.
    const filled = padded(rows, 4);
    if (filled > this.rows.capacity) {
      this.rows = this.placeRows(padded(2 * filled, 4));
      grow(this.memory, this.rows.end);
      this.floats = new Float32Array(this.memory.buffer);
    }
    const { kernel } = this;
    const { x, y, wide } = this.rows;
    for (const { sentence, window, row, count } of parts) {
      this.embed(settings.begin, 0, row);
      let k = 1;
      for (let word = window.first; word < window.end; word++) {
        for (const piece of sentence.pieces[word]!) this.embed(piece, k, row + k++);
      }
      this.embed(settings.end, count - 1, row + count - 1);
    }
    this.floats.fill(0, x / 4 + rows * size, x / 4 + filled * size);
    kernel.normalize(x, 0, 0, this.norm, filled, size, epsilon);
    const factor = Math.fround(1 / Math.sqrt(size / heads));
    this.floats.fill(0, y / 4 + rows * size, y / 4 + filled * size);
    // Of what is skimmed only the first of the layers is needed whose vectors are given.
    const first = layers - mixed;
    const { taken } = parts[0]!.sentence;
    this.layers.slice(0, first + taken).forEach((layer, l) => {
      this.multiply(x, filled, size, layer.attention, wide);
      kernel.addBias(wide, layer.attentionBias, rows, 3 * size);
      for (const { row, count } of parts) {
        const [from, to] = [wide + 12 * row * size, y + 4 * row * size];
        kernel.attend(from, count, size, size / heads, factor, to, this.keys, this.scores);
      }
      this.multiply(y, filled, size, layer.attended, wide);
      kernel.normalize(x, wide, layer.attendedBias, layer.attendedNorm, filled, size, epsilon);
      this.multiply(x, filled, size, layer.inner, wide);
      kernel.gelu(wide, layer.innerBias, filled, inner);
      this.multiply(wide, filled, inner, layer.outer, y);
      kernel.normalize(x, y, layer.outerBias, layer.outerNorm, filled, size, epsilon);
      const place = l - first;
      if (place >= 0) for (const part of parts) this.take(part.sentence, part.window, part.row, place);
    });
  }

  /** The vector of a piece at a position becomes a row. */
  private embed(piece: number, position: number, row: number): void {
    const { floats } = this;
    const { floats: scales, integers } = this.data.numbers;
    const { pieces, positions } = this.tables;
    const { size } = this.data.header;
    const to = this.rows.x / 4 + row * size;
    const [a, b] = [pieces.integers + piece * size, positions.integers + position * size];
    const [s, t] = [scales[pieces.floats + piece]!, scales[positions.floats + position]!];
    for (let j = 0; j < size; j++) floats[to + j] = integers[a + j]! * s + integers[b + j]! * t;
  }

  private multiply(from: number, rows: number, size: number, place: MatrixPlace, out: number): void {
    const { narrowed, scales } = this.rows;
    const { at, scales: columnScales, pairs, columns, level } = place;
    this.products.quantize(from, rows, size, level, narrowed, scales);
    this.products.multiply(narrowed, scales, rows, pairs, at, columnScales, columns, out, 4 * columns);
  }

  /** The means of the pieces of words become the words' vectors of a layer. */
  private take({ pieces, taken, vectors }: Sentence, { first, from, to }: Window, row: number, layer: number): void {
    const { floats } = this;
    const { size } = this.data.header;
    let at = this.rows.x / 4 + (row + 1) * size;
    for (let word = first; word < to; word++) {
      const count = pieces[word]!.length;
      if (word >= from) {
        const out = (word * taken + layer) * size;
        for (let j = 0; j < size; j++) {
          let sum = 0;
          for (let k = 0; k < count; k++) sum += floats[at + k * size + j]!;
          vectors[out + j] = sum / count;
        }
      }
      at += count * size;
    }
  }
}
