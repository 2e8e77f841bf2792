// All requests of the page to its worker, with their answers: plain data, so that it can be copied between threads.

import type { DrawablePredicate, SentenceJSON } from "@stemma/core";
import type {
  BeamTrace,
  Cause,
  CauseRequest,
  Derivation,
  DerivationGraph,
  DeriveRequest,
  LostRequest,
  Outcome,
  Reached,
  RoleDerivation,
  SystemChoice,
  TwoReadings,
  Why,
  WhyRequest,
} from "./derivation.js";
import type { ErrorFilter } from "./error-filter.js";
import type { ModelInfo, ParseResult, Tree } from "./sentence.js";
import type {
  CompletedColumn,
  Differing,
  EvaluationResult,
  Marks,
  OtherTree,
  Rewritten,
  TreebankFound,
  TreebankQuery,
  TreebankRow,
  TreebankSummary,
  TreeSource,
} from "./treebank.js";

/** Requests by name: `ask` is sent to the worker, `answer` comes back. */
export interface Requests {
  loadModel: { ask: { name: string; bytes: ArrayBuffer }; answer: ModelInfo };
  parse: { ask: { text: string }; answer: ParseResult };
  derive: { ask: DeriveRequest; answer: Derivation };
  /** The sentence of a lesson, for which no model is needed. */
  prepare: { ask: { text: string }; answer: ParseResult };
  /** The same sentence derived in several ways. */
  outcomes: { ask: DeriveRequest[]; answer: Outcome[] };
  /** The same for a lesson, which is open beside branches: neither takes the other's place. */
  lessonOutcomes: { ask: DeriveRequest[]; answer: Outcome[] };
  /** The static oracles of a system and of the semantic half, with two stacks. */
  roles: {
    ask: { system: SystemChoice; target: Tree; predicates: readonly DrawablePredicate[] };
    answer: RoleDerivation;
  };
  /** For each transition, the words whose gold arcs it loses. */
  lost: { ask: LostRequest; answer: (number[] | undefined)[] };
  why: { ask: WhyRequest; answer: Why };
  /** The transition of the model after which a word could no longer get its right arc. */
  cause: { ask: CauseRequest; answer: Cause };
  /** Of the model, or of what stands in its place. */
  beam: {
    ask: { sentence: SentenceJSON; target: Tree | undefined; width: number; readings: TwoReadings | undefined };
    answer: BeamTrace;
  };
  graph: { ask: { system: SystemChoice; target: Tree }; answer: DerivationGraph };
  /** Only the trees that the systems reach with their oracles, for comparisons. */
  reach: {
    ask: { systems: SystemChoice[]; target: Tree };
    answer: Reached[];
  };
  openTreebank: { ask: { file: File }; answer: TreebankSummary };
  searchTreebank: { ask: TreebankQuery; answer: TreebankFound };
  rows: { ask: { indices: number[]; pattern: string; errors: ErrorFilter | undefined }; answer: TreebankRow[] };
  /** The words of a sentence that have errors of a kind in the last evaluation. */
  errorWords: { ask: { index: number; errors: ErrorFilter }; answer: number[] };
  /** CoNLL-U as the file has it, byte by byte, whatever was made of it. */
  sentence: { ask: { index: number }; answer: string };
  loadOtherModel: { ask: { name: string; bytes: ArrayBuffer }; answer: ModelInfo };
  openOtherFile: { ask: { file: File }; answer: { key: string; name: string } };
  otherTrees: {
    /** `retag`: the tags are a model's, so that the other one finds its own. */
    ask: { sentence: SentenceJSON; retag: boolean; sources: ("other-model" | "other-file")[] };
    answer: OtherTree[];
  };
  differences: { ask: { pair: [TreeSource, TreeSource] }; answer: Differing };
  /** Texts of sentences in the place of those of the file, undefined for what the file has. Never dropped. */
  edit: { ask: { key: string; edits: [index: number, text: string | undefined][] }; answer: true };
  /** Parses all sentences, in the background, to know how sure the model is of each. */
  rank: { ask: Record<string, never>; answer: true };
  /** The words of a sentence that a pattern fits. */
  highlight: { ask: { sentence: SentenceJSON; pattern: string }; answer: number[] };
  /** Actions one in a line: set a.upos=AUX. */
  rewrite: { ask: { pattern: string; actions: string }; answer: Rewritten };
  /** Values of a column in the treebank, those first that go with the word. */
  completions: { ask: { column: CompletedColumn; form: string; upos: string }; answer: string[] };
  /** The model's tree of a sentence in which some words keep the arcs that they have. */
  reparse: { ask: { sentence: SentenceJSON; fixed: number[] }; answer: Tree };
  /** The whole file with what was changed, and the key of its content. */
  write: { ask: { marks: Marks[] }; answer: { file: Blob; key: string } };
  /** Has further workers started, which an evaluation will want. */
  startHelpers: { ask: Record<string, never>; answer: true };
  /** The same sentences with the model's trees; as CoNLL-U, since JSON of whole treebanks takes long. Never dropped. */
  parseBatch: { ask: { conllu: string; retag: boolean }; answer: string };
  /** `second`: compares with the second model. */
  evaluate: { ask: { retag: boolean; second: boolean }; answer: EvaluationResult };
  /** Ends what was asked for under a name; its answer is then undefined. */
  cancel: { ask: { name: RequestName }; answer: true };
}

export type RequestName = keyof Requests;

export type ToWorker = { [N in RequestName]: { id: number; name: N; ask: Requests[N]["ask"] } }[RequestName];

export type FromWorker =
  | { id: number; kind: "answer"; answer: unknown }
  | { id: number; kind: "error"; message: string }
  /** A newer request of the same name took its place. */
  | { id: number; kind: "superseded" }
  /** From 0 to 1. */
  | { id: number; kind: "progress"; done: number };
