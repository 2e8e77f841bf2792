import {
  LemmatizerModel,
  LinearModel,
  PARTS,
  ParserModel,
  type PartName,
  PipelineModel,
  type PipelineParts,
  SegmenterModel,
  TaggerModel,
} from "@stemma/core";

/** The headers of a model's parts, and their weights in memory that threads share. */
export type SharedModel = Partial<Record<PartName, { header: unknown } & ReturnType<LinearModel["shared"]>>>;

/** Copies the weights of a model, once, to memory that can be given to so many workers. */
export function shared(model: PipelineModel, threads: number): SharedModel {
  const parts: SharedModel = {};
  for (const name of PARTS) {
    const part = model[name];
    if (part) parts[name] = { header: part.header, ...part.linear.shared(threads) };
  }
  return parts;
}

const CLASSES = { segmenter: SegmenterModel, tagger: TaggerModel, lemmatizer: LemmatizerModel, parser: ParserModel };

/** The model in a worker; no weights are copied. */
export function attached(model: SharedModel, thread: number): PipelineModel {
  const parts: Partial<PipelineParts> = {};
  for (const name of PARTS) {
    const part = model[name];
    if (!part) continue;
    const linear = new LinearModel(part.memory, part.layout, thread);
    parts[name] = new CLASSES[name](part.header as never, linear) as never;
  }
  return new PipelineModel(parts as PipelineParts);
}
