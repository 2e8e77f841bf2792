import { type Block, BlockSplitter, type Format, type TreebankError, TreebankReader } from "@stemma/core/treebank";

/** Whole sentences that are next to each other in a file, or one that is too long to be read. */
export type Piece = { bytes: Uint8Array; line: number } | TreebankError;

/** Cuts a treebank between sentences, as its bytes come: what has come is never held back. */
export async function* readPieces(
  chunks: AsyncIterable<Uint8Array>,
  source: string,
  format: Format,
): AsyncGenerator<Piece, void, void> {
  const splitter = new BlockSplitter(format === "json");
  for await (const chunk of chunks) yield* pieces(splitter.push(chunk));
  const last = splitter.end();
  if (last) yield* pieces([last]);

  function* pieces(blocks: Block[]): Generator<Piece> {
    let from = 0;
    for (let i = 0; i <= blocks.length; i++) {
      if (i < blocks.length && !blocks[i]!.tooLong) continue;
      if (i > from) yield { bytes: joined(blocks, from, i), line: blocks[from]!.line };
      if (i < blocks.length) {
        yield new TreebankReader({ format, source }).readBlock(blocks[i]!) as TreebankError;
      }
      from = i + 1;
    }
  }
}

// Memory of its own, which can be given away to a worker.
function joined(blocks: Block[], from: number, to: number): Uint8Array {
  let length = 0;
  for (let i = from; i < to; i++) length += blocks[i]!.bytes.length;
  const bytes = new Uint8Array(length);
  let at = 0;
  for (let i = from; i < to; i++) {
    bytes.set(blocks[i]!.bytes, at);
    at += blocks[i]!.bytes.length;
  }
  return bytes;
}
