import { load, type Pipeline, readTreebank } from "@stemma/core";
import type { FromWorker, ModelInfo, RequestName, Requests, ToWorker } from "./protocol.js";
import { beamTrace } from "./worker/beam-trace.js";
import { derivationGraph } from "./worker/derivation-graph.js";
import { derive, outcome, reach } from "./worker/derive.js";
import { differingSentences, OtherSide } from "./worker/other-side.js";
import { parse } from "./worker/parse.js";
import { type Task, TreebankFile } from "./worker/treebank.js";
import { why } from "./worker/why.js";

let pipeline: Pipeline | undefined;
let treebank: TreebankFile | undefined;
const other = new OtherSide();

/** The newest request of each name; an older one that waits or works gives way to it. */
const newest = new Map<RequestName, number>();
/** Requests that are worked on and for which somebody waits. An evaluation stands aside for them. */
let urgent = 0;

type Handlers = {
  [N in RequestName]: (
    ask: Requests[N]["ask"],
    task: Task,
  ) => Requests[N]["answer"] | undefined | Promise<Requests[N]["answer"] | undefined>;
};

const handlers: Handlers = {
  async loadModel({ name, bytes }) {
    const { byteLength } = bytes;
    pipeline = await load(bytes);
    return modelInfo(pipeline, name, byteLength);
  },
  parse: ({ text }) => parse(text, pipeline),
  prepare: ({ text }) => parse(text, pipeline),
  outcomes: (ask) => ask.map((one) => outcome(derive(one, pipeline?.parser))),
  why: (ask) => why(ask, pipeline?.parser),
  beam({ words, target, width }) {
    if (!pipeline) throw new Error("there is no model, so there is nothing to score derivations");
    return beamTrace(words, pipeline.parser, target, width);
  },
  graph: ({ words, system, target }) => derivationGraph(words.forms.length - 1, system, target),
  derive: (ask) => derive(ask, pipeline?.parser),
  reach: ({ words, systems, target }) => systems.map((system) => reach(words, system, target)),
  async openTreebank({ file }, task) {
    const found = await openTreebank(file, task);
    if (!found) return undefined;
    treebank = found.treebank;
    return found.summary;
  },
  searchTreebank: async (query, task) => ({ matches: await opened().search(query, task) }),
  rows: ({ indices }) => opened().rows(indices),
  sentence: ({ index }) => opened().text(index),
  async loadOtherModel({ name, bytes }) {
    const { byteLength } = bytes;
    other.pipeline = await load(bytes);
    return modelInfo(other.pipeline, name, byteLength);
  },
  async openOtherFile({ file }, task) {
    const found = await openTreebank(file, task);
    if (!found) return undefined;
    await other.setFile(found.treebank, task);
    return { key: found.summary.key, name: found.summary.name };
  },
  otherTrees: ({ conllu, retag, sources }) =>
    Promise.all(
      sources.map((source) => other.treeOf(source, readTreebank(conllu, { allowNonTrees: true })[0]!, retag)),
    ),
  differences: ({ pair }, task) => differingSentences(opened(), pair, pipeline, other, task),
  evaluate({ retag }, task) {
    if (!pipeline) throw new Error("there is no model to evaluate");
    return opened().evaluate(pipeline, retag, task);
  },
  cancel({ name }) {
    newest.delete(name);
    return true;
  },
};

async function openTreebank(file: File, task: Task) {
  const found = await TreebankFile.open(file, task);
  if (found?.summary.sentences === 0) {
    const why = found.summary.errors[0] ?? "it has no sentences";
    throw new Error(`${file.name} cannot be read as CoNLL-U: ${why}`);
  }
  return found;
}

function opened(): TreebankFile {
  if (!treebank) throw new Error("no treebank is open");
  return treebank;
}

function modelInfo({ model }: Pipeline, name: string, bytes: number): ModelInfo {
  const { header } = model.parser;
  const parts = (["segmenter", "tagger", "lemmatizer", "parser"] as const).filter((part) => model[part]);
  const { system, root, degree, lazy, labels } = header;
  return { name, bytes, system, root, degree, lazy, parts, labels, readsText: model.segmenter !== undefined };
}

/** Does it take long, and stand aside for everything else? */
function isLong(name: RequestName): boolean {
  return name === "evaluate" || name === "differences";
}

const send = (message: FromWorker) => postMessage(message);

async function handle<N extends RequestName>(id: number, name: N, ask: Requests[N]["ask"]): Promise<void> {
  const isNewest = () => newest.get(name) === id;
  // Messages that already wait are delivered first, so that of several requests only the last is worked on.
  await pause();
  if (!isNewest()) return send({ id, kind: "superseded" });
  let told = performance.now();
  const task: Task = {
    async tick(done) {
      if (performance.now() - told > 50) {
        send({ id, kind: "progress", done });
        told = performance.now();
        await pause();
      }
      while (isLong(name) && urgent > 0 && isNewest()) await pause();
      return isNewest();
    },
  };
  if (!isLong(name)) urgent++;
  try {
    const answer = await (handlers[name] as Handlers[N])(ask, task);
    send(answer === undefined ? { id, kind: "superseded" } : { id, kind: "answer", answer });
  } catch (error) {
    send({ id, kind: "error", message: error instanceof Error ? error.message : String(error) });
  } finally {
    if (!isLong(name)) urgent--;
  }
}

/** Lets messages in. A message channel, because timers that follow each other are held back by browsers. */
function pause(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(undefined);
  });
}

addEventListener("message", ({ data }: MessageEvent<ToWorker>) => {
  newest.set(data.name, data.id);
  void handle(data.id, data.name, data.ask);
});
