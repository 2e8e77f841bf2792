import type { Sentence } from "@stemma/core";
import type { Format } from "@stemma/core/treebank";
import { FileError, type ReadReport, readSentences, sourceName } from "../files/io.js";

export interface Selection {
  /** Only the n-th sentence of the file, from 1. */
  sentence?: number | undefined;
  /** Only the sentence with this sent_id. */
  id?: string | undefined;
}

/** A sentence with its position in the file, from 1; sentences that were skipped count. */
export interface Numbered {
  readonly number: number;
  readonly sentence: Sentence;
}

/** The chosen trees of a file; reads no further than the last of them. */
export async function* selectTrees(
  file: string,
  { sentence: wanted, id }: Selection,
  options: { format: Format; strict?: boolean | undefined; report: ReadReport },
): AsyncGenerator<Numbered, void, void> {
  const { report } = options;
  const position = () => report.read + report.skipped;
  for await (const sentence of readSentences(file, { ...options, requireTree: true })) {
    const number = position();
    if (wanted !== undefined && number > wanted) break;
    if (wanted === undefined ? id === undefined || sentence.id === id : number === wanted) yield { number, sentence };
    else continue;
    if (wanted !== undefined || id !== undefined) return;
  }
  if (id !== undefined) throw new FileError(`${sourceName(file)}: no sentence with sent_id ${JSON.stringify(id)}`);
  if (wanted === undefined) return;
  const problem = position() >= wanted ? "was skipped" : `does not exist: there are ${position()}`;
  throw new FileError(`${sourceName(file)}: sentence ${wanted} ${problem}`);
}
