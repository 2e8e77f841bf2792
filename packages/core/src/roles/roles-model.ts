import type { LaterPart, TreeParser, TreeParserModel } from "../parser/tree-parser.js";
import type { LinearModel } from "../scoring/linear/linear-model.js";
import { linearWeights } from "../scoring/linear/linear-weights.js";
import type { ContextualVectors } from "../scoring/network/network-data.js";
import { tensorNumbers } from "../scoring/network/network-numbers.js";
import type { QuantizedNumbers } from "../scoring/network/quantization.js";
import { encodedSize } from "../scoring/network/shape.js";
import type { Codec, Part } from "../storage/part.js";
import { stored } from "../storage/store.js";
import { checkRoleProbe, type RoleProbe, type RoleProbeHeader, roleProbeStorage } from "./network/role-probe.js";
import { RoleLabeller, type TrainedRoles } from "./role-labeller.js";
import { checkRolesHeader, type RolesHeader, roleClasses } from "./roles-header.js";

/** A trained labeller of semantic roles, which finds predicates and their arguments in parsed sentences. */
export class RolesModel implements TrainedRoles, LaterPart {
  constructor(
    readonly header: RolesHeader,
    readonly linear: LinearModel,
    readonly probe?: RoleProbe | undefined,
  ) {}

  get codec(): Codec {
    return rolesCodec;
  }

  get contextual(): ContextualVectors | undefined {
    return this.probe?.contextual;
  }

  createStep(parser: TreeParser): RoleLabeller {
    return new RoleLabeller(this, parser);
  }
}

export const rolesCodec: Codec = {
  part: "roles",
  program: "roles",
  take({ header, linear, probe }: RolesModel) {
    const content = [stored(linearWeights(roleClasses(header)), linear)];
    if (!probe) return { header, content };
    return {
      header: { ...header, probe: probe.header },
      content: [...content, stored(tensorNumbers(roleProbeStorage(probe.header)), probe.numbers)],
    };
  },
  open(value, { contextual, parser }) {
    const { probe, ...rest } = Object(value) as RolesHeader & { probe?: RoleProbeHeader };
    const header = checkRolesHeader(rest);
    const linear = linearWeights(roleClasses(header));
    if (probe === undefined)
      return { stores: [linear], make: (weights: LinearModel) => new RolesModel(header, weights) };
    const vectors = contextual as (Part & ContextualVectors) | undefined;
    const network = (parser as TreeParserModel | undefined)?.network;
    checkRoleProbe("roles.probe", probe, vectors?.size ?? (network ? encodedSize(network.header) : 0), header);
    return {
      stores: [linear, tensorNumbers(roleProbeStorage(probe))],
      make: (weights: LinearModel, numbers: QuantizedNumbers) =>
        new RolesModel(header, weights, { header: probe, numbers, contextual: vectors }),
    };
  },
};
