import { inflateRawSync } from "node:zlib";

/**
 * The files of a zip archive by their names: the directory at its end says where each begins.
 *
 * @param {Buffer} bytes
 * @returns {Generator<{ path: string, read: () => Buffer }>}
 */
export function* unzip(bytes) {
  const end = bytes.lastIndexOf(Buffer.from([0x50, 0x4b, 5, 6]));
  if (end < 0) throw new RangeError("not a zip archive: no directory at its end (expected a whole download)");
  let at = bytes.readUInt32LE(end + 16);
  for (let left = bytes.readUInt16LE(end + 10); left > 0; left--) {
    const [method, size] = [bytes.readUInt16LE(at + 10), bytes.readUInt32LE(at + 20)];
    const [nameLength, extra, comment] = [28, 30, 32].map((field) => bytes.readUInt16LE(at + field));
    const header = bytes.readUInt32LE(at + 42);
    const path = bytes.toString("utf8", at + 46, at + 46 + nameLength);
    const from = header + 30 + bytes.readUInt16LE(header + 26) + bytes.readUInt16LE(header + 28);
    const read = () => {
      const data = bytes.subarray(from, from + size);
      return method === 0 ? data : inflateRawSync(data);
    };
    yield { path, read };
    at += 46 + nameLength + extra + comment;
  }
}
