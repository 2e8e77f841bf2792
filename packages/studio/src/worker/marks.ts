import { readTreebank } from "@stemma/core";
import type { Marks } from "../protocol.js";

/**
 * A sentence with what a person wrote to it as comments: `# note = …`, line ends as " / ", and `# done = yes`. Of a
 * sentence that was split, the first has them.
 */
export function withMarks(text: string, { note, done }: Marks): string {
  const sentences = readTreebank(text, { allowNonTrees: true });
  const [first] = sentences;
  if (!first) return text;
  if (note !== undefined) {
    const line = note
      .trim()
      .replace(/\s*[\r\n]+\s*/g, " / ")
      .replaceAll("\t", " ");
    first.setComment("note", line || undefined);
  }
  if (done !== undefined) first.setComment("done", done ? "yes" : undefined);
  return sentences.map(String).join("");
}
