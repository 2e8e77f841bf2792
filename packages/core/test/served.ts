import { readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { normalize } from "node:path";
import { fileURLToPath } from "node:url";

const DIST = fileURLToPath(new URL("../dist/", import.meta.url));

/** Serves an empty page, the built library and a model of this name to a browser. */
export async function serveLibrary(name: string, model: Uint8Array): Promise<{ server: Server; address: string }> {
  const server = createServer(async (request, response) => {
    const path = normalize(request.url ?? "/");
    if (path === "/") return response.setHeader("content-type", "text/html").end("<!doctype html><title>test</title>");
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
