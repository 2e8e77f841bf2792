// Names of documents and sentences in CoNLL-U.

/** A name as it can stand in a comment of CoNLL-U. */
export function commentText(name: string): string {
  return name.replace(/[\p{Cc}\u2028\u2029]+/gu, " ").trim();
}

/** The name of a sentence by its number in a document. */
export function sentenceId(document: string | undefined, number: number): string {
  return document === undefined ? String(number) : `${commentText(document)}-${number}`;
}
