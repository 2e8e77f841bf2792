import { record, shownField } from "../checks/header-fields.js";
import type { LaterPart } from "../parser/tree-parser.js";
import type { ContextualVectors } from "../scoring/network/network-data.js";
import type { Codec } from "../storage/part.js";
import { stored } from "../storage/store.js";
import { textLines } from "../storage/text-lines.js";
import { type EnhancedHeader, Enhancer } from "./enhancer.js";
import { GAPS } from "./gaps.js";
import { MARKINGS, type Marking } from "./marked-labels.js";

/** The knowledge of a model of enhanced dependencies. */
export class EnhancedModel implements LaterPart {
  constructor(readonly header: EnhancedHeader) {}

  get codec(): Codec {
    return enhancedCodec;
  }

  get contextual(): ContextualVectors | undefined {
    return undefined;
  }

  createStep(): Enhancer {
    return new Enhancer(this.header);
  }
}

/** The weights in a file: a line for each, with its feature after a tab. */
const WEIGHTS = "enhanced weights";

export const enhancedCodec: Codec = {
  part: "enhanced",
  program: "enhanced",
  take({ header: { weights, ...rest } }: EnhancedModel) {
    const lines = Object.entries(weights).map(([feature, weight]) => `${weight}\t${feature}`);
    return { header: { ...rest, count: lines.length }, content: [stored(textLines(WEIGHTS, lines.length), lines)] };
  },
  open(value) {
    const { count, ...header } = checkHeader(value);
    return {
      stores: [textLines(WEIGHTS, count)],
      make: (lines: readonly string[]) => new EnhancedModel({ ...header, weights: weightsIn(lines) }),
    };
  },
};

function weightsIn(lines: readonly string[]): Record<string, number> {
  const weights: Record<string, number> = {};
  for (const line of lines) {
    const tab = line.indexOf("\t");
    const weight = Number(line.slice(0, tab));
    if (tab < 1 || !Number.isInteger(weight))
      throw new RangeError(`${WEIGHTS}: ${shownField(line)} (expected a whole number, a tab and a feature)`);
    weights[line.slice(tab + 1)] = weight;
  }
  return weights;
}

/** The header, checked; throws a RangeError that names the field. */
function checkHeader(value: unknown): Omit<EnhancedHeader, "weights"> & { count: number } {
  const header = record(value, "enhanced") as unknown as Omit<EnhancedHeader, "weights"> & { count: number };
  for (const [relation, marking] of Object.entries(record(header.markings, "enhanced.markings"))) {
    if (!MARKINGS.includes(marking as Marking))
      throw new RangeError(
        `enhanced.markings.${relation}: ${shownField(marking)} (expected one of ${MARKINGS.join(", ")})`,
      );
  }
  for (const [way, label] of Object.entries(record(header.labels, "enhanced.labels"))) {
    if (typeof label !== "string" || !/^[^\s|]+$/.test(label))
      throw new RangeError(`enhanced.labels.${way}: ${shownField(label)} (expected a label)`);
  }
  if (typeof header.pronounsStay !== "boolean")
    throw new RangeError(`enhanced.pronounsStay: ${shownField(header.pronounsStay)} (expected true or false)`);
  if (header.gaps !== undefined && !GAPS.includes(header.gaps))
    throw new RangeError(`enhanced.gaps: ${shownField(header.gaps)} (expected one of ${GAPS.join(", ")})`);
  if (!Number.isSafeInteger(header.count) || header.count < 1)
    throw new RangeError(`enhanced.count: ${shownField(header.count)} (expected a whole number from 1)`);
  return header;
}
