import type { IncomingMessage } from "node:http";
import { mediaType } from "./headers.js";
import { Problem } from "./problem.js";

/**
 * The body if something that handled the request before has read it, as body parsers do, which leave it in
 * `request.body`; undefined while it can still be read.
 */
export function readBefore(req: IncomingMessage): Buffer | undefined {
  if (!req.readableEnded) return undefined;
  const { body } = req as { body?: unknown };
  if (Buffer.isBuffer(body)) return body;
  if (typeof body === "string") return Buffer.from(body);
  if (typeof body === "object" && body !== null) {
    const type = mediaType(req) ?? "";
    if (/[/+]json$/.test(type)) return Buffer.from(JSON.stringify(body));
    if (type === FORM) return Buffer.from(new URLSearchParams(body as Record<string, string>).toString());
  }
  if (body === undefined && Number(req.headers["content-length"] ?? 0) === 0) return Buffer.alloc(0);
  const detail = "the body was read before it came to the parser (expected it in request.body, or unread)";
  throw new Problem(500, "body-read-before", detail, "body");
}

const FORM = "application/x-www-form-urlencoded";
