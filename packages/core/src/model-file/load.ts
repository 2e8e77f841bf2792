import { checkOptions, type Expectation, nameOf, shown } from "../checks/options.js";
import type { Merging } from "../parser/merging.js";
import { Pipeline } from "../pipeline/pipeline.js";
import type { PipelineModel } from "../pipeline/pipeline-model.js";
import { checkPipelineOptions, PIPELINE_OPTIONS, type PipelineOptions } from "../pipeline/pipeline-options.js";
import { loadSystem } from "../registry/system-registry.js";
import type { Program } from "../storage/part.js";
import { ModelFileError, openModel } from "./open-model.js";

/** The sources that a model can be loaded from. */
export type ModelSource = ArrayBufferView | ArrayBufferLike | BlobLike | ResponseLike | URLLike | string;

/** A Blob or a File. */
export interface BlobLike {
  readonly size: number;
  arrayBuffer(): Promise<ArrayBuffer>;
}

/** A URL. */
export interface URLLike {
  readonly href: string;
}

/** The result of `fetch`. */
export interface ResponseLike {
  readonly ok: boolean;
  readonly status: number;
  readonly statusText: string;
  readonly url: string;
  arrayBuffer(): Promise<ArrayBuffer>;
}

/**
 * Loads a model, from its bytes in any form (a typed array, a DataView, an ArrayBuffer or SharedArrayBuffer, a Blob, a
 * Response) or from their location: a URL to fetch, and in Node, Deno and Bun also a `file:` URL or a path.
 *
 * @example
 * ```ts
 * import { load } from "@stemma/core";
 * import model from "@stemma/model-en";
 *
 * const parser = await load(model);
 * for (const sentence of parser.parse("The old mill wheel turns slowly.")) console.log(sentence.root.form);
 * ```
 *
 * @param source the bytes of a model, or where they are
 * @param options how the parser searches, if not as the model was trained to; tokens that are known
 */
export async function load(source: ModelSource, options: PipelineOptions = {}): Promise<Pipeline> {
  checkPipelineOptions(options);
  return new Pipeline(await loadModel(source), options);
}

/** Loads a model without making a pipeline of it; `called` is its name for errors. */
export async function loadModel(source: ModelSource, called?: string): Promise<PipelineModel> {
  const { bytes, name } = await readSource(source);
  const shownAs = called ?? name ?? "model";
  const opened = openModel(bytes, shownAs);
  const unknown = opened.needs.find((need) => !Object.hasOwn(PROGRAMS, need));
  if (unknown) {
    throw new ModelFileError(shownAs, `needs ${unknown} (this version has ${Object.keys(PROGRAMS).join(", ")})`);
  }
  const [programs] = await Promise.all([loadPrograms(opened.needs), loadSystem(opened.system)]);
  return opened.read(programs);
}

/** Programs that a model may need: only what one needs is ever loaded. */
const PROGRAMS: Readonly<Record<string, () => Promise<{ readonly program: Program }>>> = {
  combination: () => import("../combination/program.js"),
  disfluencies: () => import("../disfluencies/attachment/program.js"),
  enhanced: () => import("../enhanced/program.js"),
  encoder: () => import("../encoder/program.js"),
  graph: () => import("../graph/program.js"),
  "joint-tagging": () => import("../joint-tagging/program.js"),
  pointers: () => import("../pointers/program.js"),
  roles: () => import("../roles/program.js"),
  tags: () => import("../tags/program.js"),
};

/** Imports the programs with these names. */
export function loadPrograms(needs: readonly string[]): Promise<Program[]> {
  return Promise.all(needs.map(async (name) => (await PROGRAMS[name]!()).program));
}

/** How a parser searches, as plain data: a search of its own by its name. */
export interface NamedSearch extends Omit<PipelineOptions, "merge" | "afterTagging"> {
  merge?: boolean | string | undefined;
}

/** The import for a search of its own. */
const SEARCHES: Readonly<Record<string, () => Promise<{ merging: Merging }>>> = {
  exact: () => import("../exact/exact.js"),
  "stack-graph": () => import("../stack-graph/stack-graph.js"),
};

const NAMED: Expectation = {
  // Not before it is asked for: a page that only loads models then has no need of the list.
  get expected() {
    return `true, false or one of ${Object.keys(SEARCHES).join(", ")}`;
  },
  accepts: (value) => typeof value === "boolean" || (typeof value === "string" && Object.hasOwn(SEARCHES, value)),
};

/** A search to be sent to another thread, … */
export function namedSearch(options: PipelineOptions): NamedSearch {
  checkPipelineOptions(options);
  const { merge, afterTagging, ...search } = options;
  if (afterTagging) {
    throw new TypeError("invalid afterTagging of a parser in workers (functions cannot be sent to them: use load)");
  }
  return { ...search, merge: typeof merge === "object" ? merge.name : merge };
}

/** … where it is looked up again. */
export async function searchNamed(named: NamedSearch): Promise<PipelineOptions> {
  checkOptions("the parser", named ?? null, { ...PIPELINE_OPTIONS, merge: NAMED });
  const { merge, ...search } = named;
  return { ...search, merge: typeof merge === "string" ? (await SEARCHES[merge]!()).merging : merge };
}

const EXPECTED = "its bytes (typed array, buffer, Blob, Response), URL or path";

interface Source {
  readonly bytes: Uint8Array;
  /** Its name in errors. */
  readonly name?: string;
}

/**
 * The bytes of a source. Objects are recognized by what they can do, for they may come from another realm: a frame, a
 * worker, a test runner.
 */
async function readSource(source: unknown): Promise<Source> {
  if (typeof source === "string") return readAddress(source);
  if (typeof source !== "object" || source === null) {
    throw new TypeError(`invalid model: ${shown(source)} (expected ${EXPECTED})`);
  }
  if (ArrayBuffer.isView(source)) return { bytes: bytesOf(source.buffer, source.byteOffset, source.byteLength) };
  const kind = nameOf(source);
  if (kind === "ArrayBuffer" || kind === "SharedArrayBuffer") return { bytes: bytesOf(source as ArrayBuffer) };
  if (typeof (source as URLLike).href === "string") return readAddress((source as URLLike).href);
  if (typeof (source as BlobLike).arrayBuffer === "function") {
    const { ok, status, statusText, url } = source as ResponseLike;
    if (ok === false) throw notLoaded(url || "model", status, statusText);
    const bytes = new Uint8Array(await (source as BlobLike).arrayBuffer());
    return url ? { bytes, name: url } : { bytes };
  }
  throw new TypeError(`invalid model: ${kind} (expected ${EXPECTED})`);
}

function notLoaded(name: string, status: number, statusText: string): Error {
  return new Error(`${name}: cannot load the model: ${status} ${statusText}`);
}

/** Shared memory is copied: text cannot be decoded from it everywhere, and it may change. */
function bytesOf(buffer: ArrayBufferLike, offset?: number, length?: number): Uint8Array {
  const bytes = new Uint8Array(buffer, offset, length);
  return nameOf(buffer) === "SharedArrayBuffer" ? new Uint8Array(bytes) : bytes;
}

/** The part of Node's modules that is needed. */
interface Files {
  readFileSync(path: string | URL): Uint8Array;
}

/**
 * How files are read; undefined in a page. Asked of the process and not imported, so that bundlers find nothing to
 * bundle.
 */
function files(): Files | undefined {
  const { process } = globalThis as { process?: { getBuiltinModule?: (name: string) => unknown } };
  return process?.getBuiltinModule?.("node:fs") as Files | undefined;
}

async function readAddress(address: string): Promise<Source> {
  const scheme = /^([a-z][a-z0-9+.-]+):/i.exec(address)?.[1]?.toLowerCase();
  const fs = scheme === undefined || scheme === "file" ? files() : undefined;
  if (fs) return { bytes: fs.readFileSync(scheme === "file" ? new URL(address) : address), name: address };
  if (scheme === "file") {
    throw new TypeError(`invalid model: ${address} (files cannot be read here: pass its bytes, or a URL to fetch)`);
  }
  const response = await fetch(address);
  if (!response.ok) throw notLoaded(address, response.status, response.statusText);
  return { bytes: new Uint8Array(await response.arrayBuffer()), name: address };
}
