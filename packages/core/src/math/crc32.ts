// CRC-32 (ISO-HDLC, the one of gzip and PNG), four bytes at a time: table k is for a byte that k more bytes follow.
const TABLES = new Int32Array(4 * 256);
for (let i = 0; i < 256; i++) {
  let c = i;
  for (let bit = 0; bit < 8; bit++) c = c & 1 ? (c >>> 1) ^ 0xedb88320 : c >>> 1;
  TABLES[i] = c;
}
for (let i = 256; i < 1024; i++) {
  const c = TABLES[i - 256]!;
  TABLES[i] = (c >>> 8) ^ TABLES[c & 255]!;
}

/** The CRC-32 of the bytes from `start` up to `end`, as an unsigned number. */
export function crc32(bytes: Uint8Array, start = 0, end = bytes.length): number {
  let c = -1;
  let at = start;
  for (; at + 4 <= end; at += 4) {
    c ^= bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24);
    c =
      TABLES[768 + (c & 255)]! ^
      TABLES[512 + ((c >>> 8) & 255)]! ^
      TABLES[256 + ((c >>> 16) & 255)]! ^
      TABLES[c >>> 24]!;
  }
  for (; at < end; at++) c = (c >>> 8) ^ TABLES[(c ^ bytes[at]!) & 255]!;
  return ~c >>> 0;
}
