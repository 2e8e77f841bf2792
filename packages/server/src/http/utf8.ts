import { isUtf8 } from "node:buffer";
import { Problem } from "./problem.js";

/** Bytes as text, without a byte order mark. */
export function decoded(bytes: Uint8Array, field = "body"): string {
  if (!isUtf8(bytes)) throw invalidUtf8(0, field);
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}

export function invalidUtf8(at: number, field: string): Problem {
  return new Problem(400, "invalid-utf-8", `the text is not UTF-8, after byte ${at} (expected UTF-8)`, field);
}
