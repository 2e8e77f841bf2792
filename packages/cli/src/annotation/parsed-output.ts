// What comes out for a sentence of a text.
import type { ParsedSentence } from "@stemma/core";
import { membersOf } from "./json-members.js";
import type { AnnotatedSentence, AnnotationOptions } from "./piece.js";
import { type Place, udpipeSentence } from "./udpipe-output.js";

/** `place`: where an offset in the piece is for the client, if that is not what the sentence says. */
export function parsedOutput(
  sentence: ParsedSentence,
  options: AnnotationOptions,
  place: Place = (offset) => offset,
): Pick<AnnotatedSentence, "body" | "drawing"> {
  const { to, udpipe, offsets, svg } = options;
  if (udpipe) return { body: udpipeSentence(sentence, to, udpipe, place) };
  if (to === "drawing") return { body: "", drawing: sentence.drawable() };
  if (to === "json")
    return { body: membersOf(svg ? { ...sentence.toJSON(), svg: sentence.toSVG() } : sentence.toJSON()) };
  return { body: sentence.toConllu({ offsets }) };
}
