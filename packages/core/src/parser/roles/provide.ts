import { RoleLabeller } from "./role-labeller.js";
import { provideRoles } from "./roles-model.js";

provideRoles((model, parser) => new RoleLabeller(model, parser));

export { RoleLabeller };
