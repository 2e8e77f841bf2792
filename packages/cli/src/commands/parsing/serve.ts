import { readdirSync, statSync, unlinkSync } from "node:fs";
import { connect } from "node:net";
import { availableParallelism } from "node:os";
import { basename, join } from "node:path";
import { createServer, LOG_FORMATS, type LogFormat, type ServedModel, type StemmaServer } from "@stemma/server";
import { type Command, InvalidArgumentError, Option } from "commander";
import { FileError, fileError, guarded } from "../../files/io.js";
import { loadModel } from "../../files/model.js";
import { packageFile, scriptFile } from "../../files/package-files.js";
import { VERSION } from "../../files/version.js";
import { between } from "../../options/numbers.js";
import { threads } from "../../options/threads.js";

interface ServeOptions {
  model: string[];
  models?: string;
  maxLoaded: number;
  host: string;
  port: number;
  threads: number;
  queue: number;
  maxBody: number;
  maxSentence: number;
  maxAnswers?: number;
  maxWork: number;
  timeout: number;
  pieceTime: number;
  keepAlive: number;
  maxConnections: number;
  connectionsPerClient: number;
  perClient: number;
  drainDelay: number;
  grace: number;
  socket?: string;
  cors: string[];
  allowHost: string[];
  log: LogFormat;
}

/** How often to look whether the program that started this one has ended (ms). */
const ORPHAN_INTERVAL = 500;

const EXAMPLES = `
Examples:
  $ stemma serve
  $ curl -H "Content-Type: text/plain" --data "The old boat sank." http://127.0.0.1:8080/v1/parse
  $ curl -T book.txt -X POST -H "Content-Type: text/plain" -H "Accept: application/x-ndjson" http://127.0.0.1:8080/v1/parse
  $ curl -F data=@book.txt -F tokenizer= -F tagger= -F parser= http://127.0.0.1:8080/process
  $ stemma serve --model en.stemma --model basque.stemma --threads 8 --host 0.0.0.0 --port 80

POST /v1/parse takes text, tokenized sentences and CoNLL-U; /openapi.json describes the API, and the page at / lets you try it.
Clients of UDPipe's REST service can use /process and /models. A model is named after its file or package; the first one is the default. While
only this machine can connect, requests must be for localhost (or a name given with --allow-host), and requests from web pages of
other origins are rejected unless --cors allows them. After SIGTERM or SIGINT the server finishes the requests it has accepted and
exits; a second signal ends it at once. SIGHUP reloads the models: new requests use the new ones, requests in progress finish with
the old ones.
Exit status: 0 if all accepted requests were finished, 1 if --grace ran out, 2 for wrong usage, or a file or address that cannot be
used.`;

/** Adds `stemma serve`. */
export function register(program: Command): void {
  const collect = (value: string, all: string[]) => [...all, value];
  program
    .command("serve")
    .description(
      "parse over HTTP: text, tokens or CoNLL-U in, trees out; also answers clients of UDPipe's REST service",
    )
    .addOption(
      new Option("-m, --model <file>", "model file, or a name such as en-large; may be given several times")
        .argParser(collect)
        .default([], "the English model that comes with Stemma"),
    )
    .option("--models <directory>", "load the models of this directory when a request asks for them by name")
    .option(
      "--max-loaded <number>",
      "how many of those may be loaded at a time; the least recently used makes room",
      between(1, 1000),
      2,
    )
    .option("--host <address>", "address to listen on; 0.0.0.0 or :: for all addresses", "127.0.0.1")
    .option("--port <number>", "port to listen on; 0 for any free port", between(0, 65535), 8080)
    .option(
      "--threads <number>",
      "number of parsing threads, which share one copy of the model; 0 for all cores",
      threads,
      0,
    )
    .option(
      "--queue <number>",
      "number of pieces of requests that may wait before new requests get 503",
      between(1, 1e6),
      1024,
    )
    .option("--max-body <bytes>", "maximum size of a request body", between(1, 2 ** 40), 1 << 24)
    .option("--max-sentence <words>", "maximum length of a sentence", between(1, 1e6), 1000)
    .option(
      "--max-answers <characters>",
      "memory for answers that clients have not taken yet (default: an eighth of Node's heap)",
      between(1 << 20, 2 ** 40),
    )
    .option(
      "--max-work <number>",
      "maximum words of a paragraph or sentence times beam width or number of trees",
      between(1, 1e9),
      1 << 17,
    )
    .option("--timeout <seconds>", "time a request may go without progress", seconds, 60)
    .option(
      "--piece-time <seconds>",
      "time limit for a piece of a request; after that its worker is replaced",
      seconds,
      10,
    )
    .option("--keep-alive <seconds>", "time a connection may wait for its next request", seconds, 30)
    .option("--max-connections <number>", "maximum number of connections", between(1, 1e6), 4096)
    .option(
      "--connections-per-client <number>",
      "maximum number of connections from one address; 0 for no limit",
      between(0, 1e6),
      1024,
    )
    .option(
      "--per-client <number>",
      "maximum number of simultaneous requests from one address; 0 for no limit",
      between(0, 1e6),
      0,
    )
    .option(
      "--drain-delay <seconds>",
      "time to keep listening after SIGTERM while reporting not ready",
      secondsOrNone,
      0,
    )
    .option("--grace <seconds>", "time to finish requests after that", seconds, 30)
    .option("--socket <path>", "listen on a Unix socket instead of a host and port")
    .addOption(
      new Option("--cors <origin>", "allow web pages from an origin (or *); may be given several times")
        .argParser(collect)
        .default([], "none"),
    )
    .addOption(
      new Option("--allow-host <name>", "accept requests for this host name (or *); may be given several times")
        .argParser((value, all: string[]) => [...all, value.toLowerCase()])
        .default([], "localhost"),
    )
    .addOption(
      new Option("--log <format>", "format of the request log on standard error").choices(LOG_FORMATS).default("json"),
    )
    .addHelpText("after", EXAMPLES)
    .action(guarded(serve));
}

function seconds(text: string): number {
  const value = Number(text);
  if (/^\d+(\.\d+)?$/.test(text) && value > 0 && value <= 86400) return value;
  throw new InvalidArgumentError("expected a number of seconds from more than 0 to 86400");
}

function secondsOrNone(text: string): number {
  return text === "0" ? 0 : seconds(text);
}

async function serve(options: ServeOptions): Promise<void> {
  const reloadAsked = hearReload();
  const server = await createServer({
    ...options,
    models: await loadModels(options.model),
    onDemand: options.models === undefined ? {} : modelsIn(options.models),
    threads: options.threads || availableParallelism(),
    version: VERSION,
    worker: scriptFile("workers/server-worker"),
    page: packageFile("dist/page/"),
  });
  await listen(server, options);
  const address = server.http.address();
  if (process.stdout.isTTY && typeof address === "object" && address !== null) {
    const host = address.family === "IPv6" ? `[${address.address}]` : address.address;
    process.stdout.write(`http://${host}:${address.port}/\n`);
  }
  process.exitCode = (await untilEnded(server, options, reloadAsked)) ? 0 : 1;
  process.exit();
}

/** The models under the names of their files; without a path the one that ships. */
async function loadModels(paths: readonly string[]): Promise<ReadonlyMap<string, ServedModel>> {
  const models = new Map<string, ServedModel>();
  for (const path of paths.length > 0 ? paths : ["en"]) {
    const name = basename(path).replace(/\.[^.]+$/, "");
    if (models.has(name)) {
      const first = paths[[...models.keys()].indexOf(name)];
      throw new FileError(`${path}: there is already a model named ${name}: ${first}`);
    }
    models.set(name, await loadModel(path));
  }
  return models;
}

/** The model files of a directory by their names. */
function modelsIn(directory: string): ReadonlyMap<string, string> {
  let names: string[];
  try {
    // Whoever asked for a pipe would wait for its writer.
    const isFile = (name: string) => statSync(join(directory, name), { throwIfNoEntry: false })?.isFile();
    names = readdirSync(directory).filter((name) => name.endsWith(".stemma") && isFile(name));
  } catch (error) {
    throw fileError("read", directory, error as NodeJS.ErrnoException);
  }
  if (names.length === 0) throw new FileError(`${directory}: no models (expected files whose names end in .stemma)`);
  return new Map(names.sort().map((name) => [name.slice(0, -".stemma".length), join(directory, name)]));
}

async function listen(server: StemmaServer, { host, port, socket }: ServeOptions): Promise<void> {
  try {
    if (socket !== undefined) await removeStaleSocket(socket);
    await server.listen(socket === undefined ? { host, port } : { path: socket });
  } catch (error) {
    await server.stop();
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === undefined) throw new FileError(message);
    throw new FileError(`cannot listen on ${socket ?? `${host}:${port}`}: ${REASONS[code ?? ""] ?? message}`);
  }
}

/** A server that was killed leaves its socket behind, which nobody answers. */
async function removeStaleSocket(path: string): Promise<void> {
  if (!statSync(path, { throwIfNoEntry: false })?.isSocket()) return;
  const answered = await new Promise<boolean>((resolve) => {
    const socket = connect(path);
    socket.on("connect", () => resolve(true));
    socket.on("error", () => resolve(false));
    socket.on("close", () => socket.destroy());
    setTimeout(() => resolve(true), 1000).unref();
  });
  if (!answered) unlinkSync(path);
}

/** Listens for SIGHUP, which would end the process while models are loaded; the answer is whether it has come. */
function hearReload(): () => boolean {
  let heard = false;
  const hear = () => {
    heard = true;
  };
  process.on("SIGHUP", hear);
  return () => {
    process.off("SIGHUP", hear);
    return heard;
  };
}

/** Resolves when the server has ended as it was told to; true if it has finished all requests. */
function untilEnded(
  server: StemmaServer,
  { model, grace, drainDelay }: ServeOptions,
  reloadAsked: () => boolean,
): Promise<boolean> {
  return new Promise((resolve) => {
    let ending = false;
    const end = () => {
      if (ending) process.exit(1);
      ending = true;
      server.drain(grace, drainDelay).then(resolve);
    };
    process.on("SIGTERM", end);
    process.on("SIGINT", end);
    const reload = () => {
      if (!ending) void server.reload(() => loadModels(model));
    };
    process.on("SIGHUP", reload);
    if (reloadAsked()) reload();
    // npx and npm start a shell that ends on SIGTERM without a word to the server.
    if (process.env.npm_command === undefined) return;
    const parent = process.ppid;
    const watch = setInterval(() => {
      if (process.ppid === parent) return;
      clearInterval(watch);
      if (!ending) end();
    }, ORPHAN_INTERVAL);
    watch.unref();
  });
}

const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: "the address is in use (choose another --port)",
  EACCES: "permission denied (ports below 1024 may need privileges)",
  EADDRNOTAVAIL: "this machine does not have the address",
  ENOTFOUND: "no such host",
};
