import { createReadStream } from "node:fs";
import { readdir, readFile, stat } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { basename, extname, join, sep } from "node:path";
import { pipeline } from "node:stream";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { type Coding, checkHeaders, checkHost, codingFor, Problem } from "@stemma/server/http";

/** The name under which the page asks for its first model, and for the list of all. */
export const MODEL_NAME = "en.stemma";
const MODEL_LIST = "models.json";

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".json": "application/json",
  ".webmanifest": "application/manifest+json",
};

/** Types of files that shrink when packed. Models hardly do, and nothing is far away on the machine itself. */
const PACKED = new Set([".html", ".js", ".css", ".svg", ".json", ".webmanifest"]);

/**
 * The page loads nothing from elsewhere and sends nothing anywhere, and the browser sees to that. WebAssembly scores
 * the parser's moves.
 */
const POLICY =
  "default-src 'self'; script-src 'self' 'unsafe-inline' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; img-src 'self' blob:";

/** A file that can be asked for, or a text in its place. */
interface Served {
  readonly path: string;
  readonly text?: string;
  readonly type: string;
  readonly forever: boolean;
  readonly packed: boolean;
}

/**
 * Serves a folder and models over HTTP; the first model is the one that the page begins with. The files are listed once
 * and only these names are answered, so no request can name a file outside.
 */
export async function createStudioServer(folder: string, models: readonly string[]): Promise<Server> {
  const files = new Map<string, Served>();
  for (const entry of await readdir(folder, { recursive: true })) {
    const path = join(folder, entry);
    if (!(await stat(path)).isFile()) continue;
    const name = entry.split(sep).join("/");
    // Files that the build puts into assets have a hash of their content in their names.
    const forever = name.startsWith("assets/");
    const type = TYPES[extname(name)] ?? "application/octet-stream";
    files.set(`/${name}`, { path, type, forever, packed: PACKED.has(extname(name)) });
  }
  files.set("/", files.get("/index.html")!);
  const model = (path: string): Served => ({ path, type: "application/octet-stream", forever: false, packed: false });
  files.delete(`/${MODEL_NAME}`);
  const list: { name: string; file: string; bytes: number }[] = [];
  for (const [i, path] of models.entries()) {
    const file = i === 0 ? MODEL_NAME : `models/${i}/${encodeURIComponent(basename(path))}`;
    files.set(`/${file}`, model(path));
    list.push({ name: basename(path), file, bytes: (await stat(path)).size });
  }
  files.set(`/${MODEL_LIST}`, {
    path: models[0] ?? folder,
    text: JSON.stringify(list),
    type: TYPES[".json"]!,
    forever: false,
    packed: true,
  });
  const cache = new Map<string, Buffer>();
  // Refused below, with a reason.
  return createServer({ requireHostHeader: false }, (request, response) => {
    answer(files, cache, request, response).catch((error) => {
      const { status, message } = error instanceof Problem ? error : { status: 500, message: "an error in the server" };
      if (!response.headersSent) response.writeHead(status, { "content-type": "text/plain; charset=utf-8" });
      response.end(`${message}\n`);
    });
  });
}

async function answer(
  files: ReadonlyMap<string, Served>,
  cache: Map<string, Buffer>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  response.setHeader("x-content-type-options", "nosniff");
  response.setHeader("content-security-policy", POLICY);
  // A page that the user happens to look at must not read models of this machine, under whatever name it asks.
  checkHeaders(request);
  checkHost(request, [], []);
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
  const size = file.text === undefined ? info.size : Buffer.byteLength(file.text);
  const coding = file.packed ? (codingFor(request.headers["accept-encoding"] ?? "") ?? "identity") : "identity";
  const version = `${size.toString(36)}-${Math.round(info.mtimeMs).toString(36)}`;
  const tag = `"${version}${coding === "identity" ? "" : `-${coding}`}"`;
  response.setHeader("etag", tag);
  if (file.packed) response.setHeader("vary", "accept-encoding");
  response.setHeader("cache-control", file.forever ? "public, max-age=31536000, immutable" : "no-cache");
  if (request.headers["if-none-match"] === tag) {
    response.writeHead(304).end();
    return;
  }
  const whole = coding === "identity" ? undefined : await packedFile(cache, name, version, file, coding);
  if (whole) response.setHeader("content-encoding", coding);
  response.writeHead(200, { "content-type": file.type, "content-length": whole?.length ?? size });
  if (request.method === "HEAD") response.end();
  else if (whole) response.end(whole);
  else if (file.text !== undefined) response.end(file.text);
  else pipeline(createReadStream(file.path), response, () => {});
}

const brotli = promisify(brotliCompress);
const gzipped = promisify(gzip);

/** A file as it is sent, packed once for each version and coding. */
async function packedFile(
  cache: Map<string, Buffer>,
  name: string,
  version: string,
  file: Served,
  coding: Coding,
): Promise<Buffer> {
  const key = `${name} ${version} ${coding}`;
  let bytes = cache.get(key);
  if (!bytes) {
    const plain = file.text === undefined ? await readFile(file.path) : Buffer.from(file.text);
    const options = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };
    bytes = await (coding === "br" ? brotli(plain, options) : gzipped(plain));
    cache.set(key, bytes);
  }
  return bytes;
}
