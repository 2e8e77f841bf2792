// The output for a sentence of a text.
import type { Sentence } from "@stemma/core";
import { jsonMembers } from "./json-members.js";
import type { AnnotatedSentence, AnnotationOptions } from "./piece.js";
import { type Place, udpipeSentence } from "./udpipe-output.js";
import { sentenceTable } from "./word-table.js";

/** `place`: where an offset in the piece is for the client, if that is not what the sentence says. */
export function parsedOutput(
  sentence: Sentence,
  options: AnnotationOptions,
  place: Place = (offset) => offset,
): Pick<AnnotatedSentence, "body" | "drawing" | "table"> {
  const { to, udpipe, offsets, svg } = options;
  if (udpipe) return { body: udpipeSentence(sentence, to, udpipe, place) };
  if (to === "table") return { body: "", table: sentenceTable(sentence) };
  if (to === "drawing") return { body: "", drawing: sentence.drawable() };
  if (to === "json") return { body: jsonMembers(sentence, svg) };
  return { body: sentence.toConllu({ offsets }) };
}
