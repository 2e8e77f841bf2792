import { RoleLabeller } from "./role-labeller.js";
import { provideRoles } from "./roles-model.js";

provideRoles((model) => new RoleLabeller(model));

export { RoleLabeller };
