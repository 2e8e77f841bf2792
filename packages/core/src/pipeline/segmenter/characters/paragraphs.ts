// Cuts a text into the stretches that are segmented on their own: paragraphs, and windows of paragraphs that are too
// long.
import { check, STRING, WHOLE_NUMBER } from "../../../checks/options.js";
import { classOf, LINE_END } from "./character-classes.js";

/**
 * UTF-16 units that are looked at in one go. Longer paragraphs are cut, so that memory is bounded whatever comes in.
 */
export const WINDOW = 1 << 17;
/** At the end of a full window decisions may lack what follows, so this much of it is looked at again with the next. */
export const LOOKAHEAD = 1 << 10;

/**
 * Finds paragraph breaks in text that comes in pieces. A break is white space with two line ends (LF, CR, CR LF, VT,
 * NEL, U+2028, in any mixture, with or without other white space between them), with U+2029 or with a form feed; it
 * takes in all the white space that follows.
 */
export class BreakFinder {
  private lineEnds = 0;
  private carriageReturn = false;
  /** Whether what was taken last is white space that has a break in it. */
  broken = false;

  /** Takes the next UTF-16 unit; true if it is the first after a break. */
  next(code: number): boolean {
    const cls = classOf(code);
    if (cls > LINE_END) {
      const { broken } = this;
      this.reset();
      return broken;
    }
    if (cls === LINE_END && !(code === 10 && this.carriageReturn)) this.lineEnds++;
    if (this.lineEnds > 1 || code === 0x2029 || code === 12) this.broken = true;
    this.carriageReturn = code === 13;
    return false;
  }

  reset(): void {
    this.lineEnds = 0;
    this.carriageReturn = false;
    this.broken = false;
  }
}

/**
 * The place after the first paragraph break of text.slice(from, to), or -1 if it has none that is followed by anything.
 */
export function paragraphEnd(text: string, from: number, to: number): number {
  check("text", text, STRING);
  check("from", from, WHOLE_NUMBER);
  check("to", to, WHOLE_NUMBER);
  const finder = new BreakFinder();
  let any = false;
  for (let i = from; i < to; i++) {
    // White space at the start of a stretch is no break: there is nothing before it.
    if (finder.next(text.charCodeAt(i)) && any) return i;
    any ||= classOf(text.charCodeAt(i)) > LINE_END;
  }
  return -1;
}
