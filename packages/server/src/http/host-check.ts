// A server on this machine only is not for web pages: one that a user happens to look at could send requests to it,
// under the name of another host even.
import type { IncomingMessage } from "node:http";
import { Problem, shown } from "./problem.js";

/** The name in `localhost:8080` or `[::1]:8080`, in lower case; undefined where it is not a name and maybe a port. */
function nameOf(host: string): string | undefined {
  const [, name, port = ""] = /^(\[[\da-f:.]+\]|[\w.-]+)(?::(\d{0,5}))?$/i.exec(host) ?? [];
  return Number(port) <= 65535 ? name?.toLowerCase() : undefined;
}

function isLoopback(name: string): boolean {
  return name === "localhost" || name.endsWith(".localhost") || name === "[::1]" || /^127(\.\d{1,3}){3}$/.test(name);
}

/** Whether an address to listen on can be reached from this machine only. */
export function isLoopbackAddress(address: string): boolean {
  return address === "::1" || /^(::ffff:)?127(\.\d{1,3}){3}$/.test(address);
}

/**
 * Refuses requests that do not say which host they are for, or say that or their type twice (RFC 9112, section 3.2),
 * and bodies that are coded for the way in another manner than in chunks.
 */
export function checkHeaders({ httpVersionMinor, headers, rawHeaders }: IncomingMessage): void {
  let [hosts, types] = [0, 0];
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!;
    if (name.length === 4 && name.toLowerCase() === "host") hosts++;
    else if (name.length === 12 && name.toLowerCase() === "content-type") types++;
  }
  if (hosts !== 1 && !(hosts === 0 && httpVersionMinor === 0 && headers.host === undefined)) {
    throw new Problem(400, "invalid-http", `${hosts} Host headers (expected one)`, "Host");
  }
  if (types > 1) throw new Problem(400, "invalid-http", `${types} Content-Type headers (expected one)`, "Content-Type");
  const coding = headers["transfer-encoding"];
  if (coding === undefined || coding.trim().toLowerCase() === "chunked") return;
  const detail = `unknown transfer coding: ${shown(coding)} (expected chunked; compressed bodies have a Content-Encoding)`;
  throw new Problem(501, "unsupported-transfer-coding", detail, "Transfer-Encoding");
}

/** The host in a target that is a whole address, as proxies are sent it: that counts (RFC 9112, section 3.2.2). */
function hostOfTarget(url = ""): string | undefined {
  return /^[a-z][\w+.-]*:\/\/([^/?#]*)/i.exec(url)?.[1];
}

/** Refuses requests with the name of another host, and those that a web page of another origin sent. */
export function checkHost(req: IncomingMessage, allowedHosts: readonly string[], origins: readonly string[]): void {
  const { host, origin, "sec-fetch-site": site, "sec-fetch-mode": mode, "sec-fetch-dest": dest } = req.headers;
  for (const given of allowedHosts.includes("*") ? [] : [host, hostOfTarget(req.url)]) {
    if (given === undefined) continue;
    const name = nameOf(given);
    if (name !== undefined && (isLoopback(name) || allowedHosts.includes(name))) continue;
    const detail = `unknown host: ${shown(given)} (expected localhost, or a name given with --allow-host)`;
    throw new Problem(421, "unknown-host", detail, "Host");
  }
  // Pages send no origin with what they show, as pictures or frames: but a link to this server may be followed.
  const shows = site === "cross-site" && !(mode === "navigate" && dest === "document");
  if (origin === undefined && shows && origins.length === 0) {
    const detail = "requests from pages of other sites are not allowed (expected an origin given with --cors)";
    throw new Problem(403, "origin-not-allowed", detail, "Sec-Fetch-Site");
  }
  if (origin === undefined || origins.includes("*") || origins.includes(origin)) return;
  if (host !== undefined && (origin === `http://${host}` || origin === `https://${host}`)) return;
  const detail = `requests from pages of ${shown(origin)} are not allowed (expected an origin given with --cors)`;
  throw new Problem(403, "origin-not-allowed", detail, "Origin");
}
