import { parentPort, workerData } from "node:worker_threads";
import { attachModel, load, type SharedModel } from "@stemma/core";
import { Annotator } from "../annotation/annotator.js";
import { emptyResult, type PieceResult } from "../annotation/piece.js";
import { sharedServed } from "./models.js";
import { READY, type ServerPiece } from "./server-piece.js";

/** The data of a thread that loads a model for others, and ends. */
export interface LoaderStart {
  load: { name: string; source: string; threads: number };
}

/** The data that a worker is started with. */
export interface WorkerStart {
  models: SharedModel[];
  thread: number;
  /** The worker counts here the pieces that it has begun, so that one that ends it can be told from the others. */
  begun: Int32Array;
}

/** Milliseconds. */
const WARM_UP = 200;
/** Results that are there for so long (ms) do not wait for those of other requests in the same message. */
const MESSAGE_TIME = 2;

let annotators: Annotator[];
if ("load" in workerData) await loadModel(workerData as LoaderStart);
else await work(workerData as WorkerStart);

async function loadModel({ load: { name, source, threads } }: LoaderStart): Promise<void> {
  parentPort!.postMessage(sharedServed({ name, model: (await load(source)).model }, threads));
}

async function work({ models, thread, begun }: WorkerStart): Promise<void> {
  annotators = await Promise.all(models.map(async (model) => new Annotator(await attachModel(model, thread))));
  warmUp();
  parentPort!.postMessage(READY);
  parentPort!.on("message", (pieces: ServerPiece[]) => {
    let results: PieceResult[] = [];
    let begunAt = performance.now();
    pieces.forEach((piece, i) => {
      Atomics.add(begun, 0, 1);
      results.push(run(piece));
      const now = performance.now();
      if (i + 1 < pieces.length && now - begunAt < MESSAGE_TIME) return;
      parentPort!.postMessage(results);
      results = [];
      begunAt = now;
    });
  });
}

function run(piece: ServerPiece): PieceResult {
  try {
    return annotators[piece.model]!.run(piece);
  } catch (error) {
    return { ...emptyResult(), problems: [{ kind: "failure", message: String((error as Error).message) }] };
  }
}

/** The first requests should not wait for the compiler. */
function warmUp(): void {
  const end = performance.now() + WARM_UP;
  const sentences = [["Nobody", "said", "that", "the", "first", "one", "is", "slow", "."]];
  for (let i = 0; i < 200 && performance.now() < end; i++) {
    const model = i % annotators.length;
    const options = { to: i & 1 ? "json" : "conllu", maxSentence: 1000 } as const;
    run({ model, input: { kind: "tokens", sentences }, options });
    const text = "Nobody said that it isn't slow. Yes, it is!";
    run({ model, input: { kind: "text", from: "text", text, offset: 0, continues: false }, options });
  }
}
