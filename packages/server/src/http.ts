// Shared with other servers of this project; not for others.
export { type Coding, codingFor } from "./http/headers.js";
export { checkHeaders, checkHost } from "./http/host-check.js";
export { Problem } from "./http/problem.js";
