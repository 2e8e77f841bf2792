import { check, STRING, shown } from "../checks/options.js";
import { OBJECT } from "../checks/shapes.js";
import type { PipelineModel } from "../pipeline/pipeline-model.js";
import type { Program } from "../storage/part.js";
import { assemble, type Headers, systemOf } from "./assemble.js";
import { type Fail, SectionReader, sectionsOf } from "./sections.js";

/** The version of the format. */
export const MODEL_FORMAT_VERSION = 1;

/** A file that is not a model, or not a whole one, with the reason. */
export class ModelFileError extends Error {
  /**
   * @param source the name of the file
   * @param reason why it is no model
   */
  constructor(source: string, reason: string) {
    super(`${source}: ${reason}`);
    this.name = "ModelFileError";
  }
}

/** A model file whose header is read, and nothing else yet. */
export interface OpenedModel {
  /** The names of the programs that it needs. */
  readonly needs: readonly string[];
  /** The name of its transition system, if it has one. */
  readonly system: unknown;
  read(programs: readonly Program[]): PipelineModel;
}

export function openModel(bytes: Uint8Array, source = "model"): OpenedModel {
  if (!ArrayBuffer.isView(bytes)) throw new TypeError(`invalid model: ${shown(bytes)} (expected a Uint8Array)`);
  check("source of the model", source, STRING);
  const fail: Fail = (reason) => {
    throw new ModelFileError(source, reason);
  };
  const file = sectionsOf(bytes, fail);
  if (file.version !== MODEL_FORMAT_VERSION) {
    fail(`format version ${file.version}, but this program reads version ${MODEL_FORMAT_VERSION}`);
  }
  const [first, ...sections] = file.sections;
  const { needs, ...headers } = readHeader(new SectionReader(first ? [first] : [], fail).take("header"), fail);
  if (!Array.isArray(needs) || !needs.every((name) => typeof name === "string" && /^[a-z-]{1,40}$/.test(name))) {
    return fail("invalid header: needs (expected names of programs)");
  }
  const read = (programs: readonly Program[]) =>
    readParts(headers, needs, programs, new SectionReader(sections, fail), fail);
  return { needs, system: systemOf(headers), read };
}

function readParts(
  headers: Headers,
  needs: readonly string[],
  programs: readonly Program[],
  sections: SectionReader,
  fail: Fail,
): PipelineModel {
  const needed = programs.filter(({ name }) => needs.includes(name));
  try {
    const model = assemble(headers, needed, (part, store) => {
      const bytes = store.sections.map((section) => sections.take(`${part}'s ${section}`));
      return store.unpack(bytes, (section) => fail(`invalid section of the ${part}'s ${section}`));
    });
    sections.end();
    return model;
  } catch (error) {
    // That there is no memory for it is no fault of the file.
    if (error instanceof ModelFileError || /could not allocate|allocation failed/i.test((error as Error).message))
      throw error;
    return fail(`invalid header: ${(error as Error).message}`);
  }
}

function readHeader(bytes: Uint8Array, fail: Fail): Record<string, unknown> {
  let header: unknown;
  try {
    header = JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch (error) {
    fail(`invalid header: ${(error as Error).message}`);
  }
  if (!OBJECT.accepts(header)) fail("invalid header: not an object");
  return header as Record<string, unknown>;
}
