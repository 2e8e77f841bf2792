// The HTTP server: routes, limits, logs, and an end that finishes what was accepted.
import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from "node:http";
import { type AddressInfo, Server as NetServer, type Socket } from "node:net";
import { Exchange, Gone, type Limits } from "./http/exchange.js";
import { checkHost, checkHostHeader, isLoopbackAddress } from "./http/host-check.js";
import { Log, type LogFormat, type LogTarget } from "./http/log.js";
import { Problem } from "./http/problem.js";
import { nextTurn, turnNumber } from "./http/turns.js";
import { Metrics, type Work } from "./metrics/metrics.js";
import { Generation } from "./pool/generation.js";
import type { ServedModel } from "./pool/models.js";
import { type Scheduler, SchedulerCounters } from "./pool/scheduler.js";
import { pageFiles } from "./routes/page.js";
import { type ParseSettings, parseRoute } from "./routes/parse-route.js";
import { UDPIPE_PREFIXES, udpipeProcess } from "./routes/udpipe-route.js";

export interface ServerOptions {
  models: readonly ServedModel[];
  /** Number of workers, besides one for small requests. */
  threads: number;
  /** Pieces of requests that may wait. */
  queue: number;
  /** Bytes of a body. */
  maxBody: number;
  /** Words of a sentence. */
  maxSentence: number;
  /**
   * Seconds that a request may go without progress; for its head; for a pause in its body; that a connection may be
   * idle.
   */
  timeout: number;
  headTimeout?: number | undefined;
  idleTimeout?: number | undefined;
  keepAlive?: number | undefined;
  /** Seconds for a piece of a request, after which its worker is replaced. */
  pieceTime?: number | undefined;
  /** Connections at a time; requests at a time from one address, 0 for any number. */
  maxConnections?: number | undefined;
  perClient?: number | undefined;
  /** UTF-16 units of answers that clients are slow to take, of all of them together. */
  maxUnread?: number | undefined;
  /** Origins that may use the server from a web page; "*" for all. */
  cors: readonly string[];
  /** Names of this host that requests may use while only this machine can connect; "*" for all. */
  allowHost?: readonly string[] | undefined;
  log: LogFormat;
  version: string;
  /** For tests: where the log goes, the script of the workers, and whether there is one for small requests. */
  logTo?: LogTarget | undefined;
  workerScript?: URL | undefined;
  express?: boolean | undefined;
}

/** Where to listen. */
export type Place = { host: string; port: number } | { path: string };

interface Connection {
  /** Requests that are not answered. */
  exchanges: Set<Exchange>;
  /** How many bytes had come when the last of them was. */
  answered: number;
  /** The turn in which the last one came. */
  turn: number;
}

interface Route {
  methods: readonly string[];
  handle(exchange: Exchange, query: string, generation: Generation): void | Promise<void>;
}

/** Longest head of a request: UDPipe's clients put texts into the address. */
const MAX_HEAD = 1 << 16;
/** Milliseconds that connections stay open after the server has stopped listening: requests may be on their way. */
const LAST_REQUESTS = 1000;
/**
 * When a timer is so late (ms), the machine has too much to do, for clients as well: their requests may take longer. So
 * many times they are waited for again.
 */
const LATE = 50;
const MOST_WAITS = 5;
/**
 * A connection with so many requests that are not answered is closed: their answers would take up memory until it
 * reads them.
 */
const MOST_PIPELINED = 128;
const NO_QUERY = new URLSearchParams();
const NO_WORK: Work = { model: undefined, words: 0, sentences: 0, bytesIn: 0, bytesOut: 0 };

export class StemmaServer {
  readonly http: Server;
  readonly metrics = new Metrics();
  private readonly log: Log;
  private readonly limits: Limits;
  private readonly routes: ReadonlyMap<string, Route>;
  private readonly counters = new SchedulerCounters();
  private generation: Generation;
  private readonly sockets = new Map<Socket, Connection>();
  /** How many of them there are by address, if that is limited. */
  private readonly clients = new Map<string, number>();
  /** Connections so far. */
  private accepted = 0;
  private loopback = false;
  private draining = false;
  /** Whether answers say that the connection ends with them. */
  private closesConnections = false;

  constructor(private readonly options: ServerOptions) {
    const { timeout, headTimeout = 10, idleTimeout = 10, keepAlive = 30, maxConnections = 4096 } = options;
    this.log = new Log(options.log, options.logTo);
    this.generation = this.generationOf(options.models);
    this.limits = {
      maxBody: options.maxBody,
      timeout: 1000 * timeout,
      idleTimeout: 1000 * idleTimeout,
      memory: { used: 0, most: Math.max(1 << 26, 8 * options.maxBody) },
      answers: { used: 0, most: options.maxUnread ?? 1 << 28 },
    };
    this.routes = this.makeRoutes();
    this.http = createServer({
      maxHeaderSize: MAX_HEAD,
      headersTimeout: 1000 * headTimeout,
      // Bodies have timeouts of their own, which answer with a problem document.
      requestTimeout: 0,
      // Refused below, with a problem document.
      requireHostHeader: false,
      connectionsCheckingInterval: Math.min(1000, 200 * headTimeout),
      keepAliveTimeout: 1000 * keepAlive,
      noDelay: true,
    });
    this.http.maxConnections = maxConnections;
    // A client may close its half of the connection after the request, and wait for the answer.
    (this.http as Server & { httpAllowHalfOpen: boolean }).httpAllowHalfOpen = true;
    this.http.on("request", (req, res) => this.serve(req, res, false));
    this.http.on("checkContinue", (req, res) => this.serve(req, res, true));
    this.http.on("checkExpectation", (req: IncomingMessage, res: ServerResponse) =>
      this.serve(req, res, false, UNKNOWN_EXPECTATION),
    );
    this.http.on("clientError", (error: NodeJS.ErrnoException, socket: Socket) => this.clientError(error, socket));
    this.http.on("drop", () => this.metrics.refusedConnections++);
    this.http.on("connection", (socket: Socket) => this.connected(socket));
  }

  /** What gives pieces to workers. */
  get scheduler(): Scheduler {
    return this.generation.scheduler;
  }

  private generationOf(models: readonly ServedModel[]): Generation {
    const { threads, express = true, queue, pieceTime = 10, workerScript: script } = this.options;
    const onWorkerEnd = (error: Error) => this.log.event("worker-ended", { error: error.message });
    return new Generation(
      models,
      { threads, express, queue, pieceTime, counters: this.counters, script, onWorkerEnd },
      this.options,
    );
  }

  /** Resolves when the workers are ready and the server listens. */
  async listen(place: Place): Promise<void> {
    await this.scheduler.ready;
    await new Promise<void>((resolve, reject) => {
      this.http.once("error", reject);
      this.http.listen({ ...place, backlog: 1024 }, () => {
        this.http.off("error", reject);
        resolve();
      });
    });
    const address = this.http.address() as AddressInfo | string;
    // Web pages cannot reach a socket in the file system.
    this.loopback = typeof address !== "string" && isLoopbackAddress(address.address);
    const where = typeof address === "string" ? { path: address } : { host: address.address, port: address.port };
    const { models, scheduler } = this.generation;
    this.log.event("listening", { ...where, workers: scheduler.workers, models: models.names.join(",") });
  }

  /**
   * Takes other models into use: requests that come from now on are done with them, those that are under way with the
   * old ones.
   */
  async reload(load: () => Promise<readonly ServedModel[]>): Promise<void> {
    let next: Generation;
    try {
      next = this.generationOf(await load());
    } catch (error) {
      this.log.event("reload-failed", { error: (error as Error).message });
      return;
    }
    await next.scheduler.ready;
    const before = this.generation;
    this.generation = next;
    before.retire();
    this.metrics.reloads++;
    this.log.event("reloaded", { models: next.models.names.join(",") });
  }

  /**
   * Says that it is not ready, and after `delay` seconds stops listening, finishes what was accepted, and ends; true if
   * that was done within `grace` seconds from then. The delay is for those who send requests here until they have seen
   * that it is not ready.
   */
  async drain(grace: number, delay = 0): Promise<boolean> {
    this.draining = true;
    this.log.event("draining", { requests: this.metrics.inFlight });
    if (delay > 0) {
      this.closesConnections = true;
      await new Promise((resolve) => setTimeout(resolve, 1000 * delay));
    }
    // Clients that were told to close their connection would come back with another one.
    this.closesConnections = false;
    const begun = performance.now();
    await this.acceptWaiting(500 * grace);
    // Clients that are told so do not send another request to a connection that is about to close.
    this.closesConnections = true;
    for (const { exchanges } of this.sockets.values()) {
      const last = [...exchanges].at(-1);
      if (last) last.close = true;
    }
    // The close of the HTTP server would cut idle connections, where a request may be on its way.
    const stopped = new Promise<void>((resolve) => NetServer.prototype.close.call(this.http, () => resolve()));
    const stopClosing = this.closeIdle();
    let late = false;
    const timer = setTimeout(
      () => {
        late = true;
        for (const socket of this.sockets.keys()) socket.destroy();
      },
      1000 * grace - (performance.now() - begun),
    );
    await stopped;
    stopClosing();
    clearTimeout(timer);
    await this.stop();
    return !late;
  }

  /**
   * Until a turn of the event loop has brought no connection: those that the system has accepted and this process has
   * not would be reset when it stops listening. After at most so many milliseconds: one is accepted in a turn.
   */
  private async acceptWaiting(most: number): Promise<void> {
    const end = performance.now() + most;
    let before: number;
    do {
      before = this.accepted;
      // Nothing comes in between the reading of what has arrived and what follows here.
      for (let turn = 0; turn < 2; turn++) await new Promise((resolve) => setImmediate(resolve));
    } while (this.accepted > before && performance.now() < end);
  }

  /**
   * From now on closes connections on which nothing is under way, again and again. Node's closeIdleConnections would
   * also close those whose last answer is not yet sent. Gives what ends it.
   */
  private closeIdle(): () => void {
    let waits = 0;
    let expected = performance.now() + LAST_REQUESTS;
    const close = () => {
      for (const [socket, { exchanges, answered }] of this.sockets) {
        // What has come since is the beginning of a request.
        if (exchanges.size > 0 || socket.bytesRead > answered) continue;
        if (socket.writableEnded) socket.destroy();
        else socket.end();
      }
    };
    const timer = setInterval(() => {
      const now = performance.now();
      const isLate = now - expected > LATE;
      expected = now + LAST_REQUESTS;
      if (isLate && waits++ < MOST_WAITS) return;
      // After what has arrived has been read: timers run before that, immediates after it.
      setImmediate(close);
    }, LAST_REQUESTS);
    return () => clearInterval(timer);
  }

  /** Ends at once: what is under way fails. */
  async stop(): Promise<void> {
    this.http.close();
    for (const socket of this.sockets.keys()) socket.destroy();
    await this.scheduler.close();
    this.metrics.close();
    this.log.event("stopped");
    await this.log.close();
  }

  private makeRoutes(): Map<string, Route> {
    const { metrics, options } = this;
    const { maxSentence, threads } = options;
    const settings = ({ models }: Generation): ParseSettings => ({ models, maxSentence, window: 2 * threads + 2 });
    type Text = (generation: Generation) => string;
    const get = (type: string, text: Text, status = () => 200): Route => ({
      methods: ["GET", "HEAD"],
      handle: (exchange, _, generation) => exchange.send(status(), { "Content-Type": type }, text(generation)),
    });
    const JSON_TYPE = "application/json; charset=utf-8";
    const json = (value: (generation: Generation) => object, status?: () => number) =>
      get(JSON_TYPE, (generation) => `${JSON.stringify(value(generation))}\n`, status);
    const ready = json(
      () => this.health(),
      () => (this.status() === "ready" ? 200 : 503),
    );
    const routes = new Map<string, Route>([
      ...pageFiles().map(({ path, type, text }): [string, Route] => [path, get(type, () => text)]),
      ["/health", ready],
      ["/health/ready", ready],
      ["/health/live", json(() => ({ status: "live", version: options.version }))],
      [
        "/metrics",
        get("text/plain; version=0.0.4; charset=utf-8", () => metrics.text(this.scheduler, this.log.dropped)),
      ],
      ["/openapi.json", get(JSON_TYPE, ({ openapi }) => openapi)],
      ["/v1/models", json(({ models }) => models.toJSON())],
      [
        "/v1/parse",
        {
          methods: ["POST"],
          handle: (exchange, query, generation) => {
            admit(generation);
            return parseRoute(exchange, query === "" ? NO_QUERY : new URLSearchParams(query), settings(generation));
          },
        },
      ],
    ]);
    for (const prefix of UDPIPE_PREFIXES) {
      const both = ["GET", "HEAD", "POST"];
      routes.set(`${prefix}/models`, {
        methods: both,
        handle: async (exchange, _, { udpipeModels }) => {
          if (exchange.req.method === "POST") await exchange.body();
          exchange.send(200, { "Content-Type": JSON_TYPE }, udpipeModels);
        },
      });
      routes.set(`${prefix}/process`, {
        methods: both,
        handle: (exchange, query, generation) => {
          admit(generation);
          return udpipeProcess(exchange, query, settings(generation));
        },
      });
    }
    return routes;
  }

  /** Whether requests should be sent here. */
  private status(): string {
    return this.draining ? "draining" : (this.scheduler.trouble ?? "ready");
  }

  private health(): object {
    const { workers, busy, waiting } = this.scheduler;
    return { status: this.status(), version: this.options.version, workers, busy, queue: waiting };
  }

  private connected(socket: Socket): void {
    const exchanges = new Set<Exchange>();
    this.sockets.set(socket, { exchanges, answered: 0, turn: -1 });
    this.accepted++;
    this.metrics.connections++;
    socket.on("end", () => {
      for (const exchange of exchanges) exchange.halfClosed();
    });
    socket.on("close", () => {
      this.sockets.delete(socket);
      this.metrics.connections--;
      // Answers that wait for their turn are not told by Node that there is nobody to read them.
      for (const exchange of [...exchanges]) exchange.res.emit("close");
    });
  }

  /** What is no HTTP, or does not arrive in time. */
  private clientError(error: NodeJS.ErrnoException, socket: Socket): void {
    if (error.code === "ECONNRESET" || !socket.writable) {
      socket.destroy();
      return;
    }
    const problem = problemOf(error);
    const open = this.sockets.get(socket)?.exchanges;
    // What is under way on the connection answers by itself.
    if (open && open.size > 0) for (const exchange of open) exchange.abort(problem);
    else {
      refuse(problem, socket);
      this.metrics.count("other", problem.status, 0, NO_WORK);
      const { status, message } = problem;
      this.log.event("refused", { client: socket.remoteAddress ?? "", status, reason: message });
    }
  }

  private async serve(
    req: IncomingMessage,
    res: ServerResponse,
    expectsContinue: boolean,
    refused?: () => Problem,
  ): Promise<void> {
    const { socket } = req;
    const connection = this.sockets.get(socket);
    if (!connection || socket.destroyed) return;
    const open = connection.exchanges;
    if (open.size >= MOST_PIPELINED) {
      socket.destroy();
      return;
    }
    const turn = turnNumber();
    const pipelined = connection.turn === turn;
    connection.turn = turn;
    const given = req.headers["x-request-id"];
    const id = typeof given === "string" && /^[\w.:\-/+=]{1,128}$/.test(given) ? given : randomUUID();
    const { generation } = this;
    const exchange = new Exchange(req, res, id, this.limits, generation.scheduler, expectsContinue);
    exchange.close = this.closesConnections;
    open.add(exchange);
    generation.enter();
    const client = socket.remoteAddress ?? "unix";
    this.metrics.inFlight++;
    this.clients.set(client, (this.clients.get(client) ?? 0) + 1);
    const [path, query] = target(req.url!);
    const route = this.routes.get(path);
    res.once("close", () => {
      open.delete(exchange);
      connection.answered = socket.bytesRead;
      generation.leave();
      this.ended(exchange, path, route !== undefined, client);
    });
    try {
      if (pipelined) {
        // Thousands of connections may have sent a hundred requests each: others are served between them.
        await nextTurn();
        exchange.check();
      }
      if (refused) throw refused();
      checkHostHeader(req);
      if (this.loopback) checkHost(req, this.options.allowHost ?? [], this.options.cors);
      if (this.crossOrigin(exchange)) return exchange.send(204, {}, "");
      if (!route) throw new Problem(404, "unknown-path", `no such path: ${path.slice(0, 100)}`, "path");
      if (!route.methods.includes(req.method!)) {
        const allow = route.methods.join(", ");
        throw new Problem(
          405,
          "method-not-allowed",
          `${req.method} is not allowed for ${path} (expected ${allow})`,
          "method",
          {
            Allow: allow,
          },
        );
      }
      this.checkClient(client, path);
      await route.handle(exchange, query, generation);
    } catch (error) {
      this.fail(exchange, error as Error, path);
    }
  }

  /** Refuses requests of a client that has too many under way; those who watch the server are always answered. */
  private checkClient(client: string, path: string): void {
    const { perClient = 0 } = this.options;
    if (perClient === 0 || this.clients.get(client)! <= perClient || !/\/(parse|process)$/.test(path)) return;
    const detail = `more than ${perClient} simultaneous requests from one address (expected fewer: wait for answers)`;
    const headers = { "Retry-After": String(this.scheduler.retryAfter) };
    throw new Problem(429, "too-many-requests", detail, undefined, headers);
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
      problem = new Problem(500, "internal-error", "an error in the server; see its log under the X-Request-Id");
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

  private ended(exchange: Exchange, path: string, known: boolean, client: string): void {
    exchange.release();
    this.metrics.inFlight--;
    const others = this.clients.get(client)! - 1;
    if (others === 0) this.clients.delete(client);
    else this.clients.set(client, others);
    const { req, res, id, bytesIn, bytesOut, sentences, words, lane } = exchange;
    const ms = performance.now() - exchange.begun;
    // As nginx counts clients that have gone.
    const status = res.writableFinished ? res.statusCode : 499;
    this.metrics.count(known ? path : "other", status, ms / 1000, exchange);
    if (this.options.log === "off") return;
    this.log.request({
      id,
      client,
      trace: traceOf(req),
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

// Before the body is read: what cannot be taken in need not be sent.
function admit({ scheduler }: Generation): void {
  if (scheduler.full) throw scheduler.queueFull();
}

const UNKNOWN_EXPECTATION = () =>
  new Problem(417, "unknown-expectation", "unknown expectation (expected 100-continue)", "Expect");

/** The trace that a request belongs to: https://www.w3.org/TR/trace-context/ */
function traceOf(req: IncomingMessage): string | undefined {
  return /^[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}/.exec(String(req.headers.traceparent ?? ""))?.[1];
}

/** Path and query of a request; proxies may send the whole address. */
function target(url: string): [path: string, query: string] {
  const local = /^https?:\/\/[^/?]*/i.test(url) ? url.replace(/^https?:\/\/[^/?]*/i, "") || "/" : url;
  const at = local.indexOf("?");
  return at < 0 ? [local, ""] : [local.slice(0, at), local.slice(at + 1)];
}

const CLIENT_ERRORS: Readonly<Record<string, [status: number, kind: string, detail: string]>> = {
  HPE_HEADER_OVERFLOW: [431, "head-too-large", `the headers of the request have more than ${MAX_HEAD} bytes`],
  ERR_HTTP_REQUEST_TIMEOUT: [408, "request-too-slow", "the request did not arrive in time"],
};

function problemOf({ code = "" }: NodeJS.ErrnoException): Problem {
  const [status, kind, detail] = CLIENT_ERRORS[code] ?? [400, "invalid-http", "the request is not valid HTTP"];
  return new Problem(status, kind, detail);
}

/** Answers what is no HTTP, or did not arrive in time. */
function refuse(problem: Problem, socket: Socket): void {
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
