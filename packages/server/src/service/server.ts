// The HTTP server: connections, what is no HTTP, and an end that finishes what was accepted.
import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from "node:http";
import { type AddressInfo, Server as NetServer, type Socket } from "node:net";
import { isLoopbackAddress } from "../http/host-check.js";
import { Problem } from "../http/problem.js";
import type { Work } from "../metrics/metrics.js";
import type { ServedModels, ServerOptions } from "./options.js";
import type { Service } from "./service.js";

/** Where to listen. */
export type Place = { host: string; port: number } | { path: string };

/** Longest head of a request: UDPipe's clients put texts into the address. */
const MAX_HEAD = 1 << 16;
/** Milliseconds without a new connection after which it may stop listening, and how often they are waited for. */
const ROUND = 100;
const MOST_ROUNDS = 5;
const NO_WORK: Work = { model: undefined, words: 0, sentences: 0, bytesIn: 0, bytesOut: 0 };

/** A server of its own; `createServer` makes one. */
export class StemmaServer {
  readonly http: Server;
  /** Requests that are begun when the server no longer listens; undefined if they are begun as they come. */
  private held: Parameters<Service["serve"]>[] | undefined;

  /** @internal */
  constructor(
    /** @internal */
    readonly service: Service,
    private readonly options: ServerOptions,
  ) {
    const { headTimeout = 10, keepAlive = 30, maxConnections = 4096, connectionsPerClient = 1024 } = options;
    this.http = createServer({
      maxHeaderSize: MAX_HEAD,
      headersTimeout: 1000 * headTimeout,
      // Bodies have timeouts of their own, which answer with a problem document.
      requestTimeout: 0,
      // Refused by the service, with a problem document.
      requireHostHeader: false,
      connectionsCheckingInterval: Math.min(1000, 200 * headTimeout),
      keepAliveTimeout: 1000 * keepAlive,
      noDelay: true,
    });
    service.connections.most = maxConnections;
    service.connections.mostOfAddress = connectionsPerClient || Number.POSITIVE_INFINITY;
    // A client may close its half of the connection after the request, and wait for the answer.
    (this.http as Server & { httpAllowHalfOpen: boolean }).httpAllowHalfOpen = true;
    this.http.on("request", (req, res) => this.begin(req, res));
    this.http.on("checkContinue", (req, res) => this.begin(req, res, true));
    this.http.on("checkExpectation", (req: IncomingMessage, res: ServerResponse) =>
      this.begin(req, res, false, UNKNOWN_EXPECTATION),
    );
    // Without a listener the connection would be closed without a word.
    this.http.on("connect", (_req: IncomingMessage, socket: Socket) => this.refuse(noProxy(), socket));
    this.http.on("clientError", (error: NodeJS.ErrnoException, socket: Socket) => this.clientError(error, socket));
    this.http.on("connection", (socket: Socket) => service.connections.of(socket));
  }

  /** Resolves when the workers are ready and the server listens. */
  async listen(place: Place): Promise<void> {
    const { service } = this;
    await service.ready();
    await new Promise<void>((resolve, reject) => {
      this.http.once("error", reject);
      this.http.listen({ ...place, backlog: 1024 }, () => {
        this.http.off("error", reject);
        resolve();
      });
    });
    const address = this.http.address() as AddressInfo | string;
    // Web pages cannot reach a socket in the file system.
    if (typeof address !== "string" && isLoopbackAddress(address.address)) service.hosts = this.options.allowHost ?? [];
    const where = typeof address === "string" ? { path: address } : { host: address.address, port: address.port };
    service.log.event("listening", { ...where, workers: service.scheduler.workers, models: service.models.join(",") });
  }

  /**
   * Takes other models into use: requests that come from now on are done with them, those that are under way with the
   * old ones. Where they cannot be loaded the log says so, and the old ones stay.
   */
  reload(load: () => ServedModels | Promise<ServedModels>): Promise<void> {
    return this.service.reload(load);
  }

  /**
   * Says that it is not ready, and after `delay` seconds stops listening, finishes what was accepted, and ends; true if
   * that was done within `grace` seconds from then. The delay is for those who send requests here until they have seen
   * that it is not ready.
   */
  async drain(grace: number, delay = 0): Promise<boolean> {
    this.service.draining = true;
    this.service.log.event("draining", { requests: this.service.metrics.inFlight });
    if (delay > 0) {
      this.service.closesConnections = true;
      await new Promise((resolve) => setTimeout(resolve, 1000 * delay));
    }
    // Clients that were told to close their connection would come back with another one.
    this.service.closesConnections = false;
    const begun = performance.now();
    await this.acceptAll(begun + 500 * grace);
    // Clients that are told so do not send another request to a connection that is about to close.
    this.service.closesConnections = true;
    this.service.connections.closeAfterAnswers();
    // The close of the HTTP server would cut idle connections, where a request may be on its way.
    const stopped = new Promise<void>((resolve) => NetServer.prototype.close.call(this.http, () => resolve()));
    this.beginHeld();
    const stopClosing = this.service.connections.closeIdle();
    let late = false;
    const timer = setTimeout(
      () => {
        late = true;
        this.service.connections.destroyAll();
      },
      1000 * grace - (performance.now() - begun),
    );
    await stopped;
    // The last connections are told after the server that they are closed, and their requests end with that.
    while (this.service.metrics.connections > 0) await new Promise((resolve) => setImmediate(resolve));
    stopClosing();
    clearTimeout(timer);
    await this.stop();
    return !late;
  }

  private begin(...request: Parameters<Service["serve"]>): void {
    if (this.held) this.held.push(request);
    else this.service.serve(...request);
  }

  /**
   * Until the system has no connection for us: those that it has established and we have not accepted would be reset
   * when we stop listening. Clients with a connection for each request would always open another one, so new requests
   * are begun only when we no longer listen: who waits for an answer opens none. Others, who do not wait for anybody,
   * are not waited for either. Until `end` at most.
   */
  private async acceptAll(end: number): Promise<void> {
    this.held = [];
    const { connections } = this.service;
    for (let round = 0, quiet = false; !quiet && round < MOST_ROUNDS && performance.now() < end; round++) {
      const before = connections.accepted;
      const begun = performance.now();
      await new Promise((resolve) => setTimeout(resolve, ROUND));
      // When a timer is late, the machine has too much to do, for clients as well.
      quiet = connections.accepted === before && performance.now() - begun < 2 * ROUND;
    }
    let before: number;
    do {
      before = connections.accepted;
      // One is accepted in a turn. Nothing comes in between the reading of what has arrived and what follows here.
      for (let turn = 0; turn < 2; turn++) await new Promise((resolve) => setImmediate(resolve));
    } while (connections.accepted > before && performance.now() < end);
  }

  /** Begins the requests that came meanwhile, of those clients that are still there. */
  private beginHeld(): void {
    const held = this.held ?? [];
    this.held = undefined;
    for (const request of held) if (!request[1].destroyed) this.service.serve(...request);
  }

  /** Ends at once: what is under way fails. */
  async stop(): Promise<void> {
    this.http.close();
    this.service.connections.destroyAll();
    await this.service.close();
  }

  /** Requests that are no HTTP, or do not arrive in time. */
  private clientError(error: NodeJS.ErrnoException, socket: Socket): void {
    if (error.code === "ECONNRESET" || !socket.writable) {
      socket.destroy();
      return;
    }
    const exchanges = [...this.service.connections.of(socket).exchanges];
    const last = exchanges.at(-1);
    // The client has hung up in the middle of a body.
    if (last && !last.req.complete && error.code === "HPE_INVALID_EOF_STATE") {
      socket.destroy();
      return;
    }
    const problem = problemOf(error);
    if (last && !last.req.complete) {
      last.close = true;
      last.abort(problem);
    } else if (last && !last.res.writableFinished) {
      // Requests before it are answered, and then this one.
      last.res.once("finish", () => this.refuse(problem, socket));
    } else this.refuse(problem, socket);
  }

  private refuse(problem: Problem, socket: Socket): void {
    refuse(problem, socket);
    this.service.metrics.count("other", problem.status, 0, NO_WORK);
    const { status, message } = problem;
    this.service.log.event("refused", { client: socket.remoteAddress ?? "", status, reason: message });
  }
}

const UNKNOWN_EXPECTATION = () =>
  new Problem(417, "unknown-expectation", "unknown expectation (expected 100-continue)", "Expect");

const noProxy = () => new Problem(501, "no-proxy", "CONNECT is for proxies (expected GET, HEAD or POST)", "method");

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
