import { isConfidence } from "../search/confidence/confidence.js";
import { SCHEMES } from "../treebank/pseudo-projective.js";
import { GRAPH, type GraphHeader } from "./graph-header.js";
import { GraphModel } from "./graph-model.js";
import { provideGraphs } from "./graphs.js";
import { graphView } from "./scoring/graph-view.js";
import { DECODERS } from "./search/graph-decoder.js";

function checkHeader(value: unknown): GraphHeader {
  const header = value as GraphHeader;
  const { system, decoder, order, singleRoot, projectivized, confidence } = header;
  const check = (name: keyof GraphHeader, valid: boolean, expected: string) => {
    if (!valid) throw new RangeError(`${name}: ${JSON.stringify(header[name]) ?? "nothing"} (expected ${expected})`);
  };
  check("system", system === GRAPH, GRAPH);
  check("decoder", DECODERS.includes(decoder), `one of ${DECODERS.join(", ")}`);
  check("order", order === 1 || (order === 2 && decoder === "eisner" && !header.network), "1, or with eisner 2");
  check("singleRoot", singleRoot === undefined || typeof singleRoot === "boolean", "true or false");
  check("projectivized", projectivized === undefined || SCHEMES.includes(projectivized), SCHEMES.join(", "));
  check("confidence", confidence === undefined || isConfidence(confidence), "offset, low, high and temperature");
  check("beam", header.beam === undefined, "none");
  return header;
}

provideGraphs({
  checkHeader,
  viewOf: graphView,
  create: (header, weights) => new GraphModel(header, weights),
});

// From here, so that whoever imports it has the program as well.
export { GraphModel };
