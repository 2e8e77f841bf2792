// Transitions as a link has them: SHIFT~LEFT-ARC.nsubj~REDUCE

import type { Taken } from "../../protocol/derivation.js";

export function writeTaken(taken: readonly Taken[]): string {
  return taken.map(({ move, label }) => (label === undefined ? move : `${move}.${label}`)).join("~");
}

export function readTaken(text: string): Taken[] {
  if (text === "") return [];
  return text.split("~").map((one) => {
    const dot = one.indexOf(".");
    return dot < 0 ? { move: one, label: undefined } : { move: one.slice(0, dot), label: one.slice(dot + 1) };
  });
}
