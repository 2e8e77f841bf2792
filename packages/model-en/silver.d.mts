/** A document of the text that is parsed. */
export interface TextDocument {
  name: string;
  sentences: string[];
}
export function textOf(tokens: readonly string[]): string;
export function documentsOf(text: string, most: number): TextDocument[];
export function parseInto(model: string, documents: readonly TextDocument[], out: string): void;
