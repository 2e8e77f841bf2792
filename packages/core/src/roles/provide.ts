import type { ParserModel } from "../parser/parser.js";
import { JointLabeller } from "./joint-parser.js";
import { RoleLabeller } from "./role-labeller.js";
import { provideRoles } from "./roles-model.js";

provideRoles((roles, model, search) =>
  model.header.roles
    ? new JointLabeller(roles, model as ParserModel, search)
    : new RoleLabeller(roles, model.createParser(search)),
);

export { RoleLabeller };
