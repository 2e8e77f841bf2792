import { record } from "../../checks/header-fields.js";
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

function classesOf({ labels }: AttachmentHeader): number {
  return FIRST_LABEL + labels.length;
}

/** The header, checked; throws a RangeError that names the field. */
function checkHeader(value: unknown): AttachmentHeader {
  const { labels } = record(value, "attachment");
  const isLabel = (label: unknown) => typeof label === "string" && /^\S+$/.test(label);
  if (Array.isArray(labels) && labels.length > 0 && labels.every(isLabel) && new Set(labels).size === labels.length)
    return { labels };
  throw new RangeError("attachment.labels (expected a list of distinct labels)");
}
