import { shownField } from "../checks/header-fields.js";
import { parserCodec } from "../parser/parser.js";
import { lemmatizerCodec } from "../pipeline/lemmatizer/lemmatizer.js";
import { PipelineModel } from "../pipeline/pipeline-model.js";
import { segmenterCodec } from "../pipeline/segmenter/segmenter-model.js";
import { taggerCodec } from "../pipeline/tagger/tagger-model.js";
import type { Codec, Part, Parts, Program } from "../storage/part.js";
import type { AnyStore } from "../storage/store.js";

const OWN: readonly Codec[] = [segmenterCodec, taggerCodec, lemmatizerCodec, parserCodec];

/** The headers of the parts of a model, each before those that are made of it. */
export type Headers = Readonly<Record<string, unknown>>;

/** The name of the transition system of a model, if it has one. */
export function systemOf(headers: Headers): unknown {
  return Object(headers.parser).system;
}

/** The model of headers, whose stores get their values from `unpacked`; throws a RangeError if they are not of one. */
export function assemble(
  headers: Headers,
  programs: readonly Program[],
  unpacked: (part: string, store: AnyStore) => unknown,
): PipelineModel {
  const parts: Record<string, Part> = Object.create(null);
  for (const [name, stored] of Object.entries(headers)) {
    const { program, ...header } = Object(stored) as { program?: unknown };
    const codec = codecOf(name, program, programs);
    const { stores, make } = codec.open(stored === null ? null : header, parts as Parts);
    parts[name] = make(...(stores.map((store) => unpacked(name, store)) as never[]));
  }
  return PipelineModel.of(parts);
}

/** The codec of a part: of a program, or without one the pipeline's own. Throws a RangeError if it has none. */
export function codecOf(name: string, program: unknown, programs: readonly Program[]): Codec {
  const codecs = program === undefined ? OWN : programs.find((known) => known.name === program)?.codecs;
  if (codecs === undefined)
    throw new RangeError(`${name}.program: ${shownField(program)} (expected one that is needed)`);
  const codec = codecs.find(({ part }) => part === name);
  if (codec) return codec;
  throw new RangeError(`${shownField(name)} (expected ${codecs.map(({ part }) => part).join(", ")})`);
}
