import type { Program } from "../storage/part.js";
import { jointRolesCodec } from "./joint/joint-model.js";
import { rolesCodec } from "./roles-model.js";

/** The program of models that find semantic roles. */
export const roles: Program = { name: "roles", codecs: [rolesCodec, jointRolesCodec] };

// The name by which `load` knows all programs.
export { roles as program };
