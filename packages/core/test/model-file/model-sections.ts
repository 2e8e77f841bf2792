import { crc32 } from "../../src/math/crc32.js";

/** Bytes of a model file before its first section. */
export const PREAMBLE = 16;

/** Where the data of the sections of a model file are. */
export function sections(bytes: Uint8Array): { start: number; end: number }[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const found: { start: number; end: number }[] = [];
  for (let at = PREAMBLE; at < bytes.length; ) {
    const end = at + 8 + view.getUint32(at, true);
    found.push({ start: at + 8, end });
    at = end;
  }
  return found;
}

/** A model file with the data of one section replaced, and lengths and checksums that fit. */
export function replaceSection(good: Uint8Array, index: number, data: Uint8Array): Uint8Array {
  const parts = sections(good).map(({ start, end }, i) => (i === index ? data : good.subarray(start, end)));
  const length = parts.reduce((sum, part) => sum + 8 + part.length, PREAMBLE);
  const bytes = new Uint8Array(length);
  const view = new DataView(bytes.buffer);
  bytes.set(good.subarray(0, 12));
  view.setUint32(12, length, true);
  let at = PREAMBLE;
  for (const part of parts) {
    view.setUint32(at, part.length, true);
    view.setUint32(at + 4, crc32(part), true);
    bytes.set(part, at + 8);
    at += 8 + part.length;
  }
  return bytes;
}
