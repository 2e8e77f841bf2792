import { createReadStream } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { extname, join, sep } from "node:path";
import { pipeline } from "node:stream";

/** The name under which the page asks for its model. */
export const MODEL_NAME = "en.stemma";

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".json": "application/json",
};

/**
 * The page loads nothing from elsewhere and sends nothing anywhere, and the browser sees to that. WebAssembly scores
 * the parser's moves.
 */
const POLICY =
  "default-src 'self'; script-src 'self' 'unsafe-inline' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; img-src 'self' blob:";

/** A file that can be asked for. */
interface Served {
  readonly path: string;
  readonly type: string;
  readonly forever: boolean;
}

/**
 * Serves a folder and a model over HTTP. The files are listed once and only these names are answered, so no request can
 * name a file outside.
 */
export async function createStudioServer(folder: string, model: string | undefined): Promise<Server> {
  const files = new Map<string, Served>();
  for (const entry of await readdir(folder, { recursive: true })) {
    const path = join(folder, entry);
    if (!(await stat(path)).isFile()) continue;
    const name = entry.split(sep).join("/");
    // What the build puts into assets has a hash of its content in its name.
    const forever = name.startsWith("assets/");
    files.set(`/${name}`, { path, type: TYPES[extname(name)] ?? "application/octet-stream", forever });
  }
  files.set("/", files.get("/index.html")!);
  if (model) files.set(`/${MODEL_NAME}`, { path: model, type: "application/octet-stream", forever: false });
  return createServer((request, response) => {
    answer(files, request, response).catch(() => {
      if (!response.headersSent) response.writeHead(500);
      response.end();
    });
  });
}

async function answer(
  files: ReadonlyMap<string, Served>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  response.setHeader("x-content-type-options", "nosniff");
  response.setHeader("content-security-policy", POLICY);
  if (request.method !== "GET" && request.method !== "HEAD") {
    response.writeHead(405, { allow: "GET, HEAD" }).end();
    return;
  }
  const name = (request.url ?? "/").split(/[?#]/)[0]!;
  const file = files.get(name);
  const info = file && (await stat(file.path).catch(() => undefined));
  if (!file || !info) {
    response.writeHead(404, { "content-type": "text/plain; charset=utf-8" }).end("not found\n");
    return;
  }
  const tag = `"${info.size.toString(36)}-${Math.round(info.mtimeMs).toString(36)}"`;
  response.setHeader("etag", tag);
  response.setHeader("cache-control", file.forever ? "public, max-age=31536000, immutable" : "no-cache");
  if (request.headers["if-none-match"] === tag) {
    response.writeHead(304).end();
    return;
  }
  response.writeHead(200, { "content-type": file.type, "content-length": info.size });
  if (request.method === "HEAD") response.end();
  else pipeline(createReadStream(file.path), response, () => {});
}
