/** A line of a file. */
export interface Line {
  /** Undefined if it is not UTF-8. */
  text: string | undefined;
  /** Its number, from 1. */
  line: number;
  /** Where it begins in the (unpacked) bytes. */
  offset: number;
  /** It was longer than is allowed, and is not there. */
  isTooLong?: boolean;
}

const NEWLINE = 10;

/**
 * The lines of bytes but for blank ones, as they come: of each chunk those that end in it. One of more than `longest`
 * bytes is left out, so that memory stays bounded. `offset`: where the bytes begin in their file.
 */
export async function* readLinesOf(
  chunks: AsyncIterable<Uint8Array>,
  longest: number,
  offset = 0,
): AsyncGenerator<Line[], void, void> {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  let pending: Uint8Array[] = [];
  let length = 0;
  let isTooLong = false;
  let [line, start, at] = [1, offset, offset];
  const take = (last: Uint8Array): Line | undefined => {
    if (isTooLong) return { text: undefined, line, offset: start, isTooLong: true };
    const bytes = pending.length === 0 ? last : Buffer.concat([...pending, last]);
    try {
      const text = decoder.decode(bytes);
      return /\S/.test(text) ? { text, line, offset: start } : undefined;
    } catch {
      return { text: undefined, line, offset: start };
    }
  };
  const keep = (bytes: Uint8Array) => {
    length += bytes.length;
    if (length > longest) {
      isTooLong = true;
      pending = [];
    } else if (bytes.length > 0 && !isTooLong) pending.push(bytes);
  };
  for await (const chunk of chunks) {
    const lines: Line[] = [];
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, from)) {
      const rest = chunk.subarray(from, end);
      if (length + rest.length > longest) keep(rest);
      const taken = take(rest);
      if (taken) lines.push(taken);
      from = end + 1;
      line++;
      start = at + from;
      pending = [];
      length = 0;
      isTooLong = false;
    }
    keep(chunk.subarray(from));
    at += chunk.length;
    if (lines.length > 0) yield lines;
  }
  if (length > 0) {
    const taken = take(new Uint8Array(0));
    if (taken) yield [taken];
  }
}
