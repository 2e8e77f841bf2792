import { checker, isCount, type ProbeHeader, tensor } from "../encoder/probe-data.js";
import { type Storage, storageFor } from "../scoring/network/quantization.js";

/** The size of the network of semantic roles, which is stored as a probe is. Its classes are those of transitions. */
export interface RoleProbeHeader extends ProbeHeader {
  /** Rows of the table of paths. */
  paths: number;
  senses: number;
  /** What its scores are multiplied by, so that they can be added to those of the linear model. */
  unit: number;
}

/** The tensors of the network of semantic roles: see parser/roles/role-network.ts. */
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
const MOST_SENSES = 1 << 20;

/** Checks what the network of semantic roles has in its header besides. */
export function checkRoleProbe(name: string, header: RoleProbeHeader): void {
  const check = checker(name, header);
  check("paths", isCount(header.paths, MOST_PATHS), `a whole number from 1 to ${MOST_PATHS}`);
  check("senses", isCount(header.senses, MOST_SENSES), `a whole number from 1 to ${MOST_SENSES}`);
  check("unit", Number.isFinite(header.unit) && header.unit > 0, "a number above 0");
}
