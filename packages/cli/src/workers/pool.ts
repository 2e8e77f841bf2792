import type { ParserOptions, PipelineModel } from "@stemma/core";
import { namedSearch, shareModel } from "@stemma/core";
import { Annotator, type Piece, type PieceResult } from "@stemma/server/annotation";
import { scriptFile } from "../files/package-files.js";
import { WorkerPool } from "./worker-pool.js";

/** Annotates pieces, several at a time. */
export interface ParserPool {
  /** How many pieces are worth having under way at a time. */
  readonly capacity: number;
  /** The bytes of the piece may be taken away. */
  run(piece: Piece): Promise<PieceResult>;
  /** Ends at once: what is under way fails. */
  close(): Promise<void>;
}

/** A pool with so many threads, which start when there is work for them: 1 is the thread of the caller. */
export function openPool(model: PipelineModel, threads: number, search: ParserOptions = {}): ParserPool {
  if (threads === 1) return new OwnThread(model, search);
  // The workers share one copy of the weights.
  const sharedModel = shareModel(model, threads);
  const script = scriptFile("workers/parse-worker");
  const workerData = (thread: number) => ({ ...sharedModel, thread, search: namedSearch(search) });
  const bytesOf = ({ input }: Piece) => (input.kind === "treebank" ? input.bytes : undefined);
  return new WorkerPool<Piece, PieceResult>(script, threads, workerData, bytesOf);
}

class OwnThread implements ParserPool {
  readonly capacity = 1;
  private readonly annotator: Annotator;

  constructor(model: PipelineModel, search: ParserOptions) {
    this.annotator = new Annotator(model, search);
  }

  async run(piece: Piece): Promise<PieceResult> {
    return this.annotator.run(piece);
  }

  async close(): Promise<void> {}
}
