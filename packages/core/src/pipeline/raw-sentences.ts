// Sentences with their tokens, of a text that is there as a whole or comes in pieces: those that a segmenter finds, or
// lines, whose tokens it finds, or which spaces part into tokens.
import type { TextKind } from "./parse-options.js";
import type { RawSentence, RawToken, Segmenter } from "./segmenter/segmenter.js";
import { SegmenterStream } from "./segmenter/segmenter-stream.js";
import { TextCutter } from "./text-stream.js";

/** The sentences of a text. `segmenter` throws if there is none. */
export function rawSentences(text: string, kind: TextKind, segmenter: () => Segmenter): Iterable<RawSentence> {
  return kind === "text" ? segmenter().segment(text) : lines(text, 0, kind, segmenter);
}

/** The sentences that each piece of a text completes; the lines of a piece are found when they are asked for. */
export async function* rawSentencesOfPieces(
  chunks: AsyncIterable<string>,
  kind: TextKind,
  segmenter: () => Segmenter,
): AsyncGenerator<Iterable<RawSentence>, void, void> {
  if (kind === "text") {
    const stream = new SegmenterStream(segmenter());
    for await (const chunk of inPieces(chunks)) yield stream.push(chunk);
    return yield stream.end();
  }
  const cutter = new TextCutter(kind);
  let offset = 0;
  const linesOf = (text: string) => {
    const found = lines(text, offset, kind, segmenter);
    offset += text.length;
    return found;
  };
  for await (const chunk of inPieces(chunks)) yield linesOf(cutter.push(chunk));
  yield linesOf(cutter.end());
}

/** The lines of a text that have tokens; `offset` is where the text begins in a longer one. */
function* lines(text: string, offset: number, kind: TextKind, segmenter: () => Segmenter): Generator<RawSentence> {
  let from = 0;
  for (const { 0: line, index } of text.matchAll(/[^\n\r\u2028\u2029]+/g)) {
    const tokens = kind === "tokens" ? tokensIn(line) : segmenter().tokenize(line);
    if (tokens.length === 0) continue;
    const start = index + tokens[0]!.start;
    const end = index + tokens[tokens.length - 1]!.end;
    const before = text.slice(from, start);
    from = end;
    while (/\s/.test(text[from] ?? "")) from++;
    const at = offset + index;
    yield {
      start: offset + start,
      end: offset + end,
      tokens: tokens.map((token) => ({ ...token, start: at + token.start, end: at + token.end })),
      before,
      text: text.slice(start, from),
    };
  }
}

function tokensIn(line: string): RawToken[] {
  return Array.from(line.matchAll(/\S+/g), ({ 0: form, index }) => ({ start: index, end: index + form.length, form }));
}

/** UTF-16 units of a text that are segmented in one go: a few milliseconds. */
const PIECE = 1 << 12;

/** Cuts pieces that are long. */
async function* inPieces(chunks: AsyncIterable<string>): AsyncGenerator<string, void, void> {
  for await (const chunk of chunks) {
    for (let from = 0; from < chunk.length; from += PIECE) yield chunk.slice(from, from + PIECE);
  }
}
