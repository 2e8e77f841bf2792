import { littleEndian, readFloats, wrongPart } from "../network/quantization.js";
import type { EncoderData, EncoderHeader } from "./encoder-data.js";
import { checkEncoder, encoderStorage } from "./encoder-shape.js";

/**
 * The sections of an encoder in a model file. Vocabulary: the pieces in UTF-8, a line each. Scales and weights: as of a
 * network.
 */
export function packEncoder({ vocabulary, numbers }: EncoderData): Uint8Array[] {
  const { floats, integers } = numbers;
  return [
    new TextEncoder().encode(vocabulary.join("\n")),
    littleEndian(floats),
    new Uint8Array(integers.buffer, integers.byteOffset, integers.length),
  ];
}

/** The encoder in its sections; refuses what no writer writes. No more is ever allocated than the file is long. */
export function unpackEncoder(
  header: EncoderHeader,
  [pieces, scales, weights]: readonly [Uint8Array, Uint8Array, Uint8Array],
  fail: (reason: string) => never,
): EncoderData {
  const bad = (name: string): never => fail(`invalid section of the encoder's ${name}`);
  let vocabulary: string[] = [];
  try {
    vocabulary = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(pieces).split("\n");
  } catch {
    bad("vocabulary");
  }
  try {
    checkEncoder(header, vocabulary.length);
  } catch (error) {
    fail(`invalid header: ${(error as Error).message}`);
  }
  const storage = encoderStorage(header, vocabulary.length);
  if (scales.length !== 4 * storage.floats) bad("scales");
  if (weights.length !== storage.integers) bad("weights");
  const integers = new Int8Array(weights.length);
  integers.set(new Int8Array(weights.buffer, weights.byteOffset, weights.length));
  const numbers = { floats: readFloats(scales), integers };
  const wrong = wrongPart(numbers);
  if (wrong) bad(wrong);
  return { header, vocabulary, numbers };
}
