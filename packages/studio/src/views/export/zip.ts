// ZIP archives without compression (APPNOTE.TXT of PKWARE, sections 4.3.7 to 4.3.16).

const TABLE = Uint32Array.from({ length: 256 }, (_, n) => {
  let c = n;
  for (let k = 0; k < 8; k++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
  return c >>> 0;
});

export function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) crc = TABLE[(crc ^ byte) & 0xff]! ^ (crc >>> 8);
  return (crc ^ 0xffffffff) >>> 0;
}

/** 1 January 1980: the same content gives the same bytes. */
const DATE = 0x21;
/** Names are UTF-8. */
const FLAGS = 0x0800;

/** An archive of text files. */
export function zip(files: readonly (readonly [name: string, content: string])[]): Uint8Array<ArrayBuffer> {
  const encoder = new TextEncoder();
  const entries = files.map(([name, content]) => {
    const bytes = encoder.encode(content);
    return { name: encoder.encode(name), bytes, crc: crc32(bytes) };
  });
  const size = entries.reduce((sum, { name, bytes }) => sum + 76 + 2 * name.length + bytes.length, 22);
  const archive = new Uint8Array(size);
  const view = new DataView(archive.buffer);
  let at = 0;
  const short = (value: number) => {
    view.setUint16(at, value, true);
    at += 2;
  };
  const long = (value: number) => {
    view.setUint32(at, value, true);
    at += 4;
  };
  const put = (bytes: Uint8Array) => {
    archive.set(bytes, at);
    at += bytes.length;
  };
  const common = ({ name, bytes, crc }: (typeof entries)[number]) => {
    for (const value of [20, FLAGS, 0, 0, DATE]) short(value);
    for (const value of [crc, bytes.length, bytes.length]) long(value);
    short(name.length);
    short(0);
  };
  const offsets = entries.map((entry) => {
    const offset = at;
    long(0x04034b50);
    common(entry);
    put(entry.name);
    put(entry.bytes);
    return offset;
  });
  const directory = at;
  entries.forEach((entry, i) => {
    long(0x02014b50);
    short(20);
    common(entry);
    for (let k = 0; k < 3; k++) short(0);
    long(0);
    long(offsets[i]!);
    put(entry.name);
  });
  const length = at - directory;
  long(0x06054b50);
  for (const value of [0, 0, entries.length, entries.length]) short(value);
  long(length);
  long(directory);
  short(0);
  return archive;
}
