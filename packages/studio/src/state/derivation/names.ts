import { describeSystem, type SystemName } from "@stemma/core/systems";
import type { Choice } from "../../protocol/derivation.js";

/** A transition as it is shown: LEFT-ARC nsubj. */
export function transitionName({ move, label }: Pick<Choice, "move" | "label">): string {
  return label === undefined ? move : `${move} ${label}`;
}

/** The kind of a transition, as a class in styles/step.css. */
export function kindOf(move: string): string {
  if (/^(IJ|DM|RP)-/.test(move)) return "removal";
  if (/^(SEM-|PRED|NO-PRED)/.test(move)) return "semantic";
  return move.startsWith("LEFT") ? "left" : move.startsWith("RIGHT") ? "right" : move.toLowerCase();
}

export function capitalized(title: string): string {
  // Greek letters are names of lists.
  return /^[a-z]/.test(title) ? title.charAt(0).toUpperCase() + title.slice(1) : title;
}

/** The name of a system's stack within a sentence. */
export function stackTitle(system: SystemName): string {
  return describeSystem(system).stackTitle ?? "stack";
}
