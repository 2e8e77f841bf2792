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

/** A name as it can stand in a comment of CoNLL-U. */
export function commentText(name: string): string {
  return name.replace(/[\p{Cc}\u2028\u2029]+/gu, " ").trim();
}

/** The name of a sentence by its number in a document. */
export function sentenceId(document: string | undefined, number: number): string {
  return document === undefined ? String(number) : `${commentText(document)}-${number}`;
}
