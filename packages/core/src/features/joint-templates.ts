import type { MoveContext } from "../systems/system.js";

/**
 * The feature templates that joint tagging adds: what competes for the word at the front of the buffer (`rivals`), with
 * what is known around it. They say nothing about a word with one candidate.
 *
 * @param more what a system adds to them
 */
export function jointTemplates(context?: MoveContext, more = ""): string {
  const templates = `
# joint tagging
b0.rivals; b0.rivals b0.form; b0.rivals b0.suffix3; b0.rivals b0.feats
b0.rivals s0.tag; b0.rivals s0.form; b0.rivals s1.tag; b0.rivals s0.tag s1.tag; b0.rivals s0.label
b0.rivals b1.tag; b0.rivals b1.form; b0.rivals b1.tag b1n.tag; b0.rivals s0.tag b1.tag
b0.rivals s0.tag s0.lset; b0.rivals s0.tag s0.rset; b0.rivals s1.tag s1.rset; b0.rivals b0p.tag; b0.rivals b0p.form
${more}`;
  return context ? templates.replace(/[sb]\d/g, (position) => context.rename(position)!) : templates;
}
