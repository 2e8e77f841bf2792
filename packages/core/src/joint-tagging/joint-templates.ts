import type { TemplateSet } from "../features/templates.js";
import type { MoveContext } from "../systems/system.js";

const MORPHOLOGY = `b0.rivals s0.feats; b0.rivals s0.case; b0.rivals s0.lemma; b0.rivals s0.feats s0.label
b0.rivals b0p.feats; b0.rivals b1.feats; b0.rivals b1.case; b0.rivals b1.lemma; b0.rivals s0.case b1.case
`;

/**
 * The feature templates that joint tagging adds: what competes for the word at the front of the buffer (`rivals`), with
 * what is known around it. They say nothing about a word with one candidate.
 *
 * @param more what a system adds to them
 * @param morphology whether whole analyses compete: what words around agree in or govern matters as well
 */
export function jointTemplates(context?: MoveContext, more = "", morphology = false): string {
  const templates = `
# joint tagging
b0.rivals; b0.rivals b0.form; b0.rivals b0.suffix3; b0.rivals b0.feats
b0.rivals s0.tag; b0.rivals s0.form; b0.rivals s1.tag; b0.rivals s0.tag s1.tag; b0.rivals s0.label
b0.rivals b1.tag; b0.rivals b1.form; b0.rivals b1.tag b1n.tag; b0.rivals s0.tag b1.tag
b0.rivals s0.tag s0.lset; b0.rivals s0.tag s0.rset; b0.rivals s1.tag s1.rset; b0.rivals b0p.tag; b0.rivals b0p.form
${morphology ? MORPHOLOGY : ""}${more}`;
  return renamed(templates, context);
}

/**
 * The additions of joint tagging to the view of a network: the analyses of the words on top of the stack, as they were
 * chosen. The vectors of words come from layers that have seen the tagger's choices, before anything was parsed.
 */
export function jointView(context?: MoveContext): string {
  return renamed("\n# joint tagging\ns0.analysis; s1.analysis\n", context);
}

function renamed(templates: string, context: MoveContext | undefined): string {
  return context ? templates.replace(/[sb]\d/g, (position) => context.rename(position)!) : templates;
}

/** Where the templates of joint tagging begin: all from there on look at what competes for a word. */
export function firstTagTemplate({ templates, atoms }: TemplateSet): number {
  let first = templates.length;
  while (first > 0 && templates[first - 1]!.some((atom) => isRivals(atoms[atom]!))) first--;
  return first;
}

function isRivals(atom: TemplateSet["atoms"][number]): boolean {
  return atom.kind === "word" && atom.attribute === "rivals";
}
