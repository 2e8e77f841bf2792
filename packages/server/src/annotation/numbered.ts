// The last step of writing: what a sentence is with its number.
import { JSON_VERSION } from "@stemma/core";
import type { AnnotatedSentence } from "./piece.js";

/** A sentence in CoNLL-U; of a treebank, whose sentences bring their own, without a number or name. */
export function conlluOf({ body, newParagraph }: AnnotatedSentence, number?: number | string): string {
  return number === undefined ? body : `${newParagraph ? "# newpar\n" : ""}# sent_id = ${number}\n${body}`;
}

/** A sentence as a JSON object. */
export function jsonOf({ body }: AnnotatedSentence, number?: number | string): string {
  const id = number === undefined ? "" : `"id":${JSON.stringify(String(number))},`;
  return `{"version":${JSON_VERSION},${id}${body}}`;
}
