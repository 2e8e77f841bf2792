/** The Chinese model, for `load` of @stemma/core: its bytes in Node, its address in a page. */
declare const model: Uint8Array | { readonly href: string };
export default model;
