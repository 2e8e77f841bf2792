import { PatternError } from "../language/pattern-error.js";
import type { EditAction } from "./tree-editor.js";

/** The names that actions have as options of `stemma edit` and as lines in Studio. */
export const EDIT_ACTIONS = ["set", "attach", "delete", "delete-subtree", "comment"] as const;

/** An action as it is written: a.upos=AUX for set, p=n for attach, a word, or a comment. Throws a PatternError. */
export function editAction(name: (typeof EDIT_ACTIONS)[number], text: string): EditAction {
  if (name === "set") {
    const equals = text.indexOf("=");
    if (equals < 1) throw new PatternError("Expected an attribute, = and a value, such as subject.deprel=nsubj.");
    return { set: text.slice(0, equals), to: text.slice(equals + 1) };
  }
  if (name === "attach") {
    const [word, head, ...more] = text.split("=");
    if (!word || !head || more.length > 0) throw new PatternError("Expected two words, such as subject=verb.");
    return { attach: word, to: head };
  }
  if (name === "comment") return { comment: text };
  return name === "delete" ? { delete: text } : { delete: text, subtree: true };
}
