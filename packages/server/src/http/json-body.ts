// A large JSON body, of which only parts are built at a time: arrays in arrays take forty times the memory of their
// text, and time in which nobody else is served.
import { Problem } from "./problem.js";
import { nextTurn, TURN } from "./turns.js";

/** JSON deeper than this is not read at all: what is asked for has three levels. */
export const DEEPEST = 16;

/** Bytes of a body from one place to another. */
export interface Span {
  from: number;
  to: number;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const LETTER_U = 0x75;

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

function invalidJson(detail: string): Problem {
  return new Problem(400, "invalid-json", detail, "body");
}

/** Text that is no JSON, as the engine says it, on one line. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const reason = (error as Error).message.replace(/[\s\p{C}]+/gu, " ").slice(0, 200);
    throw invalidJson(`the body is not JSON: ${reason}`);
  }
}

/** Throws where arrays and objects are nested too deeply. */
export function checkDepth(bytes: Uint8Array): void {
  const scanner = new Scanner(bytes);
  scanner.peek();
  scanner.skip(bytes.length);
}

/** Goes over values of JSON; what it goes over is not checked but for how deeply it is nested. */
class Scanner {
  at = 0;
  private from = 0;
  private depth = 0;
  private inString = false;
  private begun = false;

  constructor(
    private readonly bytes: Uint8Array,
    private readonly end = bytes.length,
  ) {}

  /** Goes to the next byte that is no white space, and gives it; undefined at the end. */
  peek(): number | undefined {
    while (this.at < this.end && isSpace(this.bytes[this.at])) this.at++;
    return this.at < this.end ? this.bytes[this.at] : undefined;
  }

  take(expected: number): void {
    if (this.peek() !== expected) this.fail(String.fromCharCode(expected));
    this.at++;
  }

  fail(expected?: string): never {
    if (this.at >= this.end) throw invalidJson("the body is not JSON: it ends too early");
    const found = String.fromCharCode(this.bytes[this.at]!);
    const wanted = expected === undefined ? "" : ` (expected ${expected})`;
    throw invalidJson(`the body is not JSON: ${JSON.stringify(found)} at byte ${this.at}${wanted}`);
  }

  /** Goes on to the end of the value that begins here; false if it is not reached within so many bytes. */
  skip(most: number): boolean {
    const { bytes, end } = this;
    const limit = Math.min(end, this.at + most);
    while (this.at < limit) {
      const byte = bytes[this.at]!;
      if (this.inString) {
        this.at += byte === BACKSLASH ? 2 : 1;
        if (byte !== QUOTE) continue;
        this.inString = false;
        if (this.depth === 0) return this.done();
        continue;
      }
      if (byte === QUOTE) this.inString = true;
      else if (byte === OPEN_BRACKET || byte === OPEN_BRACE) {
        if (++this.depth > DEEPEST) {
          throw invalidJson(`the body is nested too deeply at byte ${this.at} (expected at most ${DEEPEST} levels)`);
        }
      } else if (byte === CLOSE_BRACKET || byte === CLOSE_BRACE) {
        if (this.depth <= 1) {
          if (this.depth === 1) this.at++;
          return this.done();
        }
        this.depth--;
      } else if (this.depth === 0 && this.begun && (byte === COMMA || isSpace(byte))) return this.done();
      this.begun = true;
      this.at++;
    }
    // A number or a name may end with the text.
    return this.at >= end && this.depth === 0 && !this.inString && this.begun ? this.done() : false;
  }

  private done(): true {
    this.depth = 0;
    this.begun = false;
    return true;
  }

  /** The value that begins here, if it is short; else `longValue` goes on with it. */
  shortValue(): Span | undefined {
    this.peek();
    this.from = this.at;
    if (!this.skip(TURN)) return undefined;
    if (this.at === this.from) this.fail("a value");
    return { from: this.from, to: this.at };
  }

  async longValue(): Promise<Span> {
    while (!this.skip(TURN)) {
      if (this.at >= this.end) this.fail();
      await nextTurn();
    }
    return { from: this.from, to: this.at };
  }

  async value(): Promise<Span> {
    return this.shortValue() ?? (await this.longValue());
  }
}

/** Where the members of an object are; undefined if the body is no object. */
export async function membersIn(bytes: Buffer): Promise<Map<string, Span> | undefined> {
  const scanner = new Scanner(bytes);
  if (scanner.peek() !== OPEN_BRACE) return undefined;
  scanner.take(OPEN_BRACE);
  const members = new Map<string, Span>();
  let count = 0;
  while (scanner.peek() !== CLOSE_BRACE) {
    if (members.size > 0) scanner.take(COMMA);
    if (scanner.peek() !== QUOTE) scanner.fail('"');
    const name = await scanner.value();
    scanner.take(COLON);
    // A name may be repeated any number of times.
    if (name.to - name.from > 1000 || ++count > 100)
      throw invalidJson("the body has too many names, or names that are too long");
    members.set(String(valueAt(bytes, name)), await scanner.value());
  }
  scanner.take(CLOSE_BRACE);
  if (scanner.peek() !== undefined) scanner.fail("nothing more");
  return members;
}

/** The value of a part of a body. */
export function valueAt(bytes: Buffer, { from, to }: Span): unknown {
  return parsedJson(bytes.toString("utf8", from, to));
}

/**
 * The elements of an array, some at a time. One that has more bytes than `longest` is not built: `tooLong` says what
 * is wrong with it.
 */
export async function* elementsIn(
  bytes: Buffer,
  { from, to }: Span,
  longest: number,
  tooLong: (index: number) => Problem,
): AsyncGenerator<unknown[]> {
  const scanner = new Scanner(bytes, to);
  scanner.at = from;
  scanner.take(OPEN_BRACKET);
  let index = 0;
  while (scanner.peek() !== CLOSE_BRACKET) {
    if (index > 0) scanner.take(COMMA);
    const group: Span = { from: scanner.at, to: scanner.at };
    for (;;) {
      const { from, to } = scanner.shortValue() ?? (await scanner.longValue());
      if (to - from > longest) throw tooLong(index);
      group.to = to;
      index++;
      if (scanner.peek() !== COMMA || to - group.from > TURN) break;
      scanner.at++;
    }
    yield parsedJson(`[${bytes.toString("utf8", group.from, group.to)}]`) as unknown[];
    await nextTurn();
  }
}

/** Bytes of a character that is escaped as a surrogate pair. */
const LONGEST_CHARACTER = 12;

/** The parts of a string. */
export async function* stringIn(bytes: Buffer, { from, to }: Span): AsyncGenerator<string> {
  let start = from + 1;
  for (let at = start; at < to - 1; ) {
    const isWhole = at - start >= TURN && (bytes[at]! & 0xc0) !== 0x80;
    // Of two such halves in a row the second has no first half anyway.
    if (isWhole && (at - start >= TURN + LONGEST_CHARACTER || !isLowSurrogate(bytes, at))) {
      yield parsedJson(`"${bytes.toString("utf8", start, at)}"`) as string;
      await nextTurn();
      start = at;
    }
    at += bytes[at] !== BACKSLASH ? 1 : bytes[at + 1] === LETTER_U ? 6 : 2;
  }
  yield parsedJson(`"${bytes.toString("utf8", start, to - 1)}"`) as string;
}

/** The second half of a character that is escaped: \udc00 to \udfff. */
function isLowSurrogate(bytes: Buffer, at: number): boolean {
  return bytes[at] === BACKSLASH && /^\\ud[c-f]/i.test(bytes.toString("latin1", at, at + 4));
}
