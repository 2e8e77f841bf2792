// A server on this machine only is not for web pages: one that a user happens to look at could send requests to it,
// under the name of another host even.
import type { IncomingMessage } from "node:http";
import { Problem, shown } from "./problem.js";

/** The name in `localhost:8080` or `[::1]:8080`, in lower case. */
function nameOf(host: string): string {
  const end = host.startsWith("[") ? host.indexOf("]") + 1 : host.indexOf(":");
  return (end > 0 ? host.slice(0, end) : host).toLowerCase();
}

function isLoopback(name: string): boolean {
  return name === "localhost" || name.endsWith(".localhost") || name === "[::1]" || /^127(\.\d{1,3}){3}$/.test(name);
}

/** Whether an address to listen on can be reached from this machine only. */
export function isLoopbackAddress(address: string): boolean {
  return address === "::1" || /^(::ffff:)?127(\.\d{1,3}){3}$/.test(address);
}

/** Refuses requests with the name of another host, and those that a web page of another origin sent. */
export function checkHost(req: IncomingMessage, allowedHosts: readonly string[], origins: readonly string[]): void {
  const { host, origin } = req.headers;
  if (host !== undefined && !allowedHosts.includes("*")) {
    const name = nameOf(host);
    if (!isLoopback(name) && !allowedHosts.includes(name)) {
      const detail = `unknown host: ${shown(host)} (expected localhost, or a name given with --allow-host)`;
      throw new Problem(421, "unknown-host", detail, "Host");
    }
  }
  if (origin === undefined || origins.includes("*") || origins.includes(origin)) return;
  if (host !== undefined && (origin === `http://${host}` || origin === `https://${host}`)) return;
  const detail = `requests from pages of ${shown(origin)} are not allowed (expected an origin given with --cors)`;
  throw new Problem(403, "origin-not-allowed", detail, "Origin");
}
