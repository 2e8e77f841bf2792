import type { Sentence } from "@stemma/core";

/**
 * The members of a sentence in JSON without its braces and its version, so that a number can be written before them.
 * `svg`: with a drawing.
 */
export function jsonMembers(sentence: Sentence, svg = false): string {
  const { version: _, ...json } = sentence.toJSON();
  const members = Object.entries(svg ? { ...json, svg: sentence.toSVG() } : json);
  return members.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join();
}
