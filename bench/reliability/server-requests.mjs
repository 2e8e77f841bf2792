// Requests of server-soak.mjs and server-memory.mjs: short and long texts of honest clients, and what hostile ones do.

import { gzipSync } from "node:zlib";

const NAMES = ["Anna", "Tom", "the teacher", "an old sailor", "our neighbour"];
const THINGS = ["boat", "house", "letter", "garden", "river", "lamp", "picture", "train"];
const PLACES = ["in the village", "near the coast", "behind the school", "at the station"];
/** Texts of one sentence. */
export const texts = NAMES.flatMap((name) =>
  THINGS.flatMap((thing) => PLACES.map((place) => `Yesterday ${name} saw the small ${thing} ${place} again.`)),
);
/** @param {string} type @param {string} body @param {string} [more] */
export const message = (type, body, more = "") =>
  Buffer.from(
    `POST /v1/parse HTTP/1.1\r\nHost: localhost\r\nContent-Type: ${type}\r\nAccept: text/x-conllu\r\n${more}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
export const requests = texts.map((text) => message("text/plain", text));
// 40 paragraphs of 32 sentences: about 80,000 characters, or twenty pieces.
export const book = Array.from({ length: 40 }, (_, i) => texts.slice((4 * i) % 128, ((4 * i) % 128) + 32).join(" "));
export const longRequest = message("text/plain", book.join("\n\n"));

/** @param {string} path @param {string} type @param {string | Buffer} body @param {string} [more] */
const asked = (path, type, body, more = "") =>
  Buffer.concat([
    Buffer.from(
      `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: ${type}\r\n${more}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n`,
    ),
    Buffer.from(body),
  ]);
const json = (/** @type {object} */ value) => message("application/json", JSON.stringify(value));
const LONG = "maps ".repeat(20_000);
const OPENAPI = "GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n";
const marks = `data=a${encodeURIComponent("\u0301".repeat(20_000) + "\u0323".repeat(20_000))}`;
/**
 * Requests of hostile clients, made beforehand so that the others are not held up here; with `false` they do not read
 * what comes back.
 * @type {[data: string | Buffer, reads?: boolean][]}
 */
export const ATTACKS = [
  [message("text/plain", texts.join("\n\n")).subarray(0, 3000)],
  [message("text/plain", texts.join("\n\n"))],
  [OPENAPI.repeat(100), false],
  [OPENAPI.repeat(600)],
  [Buffer.concat(requests.slice(0, 20))],
  [message("text/plain", LONG)],
  [json({ sentences: [LONG] })],
  [message("application/json", `{"tokens":[${'["a"],'.repeat(200_000)}["a"]]}`)],
  [message("application/json", "[".repeat(50_000))],
  [message("application/json", `{${'"text":"a",'.repeat(50_000)}"text":"a"}`)],
  [message("text/plain", "maps", `X-Filler: a${" ".repeat(50_000)}b\r\n`)],
  [`GET / HTTP/1.1\r\nHost: localhost\r\nAccept: a${" ".repeat(60_000)}b\r\n\r\n`],
  [
    `POST /process HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: ${marks.length}\r\n\r\n${marks}`,
  ],
  ["NONSENSE\r\n\r\n"],
  ["POST /v1/parse HTTP/1.1\r\nHost: loc"],
  [
    `POST /v1/parse HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n${"1\r\na\r\n".repeat(50_000)}`,
  ],
  [json({ tokens: book.map((paragraph) => paragraph.split(" ")), trees: 16 }), false],
  // Small requests with huge answers that nobody reads.
  [asked("/v1/parse?trees=64&svg=true", "text/plain", `${"The old boat sank near the coast. ".repeat(55)}`), false],
  [
    asked(
      "/v1/documents?trees=64&svg=true",
      "application/x-ndjson",
      `{"text":"${texts.slice(0, 8).join(" ")}"}\n`.repeat(200),
    ),
    false,
  ],
  // Lines that are no documents, and bytes that become many.
  [asked("/v1/documents", "application/x-ndjson", "{}\n".repeat(100_000)), false],
  [asked("/v1/documents", "application/x-ndjson", gzipSync(Buffer.alloc(1 << 26, 32)), "Content-Encoding: gzip\r\n")],
  [asked("/v1/documents", "application/x-ndjson", `{"text":"${"maps ".repeat(180_000)}"}`)],
  // A beam over the longest sentences that are allowed: with a short --piece-time its worker is replaced.
  [json({ tokens: [Array(1000).fill("that")], beam: 64 })],
];
