const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/;
const LETTER = /\p{L}/u;

/** The direction of the first letter decides, as in HTML's dir=auto. */
export function isRightToLeft(text: string): boolean {
  const letter = LETTER.exec(text);
  return letter !== null && RIGHT_TO_LEFT.test(letter[0]);
}

/** A text within another one, whose direction must not turn the other around: what `<bdi>` is in plain strings. */
export function isolate(text: string): string {
  return `\u2068${text}\u2069`;
}
