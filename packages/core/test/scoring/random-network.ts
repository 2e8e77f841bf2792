import { parseTemplates } from "../../src/features/templates.js";
import { Random } from "../../src/math/random.js";
import { classesOf, type ModelHeader } from "../../src/parser/model-header.js";
import { ParserModel } from "../../src/parser/parser.js";
import { describeSystem } from "../../src/registry/systems.js";
import { type InputKind, inputKeys, MOST_KEYS } from "../../src/scoring/network/inputs.js";
import type { TrainedNetwork } from "../../src/scoring/network/network-data.js";
import { neuralModel } from "../../src/scoring/network/neural-model.js";
import { type NetworkHeader, networkView, tensorsOf } from "../../src/scoring/network/shape.js";
import { readTreebank } from "../../src/treebank/formats/reader.js";
import { TAGGED } from "../toy-model.js";

export const STACK_VIEW = "s0.vector; s1.vector; b0.vector; s0l.vector; s0l.label; s0.rval; dist(s0,b0)";
export const SPINES_VIEW = "s1.vector; s2.vector; q1.vector; gp.vector; s1l.label; dist(s1,s2)";

export interface RandomNetwork {
  kinds?: InputKind[];
  dim?: number;
  layers?: number;
  width?: number;
  hidden?: number;
  seed?: number;
  /** How large the weights before the scores are: 1 as a rule. */
  size?: number;
  /** How many labels there are. */
  labels?: number;
  activation?: "cube";
}

export interface RandomParser {
  model: ParserModel;
  trained: TrainedNetwork;
}

/** A parser with a network of random numbers whose tables have every second key of TAGGED. */
export function randomNetwork(shape: RandomNetwork = {}, changes: Partial<ModelHeader> = {}): RandomParser {
  const { kinds = ["word", "upos", "feats", "affixes"], dim = 5, layers = 1, width = 8, hidden = 16 } = shape;
  const { seed = 1, size = 1, labels = 5 } = shape;
  const random = new Random(seed);
  const keys = kinds.map((kind) => {
    const found = new Set<number>();
    const out = new Int32Array(MOST_KEYS);
    for (const sentence of readTreebank(TAGGED)) {
      for (let i = 1; i <= sentence.length; i++) {
        const count = inputKeys(kind, sentence, i, out);
        for (let k = 0; k < count; k++) found.add(out[k]! >>> 0);
      }
    }
    return Uint32Array.from([...found].filter((_, k) => k % 2 === 0)).sort();
  });
  const network: NetworkHeader = {
    inputs: kinds.map((kind, k) => ({ kind, dim: dim + k, rows: 2 + keys[k]!.length })),
    layers,
    width,
    hidden,
    ...(shape.activation ? { activation: shape.activation } : {}),
  };
  const header: ModelHeader = {
    system: "arc-hybrid",
    root: "last",
    templates: changes.system === "lr-spines" ? SPINES_VIEW : STACK_VIEW,
    labels: ["root", ...Array.from({ length: labels - 1 }, (_, k) => `label${k}`)],
    leftLabels: Array.from({ length: labels - 1 }, (_, k) => k),
    rightLabels: Array.from({ length: labels - 1 }, (_, k) => k + 1),
    origin: { data: "made up", licence: "none" },
    ...changes,
    network,
  };
  const templates = parseTemplates(header.templates, "templates", describeSystem(header.system).context);
  const view = networkView(templates, header.labels.length);
  const classes = classesOf(header).size;
  const tensors = tensorsOf(network, view, classes).map(({ name, rows, columns }) => {
    const most =
      (/^(layer|positions|output)/.test(name) ? 2 / Math.sqrt(rows) : 1) *
      (name === "output" ? size : 1) *
      (shape.activation ? 0.4 : 1);
    return Float32Array.from({ length: rows * columns }, () => most * (2 * random.next() - 1));
  });
  const trained = { header: network, keys, tensors };
  return { model: new ParserModel(header, neuralModel(trained, view, classes)), trained };
}
