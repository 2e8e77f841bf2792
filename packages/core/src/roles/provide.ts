import type { ParserModel } from "../parser/parser.js";
import { JointLabeller } from "./joint-parser.js";
import { RoleLabeller } from "./role-labeller.js";
import { provideRoles } from "./roles-model.js";

provideRoles((roles, model, search) => {
  if (model.header.roles) return { parser: new JointLabeller(roles, model as ParserModel, search).parser, steps: [] };
  const parser = model.createParser(search);
  return { parser, steps: [new RoleLabeller(roles, parser)] };
});

export { RoleLabeller };
