import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { type Command, InvalidArgumentError, Option } from "commander";
import { FileError, guarded } from "../io.js";
import { LOG_FORMATS, type LogFormat } from "../server/log.js";
import { loadModels } from "../server/models.js";
import { StemmaServer } from "../server/server.js";

interface ServeOptions {
  model: string[];
  host: string;
  port: number;
  threads: number;
  queue: number;
  maxBody: number;
  maxSentence: number;
  timeout: number;
  grace: number;
  cors: string[];
  log: LogFormat;
}

const MOST_THREADS = 256;

const EXAMPLES = `
Examples:
  $ stemma serve
  $ curl -H "Content-Type: text/plain" --data "The old boat sank." http://127.0.0.1:8080/v1/parse
  $ curl -T book.txt -X POST -H "Content-Type: text/plain" -H "Accept: application/x-ndjson" http://127.0.0.1:8080/v1/parse
  $ curl -F data=@book.txt -F tokenizer= -F tagger= -F parser= http://127.0.0.1:8080/process
  $ stemma serve --model en.stemma --model basque.stemma --threads 8 --host 0.0.0.0 --port 80

POST /v1/parse takes text, sentences cut into tokens, and CoNLL-U; /openapi.json describes it, and the page at / tries
it. Clients of UDPipe's REST service find /process and /models. A model has the name of its file; the first is the default.
SIGTERM and SIGINT end the server when it has finished what it has accepted; a second one ends it at once.
Exit status: 0 ended as asked for, 1 the time of --grace was over, 2 wrong usage, or a file or address that cannot be used.`;

/** Adds `stemma serve`. */
export function register(program: Command): void {
  const collect = (value: string, all: string[]) => [...all, value];
  program
    .command("serve")
    .description("parse over HTTP: text, tokens or CoNLL-U in, trees out; also as UDPipe's REST service")
    .addOption(
      new Option("-m, --model <file>", "a model; may be given several times")
        .argParser(collect)
        .default([], "the English model that ships"),
    )
    .option("--host <address>", "address to listen on; 0.0.0.0 or :: for all", "127.0.0.1")
    .option("--port <number>", "port to listen on; 0 for one that is free", whole(0, 65535), 8080)
    .option(
      "--threads <number>",
      "threads that parse, on one copy of the model; 0 is all cores",
      whole(0, MOST_THREADS),
      0,
    )
    .option("--queue <number>", "pieces of requests that may wait; then new requests get 503", whole(1, 1e6), 1024)
    .option("--max-body <bytes>", "largest body of a request", whole(1, 2 ** 40), 1 << 24)
    .option("--max-sentence <words>", "longest sentence", whole(1, 1e6), 1000)
    .option("--timeout <seconds>", "time for a request, from its beginning to the end of its answer", seconds, 60)
    .option("--grace <seconds>", "time to finish requests after SIGTERM", seconds, 30)
    .addOption(
      new Option("--cors <origin>", "allow web pages from an origin (or *); may be given several times")
        .argParser(collect)
        .default([], "none"),
    )
    .addOption(
      new Option("--log <format>", "a line on standard error for each request").choices(LOG_FORMATS).default("json"),
    )
    .addHelpText("after", EXAMPLES)
    .action(guarded(serve));
}

function whole(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= least && value <= most) return value;
    throw new InvalidArgumentError(`expected a whole number from ${least} to ${most}`);
  };
}

function seconds(text: string): number {
  const value = Number(text);
  if (/^\d+(\.\d+)?$/.test(text) && value > 0 && value <= 86400) return value;
  throw new InvalidArgumentError("expected a number of seconds from more than 0 to 86400");
}

async function serve(options: ServeOptions): Promise<void> {
  const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as {
    version: string;
  };
  const server = new StemmaServer({
    ...options,
    models: await loadModels(options.model),
    threads: options.threads || availableParallelism(),
    version,
  });
  const { host, port, grace } = options;
  try {
    await server.listen(host, port);
  } catch (error) {
    await server.stop();
    const { code, message } = error as NodeJS.ErrnoException;
    throw new FileError(`cannot listen on ${host}:${port}: ${REASONS[code ?? ""] ?? message}`);
  }
  const { address, port: bound, family } = server.http.address() as import("node:net").AddressInfo;
  if (process.stdout.isTTY) {
    process.stdout.write(`http://${family === "IPv6" ? `[${address}]` : address}:${bound}/\n`);
  }
  await new Promise<void>((resolve) => {
    let ending = false;
    const end = () => {
      if (ending) process.exit(1);
      ending = true;
      server.drain(grace).then((finished) => {
        process.exitCode = finished ? 0 : 1;
        resolve();
      });
    };
    process.on("SIGTERM", end);
    process.on("SIGINT", end);
  });
  process.exit();
}

const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: "the address is in use (choose another --port)",
  EACCES: "permission denied (ports below 1024 may need privileges)",
  EADDRNOTAVAIL: "this machine does not have the address",
  ENOTFOUND: "no such host",
};
