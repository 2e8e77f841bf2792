import type { ParserModel } from "../parser.js";
import { JointLabeller } from "./joint-parser.js";
import { RoleLabeller } from "./role-labeller.js";
import { provideRoles } from "./roles-model.js";

provideRoles((roles, parser, search) =>
  parser.header.roles ? new JointLabeller(roles, parser as ParserModel, search) : new RoleLabeller(roles),
);

export { RoleLabeller };
