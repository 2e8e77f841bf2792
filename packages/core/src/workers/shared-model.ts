import { check, wholeNumber } from "../checks/options.js";
import { holding } from "../checks/shapes.js";
import type { EncoderProbe } from "../encoder/probe-data.js";
import { type GraphHeader, isGraph } from "../graph/graph-header.js";
import { graphProgram } from "../graph/graphs.js";
import { ParserModel } from "../parser/parser.js";
import { LemmatizerModel } from "../pipeline/lemmatizer/lemmatizer.js";
import { PARTS, type PartName, PipelineModel, type PipelineParts } from "../pipeline/pipeline-model.js";
import { SegmenterModel } from "../pipeline/segmenter/segmenter.js";
import { TaggerModel } from "../pipeline/tagger/tagger-model.js";
import { RolesModel } from "../roles/roles-model.js";
import { LinearModel } from "../scoring/linear/linear-model.js";
import type { NetworkData } from "../scoring/network/network-data.js";
import { NeuralModel } from "../scoring/network/neural-model.js";

/** The weights of a part of a model, in memory that threads share. */
export type SharedWeights = ReturnType<LinearModel["shared"]> | { network: NetworkData };

/** The headers of a model's parts, and their weights in memory that threads share. */
export type SharedModel = Partial<
  Record<PartName, { header: unknown; probe?: EncoderProbe | undefined } & SharedWeights>
>;

/** Copies the weights of a model, once, to memory that can be given to so many workers. */
export function shareModel(model: PipelineModel, threads: number): SharedModel {
  check("model", model, holding("a PipelineModel", "parser", "origin"));
  check("threads", threads, wholeNumber(1));
  const parts: SharedModel = {};
  const network = "network" in model.parser ? model.parser.network?.shared() : undefined;
  for (const name of PARTS) {
    const part = model[name];
    if (!part) continue;
    // One encoder for all: that of the network.
    const probe = "probe" in part && part.probe ? { ...part.probe, encoder: network!.encoder! } : undefined;
    parts[name] = {
      header: part.header,
      ...(probe ? { probe } : {}),
      ...(name === "parser" && network ? { network } : part.linear.shared(threads)),
    };
  }
  return parts;
}

const CLASSES = {
  ...{ segmenter: SegmenterModel, tagger: TaggerModel, lemmatizer: LemmatizerModel },
  ...{ parser: ParserModel, roles: RolesModel },
};

/**
 * The model in a worker; no weights are copied but the matrices of a network, which every thread needs in a layout of
 * its own.
 */
export function attachModel(model: SharedModel, thread: number): PipelineModel {
  const parts: Partial<PipelineParts> = {};
  for (const name of PARTS) {
    const part = model[name];
    if (!part) continue;
    const weights =
      "network" in part ? new NeuralModel(part.network) : new LinearModel(part.memory, part.layout, thread);
    parts[name] = (
      isGraph(part.header as object)
        ? graphProgram().create(part.header as GraphHeader, weights)
        : new CLASSES[name](part.header as never, weights as never, part.probe as never)
    ) as never;
  }
  return new PipelineModel(parts as PipelineParts);
}
