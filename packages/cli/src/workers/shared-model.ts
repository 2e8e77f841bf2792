import {
  LemmatizerModel,
  PARTS,
  ParserModel,
  type PartName,
  PipelineModel,
  type PipelineParts,
  SegmenterModel,
  TaggerModel,
} from "@stemma/core";
import { LinearModel, type NetworkData, NeuralModel } from "@stemma/core/training";

type SharedWeights = ReturnType<LinearModel["shared"]> | { network: NetworkData };

/** The headers of a model's parts, and their weights in memory that threads share. */
export type SharedModel = Partial<Record<PartName, { header: unknown } & SharedWeights>>;

/** Copies the weights of a model, once, to memory that can be given to so many workers. */
export function shared(model: PipelineModel, threads: number): SharedModel {
  const parts: SharedModel = {};
  for (const name of PARTS) {
    const part = model[name];
    if (!part) continue;
    const network = part instanceof ParserModel ? part.network : undefined;
    parts[name] = {
      header: part.header,
      ...(network ? { network: network.shared() } : part.linear.shared(threads)),
    };
  }
  return parts;
}

const CLASSES = { segmenter: SegmenterModel, tagger: TaggerModel, lemmatizer: LemmatizerModel, parser: ParserModel };

/** The model in a worker; no weights are copied but the matrices of a network, which every thread needs in a layout of its own. */
export function attached(model: SharedModel, thread: number): PipelineModel {
  const parts: Partial<PipelineParts> = {};
  for (const name of PARTS) {
    const part = model[name];
    if (!part) continue;
    const weights =
      "network" in part ? new NeuralModel(part.network) : new LinearModel(part.memory, part.layout, thread);
    parts[name] = new CLASSES[name](part.header as never, weights as never) as never;
  }
  return new PipelineModel(parts as PipelineParts);
}
