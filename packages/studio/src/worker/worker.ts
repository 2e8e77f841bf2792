import { load, PARTS, Parser, ParserModel, type Pipeline, Sentence } from "@stemma/core";
import type { DeriveRequest, Outcome } from "../protocol/derivation.js";
import type { FromWorker, RequestName, Requests, ToWorker } from "../protocol/requests.js";
import type { ModelInfo } from "../protocol/sentence.js";
import { findsRoles, parse } from "./parsing/parse.js";
import type { Helpers, SentModel } from "./tasks/helpers.js";
import { pause } from "./tasks/pause.js";
import type { Task } from "./tasks/task.js";
import type { OtherSide } from "./treebank/other-side.js";
import type { TreebankFile } from "./treebank/treebank-file.js";

// All that the first tree does not need is fetched on demand: it would hold up the model on a slow line.
const derivations = () => import("./derivation/derive.js");
const treebanks = () => import("./treebank/treebank-file.js");
const comparisons = () => import("./treebank/other-side.js");
const evaluations = () => import("./treebank/evaluate.js");

let pipeline: Pipeline | undefined;
/** The model as it came, for helpers. */
let sent: SentModel | undefined;
let helpers: Helpers | undefined;
let treebank: TreebankFile | undefined;
let other: OtherSide | undefined;

/** The newest request of each name; an older one that waits or works gives way to it. */
const newest = new Map<RequestName, number>();
/** Requests that are worked on and for which somebody waits. What is patient stands aside for them. */
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
    const loaded = await loadNamed(name, bytes);
    pipeline = loaded;
    sent = { name, bytes };
    helpers?.close();
    return modelInfo(loaded, name, byteLength);
  },
  parse: ({ text }) => parse(text, pipeline),
  prepare: ({ text }) => parse(text, undefined),
  outcomes: outcomesOf,
  lessonOutcomes: outcomesOf,
  roles: async (ask) => (await import("./derivation/role-derivation.js")).roleDerivation(ask),
  lost: async (ask) => (await import("./derivation/lost-arcs.js")).lostArcs(ask),
  async cause(ask) {
    const { cause } = await import("./reasons/cause.js");
    return cause(ask, neededTransitionParser());
  },
  why: async (ask) => (await import("./reasons/why.js")).why(ask, transitionParser()),
  async beam({ sentence, target, width, readings }) {
    const { beamTrace, searchTrace } = await import("./beam/beam-trace.js");
    if (readings && target) {
      const { twoReadings } = await import("./beam/two-readings.js");
      return searchTrace(target.heads.length - 1, () => twoReadings(readings, target), target, width);
    }
    return beamTrace(sentence, neededTransitionParser(), target, width);
  },
  async graph({ system, target }) {
    const { derivationGraph } = await import("./derivation/derivation-graph.js");
    return derivationGraph(system, target);
  },
  derive: async (ask) => (await derivations()).derive(ask, parserFor(ask)),
  async reach({ systems, target }) {
    const { reach } = await import("./derivation/reach.js");
    return systems.map((system) => reach(system, target));
  },
  async openTreebank({ file }, task) {
    const found = await openTreebank(file, task);
    if (!found) return undefined;
    treebank = found.treebank;
    return found.summary;
  },
  searchTreebank: (query, task) => opened().search(query, task),
  rows: (ask) => opened().rows(ask),
  errorWords: (ask) => opened().errorWords(ask),
  sentence: ({ index }) => opened().originalText(index),
  edit: () => true,
  rank: (_, task) => opened().rank(neededPipeline(), task),
  highlight: async (ask) => (await import("./treebank/pattern-search.js")).highlight(ask),
  rewrite: async (ask, task) => (await import("./treebank/rewrite.js")).rewrite(ask, opened(), task),
  completions: (ask, task) => opened().completions(ask, task),
  reparse: async (ask) => (await import("./parsing/reparse.js")).reparse(ask, neededPipeline()),
  write: ({ marks }) => opened().write(marks),
  async loadOtherModel({ name, bytes }) {
    const { byteLength } = bytes;
    const loaded = await loadNamed(name, bytes);
    (await otherSide()).model = { pipeline: loaded, sent: { name, bytes } };
    return modelInfo(loaded, name, byteLength);
  },
  async openOtherFile({ file }, task) {
    const found = await openTreebank(file, task);
    if (!found) return undefined;
    await (await otherSide()).setFile(found.treebank, task);
    return { key: found.summary.key, name: found.summary.name };
  },
  async otherTrees({ sentence, retag, sources }) {
    const side = await otherSide();
    return Promise.all(
      sources.map((source) => side.treeOf(source, Sentence.from(sentence, { allowNonTrees: true }), retag)),
    );
  },
  async differences({ pair }, task) {
    const { differingSentences } = await comparisons();
    return differingSentences(opened(), pair, pipeline, await otherSide(), task);
  },
  async startHelpers(): Promise<true> {
    if (sent) await started(sent);
    return true;
  },
  async parseBatch({ conllu, retag }) {
    const { parseBatch } = await evaluations();
    return parseBatch(neededPipeline(), conllu, retag).map(String).join("");
  },
  async evaluate({ retag, second }, task) {
    const { evaluate } = await evaluations();
    const { Helpers } = await import("./tasks/helpers.js");
    const model = { name: sent!.name, pipeline: neededPipeline(), helpers: await started(sent!) };
    const compared = second ? (await otherSide()).model : undefined;
    if (!compared) return evaluate(opened(), [model], retag, task);
    const { pipeline, sent: own } = compared;
    // Its helpers go when it is done: they take as much memory as those of the first model.
    const others = new Helpers();
    others.start(own);
    try {
      return await evaluate(opened(), [model, { name: own.name, pipeline, helpers: others }], retag, task);
    } finally {
      others.close();
    }
  },
  cancel({ name }) {
    newest.delete(name);
    return true;
  },
};

async function outcomesOf(requests: readonly DeriveRequest[]): Promise<Outcome[]> {
  const { derive, outcome } = await derivations();
  return requests.map((one) => outcome(derive(one, parserFor(one))));
}

/** Errors name the file: there may be two of them. */
async function loadNamed(name: string, bytes: ArrayBuffer): Promise<Pipeline> {
  try {
    return await load(bytes);
  } catch (error) {
    throw new Error((error as Error).message.replace(/^model:/, `${name}:`));
  }
}

/** The helpers, with the model. */
async function started(model: SentModel): Promise<Helpers> {
  const { Helpers } = await import("./tasks/helpers.js");
  helpers ??= new Helpers();
  if (sent === model) helpers.start(model);
  return helpers;
}

async function otherSide(): Promise<OtherSide> {
  const { OtherSide } = await comparisons();
  other ??= new OtherSide();
  return other;
}

async function openTreebank(given: File, task: Task) {
  const { TreebankFile } = await treebanks();
  const { converted } = await import("./treebank/conll09.js");
  const conversion = await converted(given, task);
  const { file } = conversion ?? { file: given };
  const found = await TreebankFile.open(file, task);
  if (found && conversion) found.summary.converted = conversion.leftOut;
  if (found && found.summary.sentences === found.summary.unreadable.length) {
    const why = found.summary.errors[0] ?? "it has no sentences";
    throw new Error(`${file.name} cannot be read as CoNLL-U: ${why}`);
  }
  return found;
}

function opened(): TreebankFile {
  if (!treebank) throw new Error("no treebank is open");
  return treebank;
}

/** The parser of the model, if it goes by transitions of the tree alone: only then has it scores for them. */
function transitionParser(): Parser | undefined {
  const parser = pipeline?.parser;
  return parser instanceof Parser && !parser.model.limits.steps ? parser : undefined;
}

function neededTransitionParser(): Parser {
  if (!pipeline) throw new Error("there is no model, so there is nothing to score derivations");
  const parser = transitionParser();
  if (!parser) throw new Error(pipeline.model.refusal("steps"));
  return parser;
}

function parserFor({ withoutModel }: DeriveRequest): Parser | undefined {
  return withoutModel ? undefined : transitionParser();
}

function neededPipeline(): Pipeline {
  if (!pipeline) throw new Error("there is no model; open a model file");
  return pipeline;
}

function modelInfo(pipeline: Pipeline, name: string, bytes: number): ModelInfo {
  const { model } = pipeline;
  const parts = [...PARTS.filter((part) => model[part]), ...(findsRoles(pipeline) ? ["roles" as const] : [])];
  const { parser } = model;
  const noDerivation = model.refusal("steps", "This model");
  const info = { name, bytes, parts, labels: parser.header.labels, noDerivation };
  if (!(parser instanceof ParserModel)) {
    const { labels: _, ...description } = parser.description;
    const words = Object.entries(description).map(([name, value]) =>
      typeof value === "string" ? value : `${name} ${value}`,
    );
    return { ...info, kind: words.join(", "), transitions: undefined };
  }
  const { header } = parser;
  const { system, root } = header;
  const kind = `${system}, root ${root}`;
  if (parser.codec.program === "roles")
    return { ...info, kind: `trees and roles together, ${kind}`, transitions: undefined };
  return { ...info, kind, transitions: { system, root, settings: header.systemSettings ?? {} } };
}

/** Long work for which nobody waits stands aside for the rest. */
function isPatient(name: RequestName): boolean {
  return name === "evaluate" || name === "rank" || name === "differences" || name === "rewrite";
}

const send = (message: FromWorker) => postMessage(message);

async function handle<N extends RequestName>(id: number, name: N, ask: Requests[N]["ask"]): Promise<void> {
  const isNewest = () => name === "parseBatch" || newest.get(name) === id;
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
      while (isPatient(name) && urgent > 0 && isNewest()) await pause();
      return isNewest();
    },
  };
  if (!isPatient(name)) urgent++;
  try {
    const answer = await (handlers[name] as Handlers[N])(ask, task);
    send(answer === undefined ? { id, kind: "superseded" } : { id, kind: "answer", answer });
  } catch (error) {
    send({ id, kind: "error", message: error instanceof Error ? error.message : String(error) });
  } finally {
    if (!isPatient(name)) urgent--;
  }
}

addEventListener("message", ({ data }: MessageEvent<ToWorker>) => {
  newest.set(data.name, data.id);
  // At once, so that what is asked next knows of it, and none gives way to another.
  if (data.name === "edit") treebank?.edit(data.ask.key, data.ask.edits);
  void handle(data.id, data.name, data.ask);
});
