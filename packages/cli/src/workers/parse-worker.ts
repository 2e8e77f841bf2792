import { parentPort, workerData } from "node:worker_threads";
import { attachModel, type NamedSearch, type SharedModel, searchNamed } from "@stemma/core";
import { Annotator, type Piece, type PieceResult } from "@stemma/server/annotation";
import type { Answer } from "./worker-pool.js";

const { thread, search, ...model } = workerData as SharedModel & { thread: number; search: NamedSearch };
const annotator = new Annotator(await attachModel(model, thread), await searchNamed(search));

parentPort!.on("message", (piece: Piece) => {
  let answer: Answer<PieceResult>;
  try {
    answer = { result: annotator.run(piece) };
  } catch (error) {
    answer = { error: error as Error };
  }
  parentPort!.postMessage(answer);
});
