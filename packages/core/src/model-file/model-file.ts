// The model file (docs/model-file.md): a header, which is JSON, and the sections of the parts that it describes.
import { check, checkOptions, STRING } from "../checks/options.js";
import { arrayOf, holding } from "../checks/shapes.js";
import type { TreeParserModel } from "../parser/tree-parser.js";
import { PipelineModel } from "../pipeline/pipeline-model.js";
import { addShippedSystems } from "../registry/systems.js";
import type { Program } from "../storage/part.js";
import { MODEL_FORMAT_VERSION, openModel } from "./open-model.js";
import { fileOf, needsOf, storedHeader } from "./writing.js";

export { MODEL_FORMAT_VERSION, ModelFileError, type OpenedModel, openModel } from "./open-model.js";

/**
 * The bytes of the file of a model: the same for the same model.
 * @param model a pipeline, or a parser alone
 */
export function writeModel(model: PipelineModel | TreeParserModel): Uint8Array {
  check(
    "model",
    model,
    holding("a PipelineModel or a ParserModel", "createParser" in Object(model) ? "header" : "parser"),
  );
  const { parts } = "createParser" in model ? new PipelineModel({ parser: model }) : model;
  const headers: Record<string, unknown> = { needs: needsOf(parts) };
  const sections: Uint8Array[] = [];
  for (const part of parts) {
    const { header, content } = part.codec.take(part as never);
    headers[part.codec.part] = storedHeader(part, header);
    for (const { store, value } of content) sections.push(...store.pack(value as never));
  }
  return fileOf(MODEL_FORMAT_VERSION, [new TextEncoder().encode(JSON.stringify(headers)), ...sections]);
}

/** Options of `readModel`. */
export interface ReadModelOptions {
  /** The name of the file, for errors. */
  source?: string | undefined;
  /** Programs that the model needs: `graph` of `@stemma/core/graph`, `encoder`, `roles`. */
  programs?: readonly Program[] | undefined;
}

/**
 * The model in the bytes of a file. Throws a ModelFileError that says what is wrong with the file.
 * @param bytes the bytes of the file
 * @param options the name for errors, and the programs that the model needs
 */
export function readModel(bytes: Uint8Array, options: ReadModelOptions = {}): PipelineModel {
  checkOptions("readModel", options, { source: STRING, programs: PROGRAMS });
  const { source, programs = [] } = options;
  // There is no waiting for the one that the model needs.
  addShippedSystems();
  const opened = openModel(bytes, source);
  checkPrograms(opened.needs, programs);
  return opened.read(programs);
}

/** Throws an Error that says what to import if a program is missing. */
function checkPrograms(needs: readonly string[], programs: readonly Program[]): void {
  const missing = needs.filter((name) => !programs.some((program) => program.name === name));
  if (missing.length === 0) return;
  const exported = (name: string) => name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
  const imports = missing.map((name) => `import { ${exported(name)} } from "@stemma/core/${name}"`).join("; ");
  throw new Error(
    `the model needs ${missing.join(" and ")}: use load(), or ${imports} and pass { programs: [${needs.map(exported).join(", ")}] }`,
  );
}

const PROGRAMS = arrayOf(
  "an array of programs, each imported from the entry of its name",
  holding("", "name", "codecs"),
);
