import { check, FUNCTION, STRING, wholeNumber } from "../checks/options.js";
import { wordKey } from "../scoring/network/inputs.js";

/** Pre-trained vectors of words. */
export interface WordVectors {
  /** Numbers in a vector. */
  readonly dim: number;
  /** Keys of the words, ascending, and their vectors in that order. */
  readonly keys: Uint32Array;
  /** The vectors one after the other. */
  readonly values: Float32Array;
}

/** An error in a file of vectors, with its line. */
export class VectorError extends Error {}

/** The most numbers that a vector may have. */
const MOST_DIM = 1024;
/**
 * Vectors are scaled so that their numbers have this size in the mean of squares: about that of embeddings that were
 * learned.
 */
const SIZE = 0.3;

/**
 * Takes in vectors in the text format of word2vec, line by line: a word and its numbers, with spaces between them; a
 * first line with the number of words and of numbers may be missing. Of words with the same key (capitals and digits do
 * not count) the first counts, as files have frequent words first.
 */
export class VectorReader {
  /** Numbers in a vector, once a line is read. */
  dim = 0;
  private line = 0;
  private readonly numbers: number[] = [];
  private readonly places = new Map<number, number>();

  /**
   * `isWanted` says of a word's key whether it is needed, which the words of the training data are; of the others the
   * first `most` are taken. `source` is the name of the file for errors.
   * @param source the name of the file, for errors
   * @param most how many words are taken that nobody asked for
   * @param isWanted whether the word with this key is needed
   */
  constructor(
    private readonly source: string,
    private readonly most: number,
    private readonly isWanted: (key: number) => boolean = () => false,
  ) {
    check("name of the vectors", source, STRING);
    check("number of vectors", most, wholeNumber(0));
    check("isWanted", isWanted, FUNCTION);
  }

  /** Words that were taken though nobody asked for them. */
  private others = 0;

  /**
   * Takes the next line.
   * @param text the next line
   */
  push(text: string): void {
    check("line of vectors", text, STRING);
    this.line++;
    const line = text.trimEnd();
    if (line === "") return;
    const space = line.indexOf(" ");
    if (this.line === 1 && /^\d+ \d+$/.test(line)) {
      this.setDim(Number(line.slice(space + 1)));
      return;
    }
    const key = wordKey(line.slice(0, Math.max(0, space)));
    if (this.places.has(key)) return;
    const wanted = this.isWanted(key);
    if (!wanted && this.others >= this.most) return;
    const numbers = line
      .slice(space + 1)
      .split(/\s+/)
      .map(Number);
    if (this.dim === 0) this.setDim(numbers.length);
    const bad = numbers.findIndex((number) => !Number.isFinite(number));
    if (space < 1 || bad >= 0)
      this.fail(`invalid number: ${line.slice(0, 60)}`, "a word, then numbers, separated by spaces");
    if (numbers.length !== this.dim) this.fail(`${numbers.length} numbers`, `${this.dim}, as in the lines before`);
    if (!wanted) this.others++;
    this.places.set(key, this.numbers.length);
    for (const number of numbers) this.numbers.push(number);
  }

  private setDim(dim: number): void {
    if (!(dim >= 1 && dim <= MOST_DIM)) this.fail(`${dim} numbers`, `1 to ${MOST_DIM}`);
    this.dim = dim;
  }

  private fail(what: string, expected: string): never {
    throw new VectorError(`${this.source}:${this.line}: ${what} (expected ${expected})`);
  }

  /** All that was taken in. Numbers are filled up with zeros to a multiple of 8 for each word. */
  end(): WordVectors {
    const { places, numbers, dim } = this;
    if (places.size === 0) this.fail("no vectors", "a word and its numbers on each line");
    const keys = Uint32Array.from(places.keys(), (key) => key >>> 0).sort();
    const wide = 8 * Math.ceil(dim / 8);
    const values = new Float32Array(keys.length * wide);
    let squares = 0;
    for (const number of numbers) squares += number * number;
    const scale = SIZE / (Math.sqrt(squares / numbers.length) || 1);
    keys.forEach((key, row) => {
      const place = places.get(key | 0)!;
      for (let j = 0; j < dim; j++) values[row * wide + j] = numbers[place + j]! * scale;
    });
    return { dim: wide, keys, values };
  }
}
