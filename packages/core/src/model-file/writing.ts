// The parts of a model on their way into a file, or to threads. Programs that only read models do without.
import { crc32 } from "../math/crc32.js";
import type { Part } from "../storage/part.js";
import { BEFORE, MAGIC, PREAMBLE } from "./sections.js";

/** The programs that the parts of a model need. */
export function needsOf(parts: readonly Part[]): string[] {
  return [...new Set(parts.flatMap(({ codec }) => codec.program ?? []))];
}

/** The header of a part as it is stored: it says which program reads it. */
export function storedHeader({ codec }: Part, header: object): object {
  return codec.program === undefined ? header : { program: codec.program, ...header };
}

/** The bytes of a file with these sections. */
export function fileOf(version: number, sections: readonly Uint8Array[]): Uint8Array {
  const length = sections.reduce((sum, section) => sum + BEFORE + section.length, PREAMBLE);
  const bytes = new Uint8Array(length);
  const view = new DataView(bytes.buffer);
  bytes.set(MAGIC);
  view.setUint32(8, version, true);
  view.setUint32(12, length, true);
  let at = PREAMBLE;
  for (const section of sections) {
    view.setUint32(at, section.length, true);
    view.setUint32(at + 4, crc32(section), true);
    bytes.set(section, at + BEFORE);
    at += BEFORE + section.length;
  }
  return bytes;
}
