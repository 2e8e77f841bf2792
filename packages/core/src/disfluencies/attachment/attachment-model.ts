import { record, shownField } from "../../checks/header-fields.js";
import { wholeNumber } from "../../checks/options.js";
import type { LaterPart } from "../../parser/tree-parser.js";
import type { LinearModel } from "../../scoring/linear/linear-model.js";
import { linearWeights } from "../../scoring/linear/linear-weights.js";
import type { ContextualVectors } from "../../scoring/network/network-data.js";
import type { Codec } from "../../storage/part.js";
import { stored } from "../../storage/store.js";
import { Attacher, type AttachmentHeader, FIRST_LABEL } from "./attacher.js";

/** The knowledge of a model where removed words hang. */
export class AttachmentModel implements LaterPart {
  constructor(
    readonly header: AttachmentHeader,
    readonly linear: LinearModel,
  ) {}

  get codec(): Codec {
    return attachmentCodec;
  }

  get contextual(): ContextualVectors | undefined {
    return undefined;
  }

  createStep(): Attacher {
    return new Attacher(this.header, this.linear);
  }
}

export const attachmentCodec: Codec = {
  part: "attachment",
  program: "disfluencies",
  take({ header, linear }: AttachmentModel) {
    return { header, content: [stored(linearWeights(classesOf(header)), linear)] };
  },
  open(value) {
    const header = checkHeader(value);
    return {
      stores: [linearWeights(classesOf(header))],
      make: (linear: LinearModel) => new AttachmentModel(header, linear),
    };
  },
};

/** The ways in which words are removed, and 0. */
const WAY = wholeNumber(0, 3);

function classesOf({ labels }: AttachmentHeader): number {
  return FIRST_LABEL + Object.keys(labels).length;
}

/** The header, checked; throws a RangeError that names the field. */
function checkHeader(value: unknown): AttachmentHeader {
  const labels = record(record(value, "attachment").labels, "attachment.labels");
  for (const [label, way] of Object.entries(labels))
    if (!/^[^\s\d]\S*$/.test(label) || !WAY.accepts(way))
      throw new RangeError(`attachment.labels.${label}: ${shownField(way)} (expected ${WAY.expected})`);
  return { labels } as AttachmentHeader;
}
