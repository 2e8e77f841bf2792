// The parameters of a form: in the address, form-urlencoded, or as multipart/form-data (RFC 7578).
import { isUtf8 } from "node:buffer";
import { parameterized } from "./headers.js";
import { Problem } from "./problem.js";
import { nextTurn, TURN } from "./turns.js";
import { decoded } from "./utf8.js";

const MOST_PARAMETERS = 64;
const AMPERSAND = 0x26;
const EQUALS = 0x3d;
const PERCENT = 0x25;
const PLUS = 0x2b;
const SPACE = 0x20;

/** Parameters as a client wrote them: "a=1&b". What is not UTF-8 is an error, not a replacement character. */
export async function parseUrlEncoded(bytes: Buffer, field: string): Promise<Map<string, string>> {
  const values = new Map<string, string>();
  let count = 0;
  for (let at = 0; at < bytes.length; ) {
    const next = bytes.indexOf(AMPERSAND, at);
    const end = next < 0 ? bytes.length : next;
    const pair = bytes.subarray(at, end);
    at = end + 1;
    if (++count > MOST_PARAMETERS) {
      throw new Problem(400, "invalid-form", `more than ${MOST_PARAMETERS} parameters`, field);
    }
    if (pair.length === 0) continue;
    const equals = pair.indexOf(EQUALS);
    const name = await unescaped(equals < 0 ? pair : pair.subarray(0, equals), field);
    values.set(name, equals < 0 ? "" : await unescaped(pair.subarray(equals + 1), field));
  }
  return values;
}

async function unescaped(bytes: Buffer, field: string): Promise<string> {
  const plain = Buffer.allocUnsafe(bytes.length);
  const bad = new Problem(400, "invalid-form", "the parameters are not percent-encoded UTF-8", field);
  let length = 0;
  let turn = TURN;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i]!;
    if (byte === PERCENT) {
      const code = 16 * hex(bytes[i + 1]) + hex(bytes[i + 2]);
      if (Number.isNaN(code)) throw bad;
      plain[length++] = code;
      i += 2;
    } else plain[length++] = byte === PLUS ? SPACE : byte;
    if (i >= turn) {
      turn += TURN;
      await nextTurn();
    }
  }
  const result = plain.subarray(0, length);
  if (!isUtf8(result)) throw bad;
  return result.toString();
}

function hex(byte: number | undefined): number {
  if (byte === undefined) return Number.NaN;
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : Number.NaN;
}

/** The value of a header of a part. */
function headerOf(headers: string, name: string): string {
  for (const line of headers.split(CRLF)) {
    const colon = line.indexOf(":");
    if (line.slice(0, Math.max(0, colon)).trim().toLowerCase() === name) return line.slice(colon + 1);
  }
  return "";
}

const CRLF = "\r\n";
/** Far more than any client needs. */
const LONGEST_HEAD = 2048;
const MOST_PARTS = 64;

/** The fields and files of a body; names of files are not looked at. */
export function parseMultipart(body: Buffer, boundary: string | undefined): Map<string, string> {
  if (boundary === undefined || boundary === "" || boundary.length > 70) {
    throw new Problem(400, "invalid-form", "multipart/form-data without a boundary", "Content-Type");
  }
  const bad = (what: string) => new Problem(400, "invalid-form", `the multipart/form-data body ${what}`, "body");
  const values = new Map<string, string>();
  const delimiter = Buffer.from(`--${boundary}`);
  let parts = 0;
  let at = body.indexOf(delimiter);
  if (at < 0) throw bad("does not contain its boundary");
  for (;;) {
    at += delimiter.length;
    if (body.subarray(at, at + 2).toString("latin1") === "--") return values;
    const start = body.indexOf(CRLF, at);
    const headersEnd = body.indexOf(CRLF + CRLF, at);
    const end = body.indexOf(Buffer.concat([Buffer.from(CRLF), delimiter]), at);
    if (++parts > MOST_PARTS) throw bad(`has more than ${MOST_PARTS} parts`);
    if (start < 0 || headersEnd < 0 || end < 0 || headersEnd > end) throw bad("ends too early");
    if (headersEnd - start > LONGEST_HEAD) throw bad(`has a part with headers of more than ${LONGEST_HEAD} bytes`);
    const headers = body.subarray(start, headersEnd).toString("utf8");
    const disposition = parameterized(headerOf(headers, "content-disposition"));
    const field = disposition.value === "form-data" ? disposition.parameters.get("name") : undefined;
    if (field === undefined) throw bad("has a part without a name");
    const content = body.subarray(headersEnd + 4, end);
    const base64 = headerOf(headers, "content-transfer-encoding").trim().toLowerCase() === "base64";
    const bytes = base64 ? Buffer.from(content.toString("latin1"), "base64") : content;
    values.set(field, decoded(bytes, field));
    at = end + CRLF.length;
  }
}
