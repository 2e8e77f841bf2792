import { VectorError, VectorReader, type Words, type WordVectors, wordKey } from "@stemma/core/training";
import { FileError, readTextLines } from "../files/io.js";

/**
 * Reads pre-trained vectors (text format of word2vec, may be gzipped): those of the words of the training data, and of
 * the others the first `most`, by which parsers know words that the training data lacks.
 */
export async function readVectors(path: string, sentences: Iterable<Words>, most: number): Promise<WordVectors> {
  const wanted = new Set<number>();
  for (const words of sentences) for (let i = 1; i <= words.length; i++) wanted.add(wordKey(words.form(i)));
  const reader = new VectorReader(path, most, (key) => wanted.has(key));
  try {
    for await (const line of readTextLines(path)) reader.push(line);
    return reader.end();
  } catch (error) {
    if (error instanceof VectorError) throw new FileError(error.message);
    throw error;
  }
}
