// What other servers of this project share with this one; not for others.
export { type Coding, codingFor } from "./http/headers.js";
export { checkHost, checkHostHeader } from "./http/host-check.js";
export { Problem } from "./http/problem.js";
