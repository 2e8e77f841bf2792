// White space as Unicode and UD's own validator have it: JavaScript's \s lacks U+0085, and has U+FEFF, which is none.

export const WHITE_SPACE = /\p{White_Space}/u;
export const REPEATED_SPACE = /\p{White_Space}{2}/u;
/** The separators of ASCII are white space at the ends of a value. */
export const SPACE_BEFORE = /^[\p{White_Space}\x1c-\x1f]+/u;
export const SPACE_AFTER = /[\p{White_Space}\x1c-\x1f]+$/u;

/** Is the character at a place white space? */
export function isSpaceAt(text: string, place: number): boolean {
  const code = text.charCodeAt(place);
  return code === 32 || ((code < 32 || code > 127) && SPACE_BEFORE.test(text[place]!));
}
