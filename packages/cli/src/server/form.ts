// The parameters of a form: in the address, form-urlencoded, or as multipart/form-data (RFC 7578).
import { decoded } from "./parse-request.js";
import { Problem } from "./problem.js";

/** Parameters as a client wrote them: "a=1&b". What is not UTF-8 is an error, not a replacement character. */
export function parseUrlEncoded(text: string, field: string): Map<string, string> {
  const values = new Map<string, string>();
  for (const pair of text.split("&")) {
    if (pair === "") continue;
    const equals = pair.indexOf("=");
    const name = equals < 0 ? pair : pair.slice(0, equals);
    values.set(unescaped(name, field), equals < 0 ? "" : unescaped(pair.slice(equals + 1), field));
  }
  return values;
}

function unescaped(text: string, field: string): string {
  try {
    return decodeURIComponent(text.includes("+") ? text.replaceAll("+", " ") : text);
  } catch {
    throw new Problem(400, "invalid-form", "the parameters are not UTF-8 with % escapes", field);
  }
}

const CRLF = "\r\n";
/** Far more than any client needs; what looks into a head may take quadratic time. */
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
  if (at < 0) throw bad("does not have its boundary");
  for (;;) {
    at += delimiter.length;
    if (body.subarray(at, at + 2).toString("latin1") === "--") return values;
    const start = body.indexOf(CRLF, at);
    const headersEnd = body.indexOf(CRLF + CRLF, at);
    const end = body.indexOf(Buffer.concat([Buffer.from(CRLF), delimiter]), at);
    if (++parts > MOST_PARTS) throw bad(`has more than ${MOST_PARTS} parts`);
    if (start < 0 || headersEnd < 0 || end < 0 || headersEnd > end) throw bad("ends too early");
    if (headersEnd - start > LONGEST_HEAD) throw bad(`has a part with a head of more than ${LONGEST_HEAD} bytes`);
    const headers = body.subarray(start, headersEnd).toString("utf8");
    const disposition = /^content-disposition:\s*form-data\s*;(.*)$/im.exec(headers)?.[1] ?? "";
    const name = /(?:^|[;\s])name="((?:[^"\\]|\\.)*)"|(?:^|[;\s])name=([^\s;]+)/i.exec(disposition);
    if (!name) throw bad("has a part without a name");
    const content = body.subarray(headersEnd + 4, end);
    const base64 = /^content-transfer-encoding:\s*base64\s*$/im.test(headers);
    const bytes = base64 ? Buffer.from(content.toString("latin1"), "base64") : content;
    const field = name[1] ?? name[2]!;
    values.set(field, decoded(bytes, field));
    at = end + CRLF.length;
  }
}
