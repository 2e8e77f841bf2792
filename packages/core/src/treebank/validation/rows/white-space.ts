// White space as Unicode and UD's own validator have it: JavaScript's \s lacks U+0085, and has U+FEFF, which is none.

export const WHITE_SPACE = /\p{White_Space}/u;
export const REPEATED_SPACE = /\p{White_Space}{2}/u;

/** Is the character at a place white space? At the ends of a value the four separators of ASCII are, too. */
export function isSpaceAt(text: string, place: number): boolean {
  const code = text.charCodeAt(place);
  return code === 32 || ((code < 32 || code > 127) && ((code >= 28 && code < 32) || WHITE_SPACE.test(text[place]!)));
}

/** Without white space at its ends. */
export function trimmed(text: string): string {
  let [start, end] = [0, text.length];
  while (isSpaceAt(text, start)) start++;
  while (end > start && isSpaceAt(text, end - 1)) end--;
  return text.slice(start, end);
}
