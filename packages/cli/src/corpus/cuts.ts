// Where a file may be cut: after a line, a sentence of a treebank, a document, or a paragraph.
import { type FileHandle, open } from "node:fs/promises";
import type { InputFormat } from "../documents/inputs.js";
import { fileError } from "../files/io.js";
import type { Segment } from "./plan.js";

const WINDOW = 1 << 16;
/** How far before a place a blank line may begin that ends after it. */
const BEFORE = 1 << 10;

/** The segment with the places where it is really cut. All shards find the same, so that every byte is in one. */
export async function atCuts(segment: Segment): Promise<Segment> {
  const { input, start, end } = segment;
  if (start === 0 && end === input.size) return segment;
  const file = await open(input.file).catch((error) => {
    throw fileError("read", input.file, error);
  });
  try {
    const isCut = await cutter(file, input.format);
    const at = (place: number) => cutAfter(file, place, input.size, isCut);
    return { input, start: await at(start), end: await at(end) };
  } catch (error) {
    throw fileError("read", input.file, error);
  } finally {
    await file.close();
  }
}

/** Where the text may be cut that follows a line end: the length of what still belongs to what is before, or -1. */
type Cut = (text: string) => number;

const AFTER_LINE: Cut = () => 0;
// Blank lines belong to the paragraph before them.
const AFTER_BLANK: Cut = (text) => /^(?:[ \t\r]*\n)+[ \t\r]*/.exec(text)?.[0].length ?? -1;
const BEFORE_DOCUMENT: Cut = (text) => {
  const blank = /^(?:[ \t\r]*\n)+/.exec(text)?.[0].length ?? -1;
  return blank >= 0 && /^#\s*newdoc\b/.test(text.slice(blank, blank + 64)) ? blank : -1;
};

async function cutter(file: FileHandle, format: InputFormat): Promise<Cut> {
  if (format === "jsonl" || format === "json" || format === "lines" || format === "tokens") return AFTER_LINE;
  if (format === "text") return AFTER_BLANK;
  // A treebank that says where documents begin is cut there, so that none is in two parts.
  const hasDocuments = /^(\xef\xbb\xbf)?(#.*\n)*?#\s*newdoc\b/.test(await textAt(file, 0, WINDOW));
  return hasDocuments ? BEFORE_DOCUMENT : AFTER_BLANK;
}

/** The first place at or after `place` where the file may be cut; its end if there is none. */
async function cutAfter(file: FileHandle, place: number, size: number, cut: Cut): Promise<number> {
  if (place <= 0) return 0;
  for (let from = Math.max(0, place - 1 - BEFORE); from < size; from += WINDOW) {
    // Windows overlap, so that what follows a line end is seen whole.
    const text = await textAt(file, from, WINDOW + 4 * BEFORE);
    for (let i = text.indexOf("\n"); i >= 0 && i < WINDOW; i = text.indexOf("\n", i + 1)) {
      const more = cut(text.slice(i + 1, i + 1 + 2 * BEFORE));
      const at = from + i + 1 + more;
      if (more >= 0 && at >= place) return Math.min(at, size);
    }
  }
  return size;
}

/** Bytes as characters of the same number. */
async function textAt(file: FileHandle, at: number, length: number): Promise<string> {
  const bytes = Buffer.alloc(length);
  let read = 0;
  while (read < length) {
    const { bytesRead } = await file.read(bytes, read, length - read, at + read);
    if (bytesRead === 0) break;
    read += bytesRead;
  }
  return bytes.toString("latin1", 0, read);
}

export const GZIP = Buffer.from([0x1f, 0x8b]);
/** How much larger text is than its gzip, about. */
const UNPACKED = 4;

/** Whether a file is packed, and about how many bytes there are in it. */
export async function weigh(path: string, size: number): Promise<{ packed: boolean; weight: number }> {
  const file = await open(path).catch((error) => {
    throw fileError("read", path, error);
  });
  try {
    const start = Buffer.from(await textAt(file, 0, 2), "latin1");
    if (!start.equals(GZIP)) return { packed: false, weight: size };
    // A gzip ends with the size of its content, modulo 2³², or that of its last member.
    const last = size < 18 ? 0 : Buffer.from(await textAt(file, size - 4, 4), "latin1").readUInt32LE();
    const isPlausible = last >= size && last < 100 * size && size < 1 << 29;
    return { packed: true, weight: isPlausible ? last : UNPACKED * size };
  } catch (error) {
    throw fileError("read", path, error);
  } finally {
    await file.close();
  }
}
