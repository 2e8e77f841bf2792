// Unicode normalization in parts, so that a long text does not hold up other requests.
import { Problem } from "../http/problem.js";
import { nextTurn, TURN } from "../http/turns.js";

/**
 * A run of more combining marks is refused: to sort them takes time that grows with the square of their number.
 * Unicode's own limit for text that is to be processed in parts is 30 (UAX #15, stream-safe text format); no writing
 * system needs more than a few.
 */
const MOST_MARKS = 256;

const UNKNOWN = 0;
const MARK = 1;
const OTHER = 2;
const kinds = new Uint8Array(0x110000);

function isMark(code: number): boolean {
  if (code < 0x300) return false;
  if (kinds[code] === UNKNOWN) kinds[code] = /^\p{M}$/u.test(String.fromCodePoint(code)) ? MARK : OTHER;
  return kinds[code] === MARK;
}

/** Vowels and final consonants of Hangul, which are composed with what is before them. */
function isJamo(code: number): boolean {
  return code >= 0x1160 && code <= 0x11ff;
}

/** The text in NFC, and the number of its characters. */
export async function normalized(text: string, field: string): Promise<{ text: string; characters: number }> {
  const parts: string[] = [];
  let [from, marks, jamo, characters, looked] = [0, 0, 0, 0, 0];
  const take = (to: number) => {
    const part = text.slice(from, to).normalize("NFC");
    for (let i = 0; i < part.length; i++) if ((part.charCodeAt(i) & 0xfc00) !== 0xdc00) characters++;
    parts.push(part);
    from = to;
  };
  for (let at = 0; at < text.length; ) {
    const code = text.codePointAt(at)!;
    if (isMark(code)) {
      if (++marks > MOST_MARKS) throw tooManyMarks(at, field);
    } else {
      marks = 0;
      jamo = isJamo(code) ? jamo + 1 : 0;
      // Text before this character does not change with what follows. Of a syllable at most two are composed.
      if (at - from >= TURN && (jamo === 0 || jamo > 2)) take(at);
    }
    const length = code > 0xffff ? 2 : 1;
    at += length;
    looked += length;
    if (looked >= TURN) {
      looked = 0;
      await nextTurn();
    }
  }
  take(text.length);
  return { text: parts.length === 1 ? parts[0]! : parts.join(""), characters };
}

function tooManyMarks(at: number, field: string): Problem {
  const detail = `too many combining marks in a row at character ${at} (expected at most ${MOST_MARKS})`;
  return new Problem(400, "invalid-text", detail, field);
}
