import type { PipelineModel } from "../pipeline/pipeline-model.js";
import { JointRolesModel } from "./joint/joint-model.js";
import type { TrainedRoles } from "./role-labeller.js";
import { RolesModel } from "./roles-model.js";

/** The knowledge of a model of semantic roles, found in its trees or along with them; undefined if it finds none. */
export function rolesOf({ parser, steps }: PipelineModel): TrainedRoles | undefined {
  return parser instanceof JointRolesModel ? parser.roles : steps.find((part) => part instanceof RolesModel);
}
