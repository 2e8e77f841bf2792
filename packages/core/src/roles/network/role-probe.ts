import {
  checker,
  checkProbe,
  isCount,
  type ProbeHeader,
  type StoredProbe,
  tensor,
} from "../../encoder/probe/probe-data.js";
import type { ContextualVectors } from "../../scoring/network/network-data.js";
import { type Storage, storageFor } from "../../scoring/network/quantization.js";
import { type RolesHeader, roleClasses } from "../roles-header.js";

/** The size of the network of semantic roles, which is stored as a probe is. Its classes are those of transitions. */
export interface RoleProbeHeader extends ProbeHeader {
  /** Rows of the table of paths. */
  paths: number;
  senses: number;
  /** The factor of its scores, so that they can be added to those of the linear model. */
  unit: number;
}

/** The network of a labeller: on contextual vectors of words or, without them, the recurrent layers of the parser. */
export interface RoleProbe extends StoredProbe<RoleProbeHeader> {
  readonly contextual?: ContextualVectors | undefined;
}

/** The tensors of the network of semantic roles: see role-network.ts. */
export function roleProbeStorage({ inputs, hidden, classes, paths, senses }: RoleProbeHeader): Storage {
  return storageFor([
    tensor("stack", hidden, inputs, "table"),
    tensor("front", hidden, inputs, "table"),
    tensor("word", hidden, inputs, "table"),
    tensor("inputs", 2, inputs, "plain"),
    tensor("biases", 2, hidden, "plain"),
    tensor("paths", paths, hidden, "table"),
    tensor("moves", classes, hidden, "table"),
    tensor("senses", senses + 1, hidden, "table"),
  ]);
}

const MOST_PATHS = 1 << 16;

/** Checks the header of such a network with so many inputs; throws a RangeError that names what is wrong. */
export function checkRoleProbe(name: string, header: RoleProbeHeader, inputs: number, roles: RolesHeader): void {
  checkProbe(name, header, inputs);
  const check = checker(name, header);
  check("classes", header.classes === roleClasses(roles), `${roleClasses(roles)}, as there are transitions`);
  const senses = new Set(Object.values(roles.lemmas).flat()).size;
  check("senses", header.senses === senses, `${senses}, as there are among the lemmas`);
  check("paths", isCount(header.paths, MOST_PATHS), `a whole number from 1 to ${MOST_PATHS}`);
  check("unit", Number.isFinite(header.unit) && header.unit > 0, "a number above 0");
}
