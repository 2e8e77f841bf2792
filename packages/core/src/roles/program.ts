import type { Program } from "../storage/part.js";
import { jointRolesCodec } from "./joint/joint-model.js";
import { rolesCodec } from "./roles-model.js";

/** What models that find semantic roles need. */
export const roles: Program = { name: "roles", codecs: [rolesCodec, jointRolesCodec] };
