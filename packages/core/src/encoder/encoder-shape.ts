import { holding } from "../checks/shapes.js";
import { type Storage, storageFor, type TensorForm } from "../scoring/network/quantization.js";
import type { EncoderHeader } from "./encoder-data.js";

/** The result of readEncoder. */
export const ENCODER_DATA = holding("an encoder: readEncoder gives one", "header", "vocabulary", "numbers");

/** All tensors of an encoder in the order of the model file: matrices have a row for each input. */
export function encoderStorage({ size, inner, layers, window }: EncoderHeader, vocabulary: number): Storage {
  const tensors = [
    tensor("pieces", vocabulary, size, "table"),
    // With the vector of the first of two sentences added: there is never a second.
    tensor("positions", window, size, "table"),
    tensor("norm", 2, size, "plain"),
  ];
  for (let layer = 0; layer < layers; layer++) {
    tensors.push(
      tensor(`attention ${layer}`, size, 3 * size, "matrix"),
      tensor(`attention bias ${layer}`, 1, 3 * size, "plain"),
      tensor(`attended ${layer}`, size, size, "matrix"),
      tensor(`attended bias ${layer}`, 1, size, "plain"),
      tensor(`attended norm ${layer}`, 2, size, "plain"),
      tensor(`inner ${layer}`, size, inner, "matrix"),
      tensor(`inner bias ${layer}`, 1, inner, "plain"),
      tensor(`outer ${layer}`, inner, size, "matrix"),
      tensor(`outer bias ${layer}`, 1, size, "plain"),
      tensor(`outer norm ${layer}`, 2, size, "plain"),
    );
  }
  return storageFor(tensors);
}

function tensor(name: string, rows: number, columns: number, form: TensorForm) {
  return { name, rows, columns, form };
}

const MOST_LAYERS = 48;
const MOST_UNITS = 4096;
const MOST_INNER = 16384;
const MOST_WINDOW = 8192;
const FEWEST_POSITIONS = 8;
/** Rows and heads are multiples of this, so that they fill the registers of the kernel. */
const UNITS = 16;

const MOST_PIECES = 1 << 22;

/** Checks the header of an encoder with so many pieces; throws a RangeError that names what is wrong. */
export function checkEncoder(header: EncoderHeader, vocabulary: number): void {
  const check = (name: string, value: unknown, valid: boolean, expected: string) => {
    if (!valid) throw new RangeError(`encoder.${name}: ${JSON.stringify(value) ?? "nothing"} (expected ${expected})`);
  };
  if (typeof header !== "object" || header === null) throw new RangeError("encoder: not an object");
  const { size, heads, inner, layers, mixed, window, epsilon, pieces } = header;
  const count = (name: string, value: unknown, from: number, to: number) =>
    check(name, value, isCount(value, from, to), `a whole number from ${from} to ${to}`);
  const units = (name: string, value: unknown, to: number) =>
    check(
      name,
      value,
      isCount(value, UNITS, to) && (value as number) % UNITS === 0,
      `a multiple of ${UNITS} up to ${to}`,
    );
  count("vocabulary", vocabulary, 1, MOST_PIECES);
  units("size", size, MOST_UNITS);
  count("heads", heads, 1, size);
  check("heads", heads, size % (heads * UNITS) === 0, `such that ${size} / heads is a multiple of ${UNITS}`);
  units("inner", inner, MOST_INNER);
  count("layers", layers, 1, MOST_LAYERS);
  count("mixed", mixed, 1, layers);
  count("window", window, FEWEST_POSITIONS, MOST_WINDOW);
  check("epsilon", epsilon, typeof epsilon === "number" && epsilon > 0 && epsilon < 1, "a number from 0 to 1");
  if (typeof pieces !== "object" || pieces === null) throw new RangeError("encoder.pieces: not an object");
  for (const name of ["cleanText", "chineseCharacters", "stripAccents", "lowercase"] as const)
    check(`pieces.${name}`, pieces[name], typeof pieces[name] === "boolean", "true or false");
  check("pieces.prefix", pieces.prefix, typeof pieces.prefix === "string", "text");
  count("pieces.longest", pieces.longest, 1, 1 << 16);
  const isPiece = (value: unknown) => isCount(value, 0, vocabulary - 1);
  for (const name of ["unknown", "begin", "end"] as const)
    check(`pieces.${name}`, pieces[name], isPiece(pieces[name]), `the number of a piece below ${vocabulary}`);
  check(
    "pieces.special",
    pieces.special,
    Array.isArray(pieces.special) && pieces.special.every(isPiece),
    `numbers of pieces below ${vocabulary}`,
  );
}

function isCount(value: unknown, from: number, to: number): boolean {
  return Number.isInteger(value) && (value as number) >= from && (value as number) <= to;
}
