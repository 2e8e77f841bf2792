// The HTTP server: routes, limits, logs, and an end that finishes what was accepted.
import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from "node:http";
import { type AddressInfo, Server as NetServer, type Socket } from "node:net";
import { Exchange, Gone, type Limits } from "./exchange.js";
import { Log, type LogFormat } from "./log.js";
import { Metrics } from "./metrics.js";
import { Models, type ServedModel } from "./models.js";
import { openapi } from "./openapi.js";
import { pageFiles } from "./page.js";
import { type ParseSettings, parseRoute } from "./parse-route.js";
import { Problem } from "./problem.js";
import { Scheduler } from "./scheduler.js";
import { UDPIPE_PREFIXES, udpipeModels, udpipeProcess } from "./udpipe-route.js";

export interface ServerOptions {
  models: readonly ServedModel[];
  /** Number of workers. */
  threads: number;
  /** Pieces of requests that may wait. */
  queue: number;
  /** Bytes of a body. */
  maxBody: number;
  /** Words of a sentence. */
  maxSentence: number;
  /** Seconds for a request; for its head; for a pause in its body; that a connection may be idle. */
  timeout: number;
  headTimeout?: number | undefined;
  idleTimeout?: number | undefined;
  keepAlive?: number | undefined;
  /** Origins that may use the server from a web page; "*" for all. */
  cors: readonly string[];
  log: LogFormat;
  version: string;
  /** For tests: where the log goes, and the script of the workers. */
  logTo?: { write(text: string): unknown } | undefined;
  workerScript?: URL | undefined;
}

interface Route {
  methods: readonly string[];
  handle(exchange: Exchange, query: string): void | Promise<void>;
}

/** Longest head of a request: UDPipe's clients put texts into the address. */
const MAX_HEAD = 1 << 16;
/** Milliseconds that connections stay open after the server has stopped to listen: requests may be on their way. */
const LAST_REQUESTS = 1000;
const NO_QUERY = new URLSearchParams();

export class StemmaServer {
  readonly http: Server;
  readonly scheduler: Scheduler;
  readonly metrics = new Metrics();
  private readonly log: Log;
  private readonly models: Models;
  private readonly limits: Limits;
  private readonly routes: ReadonlyMap<string, Route>;
  /** Requests that are not answered, each at its `place`. */
  private readonly exchanges: Exchange[] = [];
  private readonly sockets = new Set<Socket>();
  private draining = false;

  constructor(private readonly options: ServerOptions) {
    const { models, threads, queue, timeout, headTimeout = 10, idleTimeout = 10, keepAlive = 30 } = options;
    this.log = new Log(options.log, options.logTo);
    this.models = new Models(models);
    this.scheduler = new Scheduler({
      models: models.map(({ model }) => model),
      threads,
      queue,
      script: options.workerScript,
      onWorkerEnd: (error) => this.log.event("worker-ended", { error: error.message }),
    });
    this.limits = {
      maxBody: options.maxBody,
      timeout: 1000 * timeout,
      idleTimeout: 1000 * idleTimeout,
      memory: { used: 0, most: Math.max(1 << 26, 8 * options.maxBody) },
    };
    this.routes = this.makeRoutes();
    this.http = createServer({
      maxHeaderSize: MAX_HEAD,
      headersTimeout: 1000 * headTimeout,
      // Bodies have timeouts of their own, which answer with a problem document; this is for what they do not see.
      requestTimeout: 1000 * (timeout + idleTimeout + 5),
      connectionsCheckingInterval: Math.min(1000, 200 * headTimeout),
      keepAliveTimeout: 1000 * keepAlive,
      noDelay: true,
    });
    this.http.on("request", (req, res) => this.serve(req, res, false));
    this.http.on("checkContinue", (req, res) => this.serve(req, res, true));
    this.http.on("checkExpectation", (_, res: ServerResponse) => {
      this.answerProblem(
        res,
        new Problem(417, "unknown-expectation", "unknown expectation (expected 100-continue)", "Expect"),
      );
    });
    this.http.on("clientError", (error: NodeJS.ErrnoException, socket) => {
      const problem = problemOf(error);
      const open = this.exchanges.filter(({ req }) => req.socket === socket);
      // What is under way on the connection answers by itself.
      if (open.length > 0) for (const exchange of open) exchange.abort(problem);
      else refuse(error, problem, socket as Socket);
    });
    this.http.on("connection", (socket: Socket) => {
      this.sockets.add(socket);
      this.metrics.connections++;
      socket.on("close", () => {
        this.sockets.delete(socket);
        this.metrics.connections--;
      });
    });
  }

  /** Resolves with the address when the workers are ready and the server listens. */
  async listen(host: string, port: number): Promise<AddressInfo> {
    await this.scheduler.ready;
    await new Promise<void>((resolve, reject) => {
      this.http.once("error", reject);
      this.http.listen({ host, port, backlog: 1024 }, () => {
        this.http.off("error", reject);
        resolve();
      });
    });
    const address = this.http.address() as AddressInfo;
    const names = this.models.names.join(",");
    this.log.event("listening", {
      host: address.address,
      port: address.port,
      workers: this.scheduler.workers,
      models: names,
    });
    return address;
  }

  /** Stops to listen, finishes what was accepted, and ends; true if that was done before the deadline (seconds). */
  async drain(deadline: number): Promise<boolean> {
    this.draining = true;
    this.log.event("draining", { requests: this.exchanges.length });
    // The close of the HTTP server would cut idle connections, where a request may be on its way.
    const stopped = new Promise<void>((resolve) => NetServer.prototype.close.call(this.http, () => resolve()));
    // After what has arrived has been read: timers run before that, immediates after it.
    const closeIdle = setInterval(() => setImmediate(() => this.http.closeIdleConnections()), LAST_REQUESTS);
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      for (const socket of this.sockets) socket.destroy();
    }, 1000 * deadline);
    await stopped;
    clearInterval(closeIdle);
    clearTimeout(timer);
    await this.stop();
    return !late;
  }

  /** Ends at once: what is under way fails. */
  async stop(): Promise<void> {
    this.http.close();
    for (const socket of this.sockets) socket.destroy();
    await this.scheduler.close();
    this.log.event("stopped");
    this.log.flush();
  }

  private makeRoutes(): Map<string, Route> {
    const { models, scheduler, metrics, options } = this;
    const { maxSentence, threads, version } = options;
    const settings: ParseSettings = { models, maxSentence, window: 2 * threads + 2 };
    const get = (type: string, text: () => string, status = () => 200): Route => ({
      methods: ["GET", "HEAD"],
      handle: (exchange) => exchange.send(status(), { "Content-Type": type }, text()),
    });
    const JSON_TYPE = "application/json; charset=utf-8";
    const json = (value: () => object, status?: () => number) =>
      get(JSON_TYPE, () => `${JSON.stringify(value())}\n`, status);
    const description = `${JSON.stringify(openapi(models.names, options))}\n`;
    const routes = new Map<string, Route>([
      ...pageFiles().map(({ path, type, text }): [string, Route] => [path, get(type, () => text)]),
      [
        "/health",
        json(
          () => this.health(version),
          () => (this.draining ? 503 : 200),
        ),
      ],
      ["/metrics", get("text/plain; version=0.0.4; charset=utf-8", () => metrics.text(scheduler))],
      ["/openapi.json", get(JSON_TYPE, () => description)],
      ["/v1/models", json(() => models.toJSON())],
      [
        "/v1/parse",
        {
          methods: ["POST"],
          handle: (exchange, query) => {
            this.admit();
            return parseRoute(exchange, query === "" ? NO_QUERY : new URLSearchParams(query), settings);
          },
        },
      ],
    ]);
    const list = `${JSON.stringify(udpipeModels(models), null, 1)}\n`;
    for (const prefix of UDPIPE_PREFIXES) {
      const both = ["GET", "HEAD", "POST"];
      routes.set(`${prefix}/models`, {
        methods: both,
        handle: async (exchange) => {
          if (exchange.req.method === "POST") await exchange.body();
          exchange.send(200, { "Content-Type": JSON_TYPE }, list);
        },
      });
      routes.set(`${prefix}/process`, {
        methods: both,
        handle: (exchange, query) => {
          this.admit();
          return udpipeProcess(exchange, query, settings);
        },
      });
    }
    return routes;
  }

  private health(version: string): object {
    const { scheduler } = this;
    const status = this.draining ? "draining" : "ready";
    return { status, version, workers: scheduler.workers, busy: scheduler.busy, queue: scheduler.waiting };
  }

  // Before the body is read: what cannot be taken in need not be sent.
  private admit(): void {
    if (this.scheduler.full) throw this.scheduler.queueFull();
  }

  private async serve(req: IncomingMessage, res: ServerResponse, expectsContinue: boolean): Promise<void> {
    const given = req.headers["x-request-id"];
    const id = typeof given === "string" && /^[\w.:\-/+=]{1,128}$/.test(given) ? given : randomUUID();
    const exchange = new Exchange(req, res, id, this.limits, this.scheduler, expectsContinue);
    exchange.close = this.draining;
    exchange.place = this.exchanges.push(exchange) - 1;
    this.metrics.inFlight++;
    const [path, query] = target(req.url!);
    const route = this.routes.get(path);
    res.once("close", () => this.ended(exchange, path, route !== undefined));
    try {
      if (this.crossOrigin(exchange)) return exchange.send(204, {}, "");
      if (!route) throw new Problem(404, "unknown-path", `no such path: ${path.slice(0, 100)}`, "path");
      if (!route.methods.includes(req.method!)) {
        const allow = route.methods.join(", ");
        throw new Problem(405, "method-not-allowed", `${req.method} is not for ${path} (expected ${allow})`, "method", {
          Allow: allow,
        });
      }
      await route.handle(exchange, query);
    } catch (error) {
      this.fail(exchange, error as Error, path);
    }
  }

  /** Allows what was configured; true if the request was only a question whether it may be sent. */
  private crossOrigin({ req, headers }: Exchange): boolean {
    const { cors } = this.options;
    const { origin } = req.headers;
    if (cors.length === 0 || origin === undefined) return false;
    headers.push("Vary", "Origin");
    if (!cors.includes("*") && !cors.includes(origin)) return false;
    headers.push("Access-Control-Allow-Origin", cors.includes("*") ? "*" : origin);
    headers.push("Access-Control-Expose-Headers", "X-Request-Id, Retry-After");
    if (req.method !== "OPTIONS" || req.headers["access-control-request-method"] === undefined) return false;
    headers.push("Access-Control-Allow-Methods", "GET, HEAD, POST");
    headers.push("Access-Control-Allow-Headers", "Content-Type, X-Request-Id");
    headers.push("Access-Control-Max-Age", "600");
    return true;
  }

  private fail(exchange: Exchange, error: Error, path: string): void {
    if (error instanceof Gone) return;
    let problem = error as Problem;
    if (!(error instanceof Problem)) {
      this.log.event("error", { id: exchange.id, error: String(error.stack ?? error) });
      problem = new Problem(500, "internal-error", "an error in the server; its log has it under the X-Request-Id");
    }
    exchange.abort(problem);
    if (exchange.sent) {
      exchange.breakOff(exchange.breakOffWith(problem));
      return;
    }
    const udpipe = /\/(process|models)$/.test(path) && !path.startsWith("/v1/");
    // UDPipe's clients show an error as it comes.
    const [type, text] = udpipe
      ? ["text/plain; charset=utf-8", `${problem.message}\n`]
      : ["application/problem+json", `${JSON.stringify(problem)}\n`];
    exchange.send(problem.status, { "Content-Type": type!, ...problem.headers }, text!);
  }

  private answerProblem(res: ServerResponse, problem: Problem): void {
    res.writeHead(problem.status, { "Content-Type": "application/problem+json", Connection: "close" });
    res.end(`${JSON.stringify(problem)}\n`);
  }

  private ended(exchange: Exchange, path: string, known: boolean): void {
    const last = this.exchanges.pop()!;
    if (last !== exchange) {
      this.exchanges[exchange.place] = last;
      last.place = exchange.place;
    }
    this.metrics.inFlight--;
    const { req, res, id, bytesIn, bytesOut, sentences, words, lane } = exchange;
    const ms = performance.now() - exchange.begun;
    // As nginx counts clients that have gone.
    const status = res.writableFinished ? res.statusCode : 499;
    this.metrics.count(known ? path : "other", status, ms / 1000, exchange);
    if (this.options.log === "off") return;
    this.log.request({
      id,
      method: req.method!,
      path: path.slice(0, 200),
      status,
      ms: Math.round(100 * ms) / 100,
      bytesIn,
      bytesOut,
      sentences,
      tokens: words,
      queueMs: Math.round(100 * lane.waited) / 100,
    });
  }
}

/** Path and query of a request; proxies may send the whole address. */
function target(url: string): [path: string, query: string] {
  const local = /^https?:\/\/[^/?]*/i.test(url) ? url.replace(/^https?:\/\/[^/?]*/i, "") || "/" : url;
  const at = local.indexOf("?");
  return at < 0 ? [local, ""] : [local.slice(0, at), local.slice(at + 1)];
}

const CLIENT_ERRORS: Readonly<Record<string, [status: number, kind: string, detail: string]>> = {
  HPE_HEADER_OVERFLOW: [431, "head-too-large", `the head of the request has more than ${MAX_HEAD} bytes`],
  ERR_HTTP_REQUEST_TIMEOUT: [408, "request-too-slow", "the request did not arrive in time"],
};

function problemOf({ code = "" }: NodeJS.ErrnoException): Problem {
  const [status, kind, detail] = CLIENT_ERRORS[code] ?? [400, "invalid-http", "the request is not valid HTTP"];
  return new Problem(status, kind, detail);
}

/** Answers what is no HTTP, or did not arrive in time. */
function refuse(error: NodeJS.ErrnoException, problem: Problem, socket: Socket): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const { status } = problem;
  const body = `${JSON.stringify(problem)}\n`;
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    "Connection: close",
    "Content-Type: application/problem+json",
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
  setTimeout(() => socket.destroy(), 1000).unref();
}
