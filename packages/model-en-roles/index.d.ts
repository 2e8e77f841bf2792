/**
 * The English model with semantic roles, for `load` of @stemma/core: its bytes in Node, Bun and Deno, its address where a bundler makes a
 * page.
 */
declare const model: Uint8Array | { readonly href: string };
export default model;
