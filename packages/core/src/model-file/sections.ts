// The layout of a model file: magic bytes, version, length, then sections, each with its length and checksum.
import { crc32 } from "../math/crc32.js";

/** The beginning: a byte that is not ASCII, a name, and line ends that a transfer as text would change (as in PNG). */
export const MAGIC = [0x89, 0x53, 0x54, 0x45, 0x4d, 0x0d, 0x0a, 0x1a];
/** Bytes before the first section. */
export const PREAMBLE = 16;
/** Before a section: its length and its checksum. */
export const BEFORE = 8;

/** Refuses a file for a reason. */
export type Fail = (reason: string) => never;

/** A section as it is in a file: its bytes, and the checksum that they should have. */
export interface Section {
  readonly bytes: Uint8Array;
  readonly checksum: number;
}

/** The version and the sections of a file. */
export function sectionsOf(bytes: Uint8Array, fail: Fail): { version: number; sections: Section[] } {
  const known = Math.min(bytes.length, MAGIC.length);
  for (let i = 0; i < known; i++) {
    if (bytes[i] !== MAGIC[i]) fail("not a Stemma model: it does not begin like one");
  }
  if (bytes.length === 0) fail("not a Stemma model: it is empty");
  if (bytes.length < PREAMBLE) fail(`truncated: ${bytes.length} bytes (expected at least ${PREAMBLE})`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const length = view.getUint32(12, true);
  if (bytes.length < length) fail(`truncated: ${thousands(bytes.length)} of ${thousands(length)} bytes`);
  if (bytes.length > length) fail(`${thousands(bytes.length - length)} bytes after the end of the model`);
  const sections: Section[] = [];
  for (let at = PREAMBLE; at < length; ) {
    const start = at + BEFORE;
    const end = start <= length ? start + view.getUint32(at, true) : start;
    if (end > length) fail(`altered: section ${sections.length + 1} does not fit in the file`);
    sections.push({ bytes: bytes.subarray(start, end), checksum: view.getUint32(at + 4, true) });
    at = end;
  }
  return { version: view.getUint32(8, true), sections };
}

/** Gives the bytes of sections, one after the other, their checksums checked. */
export class SectionReader {
  private next = 0;

  constructor(
    private readonly sections: readonly Section[],
    private readonly fail: Fail,
  ) {}

  take(name: string): Uint8Array {
    const { bytes, checksum } =
      this.sections[this.next++] ?? this.fail(`altered: the section of the ${name} is missing`);
    if (crc32(bytes) !== checksum) this.fail(`altered: the checksum of the ${name} does not match`);
    return bytes;
  }

  end(): void {
    const more = this.sections.length - this.next;
    if (more > 0) this.fail(`altered: ${more} more section${more > 1 ? "s" : ""} than its header says`);
  }
}

// toLocaleString would depend on the machine.
function thousands(value: number): string {
  return String(value).replace(/\B(?=(\d{3})+$)/g, ",");
}
