import { readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { normalize } from "node:path";
import { fileURLToPath } from "node:url";

const DIST = fileURLToPath(new URL("../../dist/", import.meta.url));

/** Headers that isolate a page from other origins, so that it may share memory with its workers. */
const ISOLATED = { "cross-origin-opener-policy": "same-origin", "cross-origin-embedder-policy": "require-corp" };

/** Serves an empty page (/isolated: one that may share memory), the built library and a model of this name. */
export async function serveLibrary(name: string, model: Uint8Array): Promise<{ server: Server; address: string }> {
  const server = createServer(async (request, response) => {
    for (const [header, value] of Object.entries(ISOLATED)) {
      if (request.url === "/isolated" || request.headers.referer?.endsWith("/isolated"))
        response.setHeader(header, value);
    }
    const path = normalize(request.url ?? "/");
    if (path === "/" || path === "/isolated")
      return response.setHeader("content-type", "text/html").end("<!doctype html><title>test</title>");
    if (path === `/${name}`) return response.end(model);
    try {
      const script = await readFile(DIST + path);
      response.setHeader("content-type", "text/javascript").end(script);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { server, address: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}
