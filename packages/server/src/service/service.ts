// The service behind a server: models, workers, and every request from its arrival to its log line.
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { availableParallelism } from "node:os";
import { getHeapStatistics } from "node:v8";
import { AnswerMemory } from "../http/answer-memory.js";
import { type Exchange, Gone, type Limits } from "../http/exchange.js";
import { checkHeaders, checkHost } from "../http/host-check.js";
import { Log } from "../http/log.js";
import { Problem } from "../http/problem.js";
import { nextTurn, turnNumber } from "../http/turns.js";
import { Metrics, WorkerCounters } from "../metrics/metrics.js";
import { type Model, type SharedServed, sharedServed } from "../pool/models.js";
import { PoolExchange } from "../pool/pool-exchange.js";
import type { Scheduler } from "../pool/scheduler.js";
import { Connections } from "./connections.js";
import { Generation, loaded } from "./generation.js";
import type { HandlerOptions, ServedModels } from "./options.js";
import { makeRoutes, type Route } from "./route-table.js";
import { Shelf } from "./shelf.js";

/** Options that are given or have their defaults. */
type Settings = HandlerOptions & ReturnType<typeof withDefaults>;

type LoadModels = () => ServedModels | Promise<ServedModels>;

function withDefaults(options: HandlerOptions) {
  const { threads, queue = 1024, maxBody = 1 << 24, maxSentence = 1000, timeout = 60, idleTimeout = 10 } = options;
  const {
    pieceTime = 10,
    startTime = 60,
    perClient = 0,
    maxAnswers = heap() / 8,
    maxWork = 1 << 17,
    maxLoaded = 2,
    cors = [],
    log = "off",
    express = true,
  } = options;
  const { version = ownVersion(), prefix = "" } = options;
  if (!/^(\/[^?#]*[^/?#])?$/.test(prefix)) {
    throw new TypeError(`invalid prefix: ${JSON.stringify(prefix)} (expected a path such as "/stemma")`);
  }
  const some = { threads: threads ?? availableParallelism(), queue, maxBody, maxSentence, timeout, idleTimeout };
  const limits = { pieceTime, startTime, perClient, maxAnswers, maxWork, maxLoaded };
  return { ...some, ...limits, cors, log, express, version, prefix };
}

/** Bytes that the heap may grow to. */
function heap(): number {
  return getHeapStatistics().heap_size_limit;
}

function ownVersion(): string {
  const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
  return version as string;
}

/**
 * A connection with so many requests that are not answered is closed: their answers would take up memory until it
 * reads them.
 */
const MOST_PIPELINED = 128;

/** Paths for those who watch the server. */
const WATCHED = /^\/(health(\/\w+)?|metrics)$/;

function tooManyConnections(): Problem {
  const detail =
    "too many connections, of this address or of all together (expected fewer: use them again, or close them)";
  return new Problem(429, "too-many-connections", detail, undefined, { "Retry-After": "1" });
}

/** A request that is refused whatever it asks for. */
export type Refusal = () => Problem;

export class Service {
  readonly metrics = new Metrics();
  readonly connections = new Connections(this.metrics);
  readonly log: Log;
  /** Requests should be sent elsewhere. */
  draining = false;
  /** Whether answers say that the connection ends with them. */
  closesConnections = false;
  /** Names of this host that requests may use; undefined for any. */
  hosts: readonly string[] | undefined;
  private readonly options: Settings;
  /** @internal */
  readonly limits: Limits;
  private readonly routes: ReadonlyMap<string, Route>;
  private readonly counters = new WorkerCounters();
  private generation: Generation;
  private reloading: Promise<void> = Promise.resolve();
  /** The reload that begins after the one that is under way. */
  private waiting: LoadModels | undefined;
  private closed = false;
  /** Models that are loaded on demand. */
  private readonly shelf: Shelf;
  /** How many requests are under way by address. */
  private readonly clients = new Map<string, number>();

  /** Loads the models; the workers may still be starting then. */
  static async start(options: HandlerOptions): Promise<Service> {
    return new Service(options, await loaded(options.models));
  }

  private constructor(options: HandlerOptions, models: readonly Model[]) {
    this.options = { ...options, ...withDefaults(options) };
    const { maxBody, timeout, idleTimeout, maxAnswers, page } = this.options;
    this.log = new Log(this.options.log, options.logTo);
    this.shelf = this.shelfOf(options.onDemand ?? {});
    this.generation = this.generationOf(models);
    this.limits = {
      maxBody,
      timeout: 1000 * timeout,
      idleTimeout: 1000 * idleTimeout,
      memory: { used: 0, most: Math.max(1 << 26, 8 * maxBody) },
      answers: new AnswerMemory(Math.floor(maxAnswers)),
    };
    this.routes = makeRoutes({
      ...this.options,
      page,
      metrics: this.metrics,
      answers: this.limits.answers,
      shelf: this.shelf,
      linesDropped: () => this.log.dropped,
      status: () => (this.draining ? "draining" : (this.scheduler.trouble ?? "ready")),
    });
  }

  /** The scheduler of pieces for workers. */
  get scheduler(): Scheduler {
    return this.generation.scheduler;
  }

  /** The names of the models. */
  get models(): readonly string[] {
    return this.generation.models.names;
  }

  private generationOf(models: readonly Model[]): Generation {
    const { threads, express } = this.options;
    const all = threads + Number(express);
    return this.startWorkers(
      models.map((model) => sharedServed(model, all)),
      express,
    );
  }

  private startWorkers(models: readonly SharedServed[], express: boolean): Generation {
    const { threads, queue, pieceTime, startTime, worker: script } = this.options;
    const onWorkerEnd = (error: Error) => this.log.event("worker-ended", { error: error.message });
    return new Generation(
      models,
      { threads, express, queue, pieceTime, startTime, counters: this.counters, script, onWorkerEnd },
      this.options,
      this.shelf.names,
    );
  }

  private shelfOf(onDemand: NonNullable<HandlerOptions["onDemand"]>): Shelf {
    const { maxLoaded, threads, startTime, worker } = this.options;
    return new Shelf({
      sources: onDemand instanceof Map ? onDemand : new Map(Object.entries(onDemand)),
      most: maxLoaded,
      threads,
      startTime,
      script: worker ?? new URL("../pool/worker.js", import.meta.url),
      start: (model) => this.startWorkers([model], false),
      log: (event, values) => this.log.event(event, values),
    });
  }

  /**
   * Takes other models into use: requests that come from now on are done with them, those that are under way with the
   * old ones. Where they cannot be loaded the log says so, and the old ones stay. Whoever asks meanwhile has to wait:
   * those that were asked for last are there in the end, and of those who wait only they are loaded.
   */
  reload(load: LoadModels): Promise<void> {
    const waits = this.waiting !== undefined;
    this.waiting = load;
    if (!waits) this.reloading = this.reloading.then(() => this.replaceModels());
    return this.reloading;
  }

  private async replaceModels(): Promise<void> {
    const load = this.waiting!;
    this.waiting = undefined;
    if (this.closed) return;
    let next: Generation;
    try {
      next = this.generationOf(await loaded(await load()));
      await next.scheduler.ready;
    } catch (error) {
      this.log.event("reload-failed", { error: (error as Error).message });
      return;
    }
    if (this.closed) return next.scheduler.close();
    const before = this.generation;
    this.generation = next;
    before.retire();
    this.shelf.clear();
    this.metrics.reloads++;
    this.log.event("reloaded", { models: next.models.names.join(",") });
  }

  /** When the workers are ready; where they cannot start with the models it ends, and says why. */
  async ready(): Promise<void> {
    try {
      await this.scheduler.ready;
    } catch (error) {
      await this.close();
      throw error;
    }
  }

  /** Ends at once: what is under way fails. */
  async close(): Promise<void> {
    this.closed = true;
    await this.scheduler.close();
    await this.shelf.close();
    this.metrics.close();
    this.log.event("stopped");
    await this.log.close();
  }

  /** Answers a request. */
  async serve(req: IncomingMessage, res: ServerResponse, expectsContinue = false, refusal?: Refusal): Promise<void> {
    const { socket } = req;
    if (socket.destroyed) return;
    const connection = this.connections.of(socket);
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
    const exchange = new PoolExchange(generation.scheduler, req, res, id, this.limits, expectsContinue);
    exchange.close = this.closesConnections || connection.spare;
    open.add(exchange);
    generation.enter();
    const { client } = exchange;
    this.metrics.inFlight++;
    this.clients.set(client, (this.clients.get(client) ?? 0) + 1);
    const [path, query] = target(req.url!, this.options.prefix);
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
      if (refusal) throw refusal();
      if (connection.spare && !WATCHED.test(path)) throw tooManyConnections();
      checkHeaders(req);
      if (this.hosts) checkHost(req, this.hosts, this.options.cors);
      if (this.crossOrigin(exchange)) return exchange.send(204, {}, "");
      if (!route) throw new Problem(404, "unknown-path", `no such path: ${path.slice(0, 100)}`, "path");
      if (!route.methods.includes(req.method!)) {
        const allow = route.methods.join(", ");
        const detail = `${req.method} is not allowed for ${path} (expected ${allow})`;
        throw new Problem(405, "method-not-allowed", detail, "method", { Allow: allow });
      }
      const folder = path === "/" ? folderOf(req) : undefined;
      if (folder !== undefined) return exchange.send(308, { Location: folder }, "");
      this.checkClient(client, path);
      await route.handle(exchange, query, generation);
    } catch (error) {
      this.fail(exchange, error as Error, path);
    }
  }

  /** Refuses requests of a client that has too many under way; those who watch the server are always answered. */
  private checkClient(client: string, path: string): void {
    const { perClient } = this.options;
    if (perClient === 0 || this.clients.get(client)! <= perClient || !/\/(parse|process|documents)$/.test(path)) return;
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
    headers.push("Access-Control-Expose-Headers", "X-Request-Id, Retry-After, X-Stemma-Warning");
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

  private ended(exchange: PoolExchange, path: string, known: boolean, client: string): void {
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

/** The trace that a request belongs to: https://www.w3.org/TR/trace-context/ */
function traceOf(req: IncomingMessage): string | undefined {
  return /^[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}/.exec(String(req.headers.traceparent ?? ""))?.[1];
}

/** Path and query of a request, without the prefix; proxies may send the whole address. */
function target(url: string, prefix: string): [path: string, query: string] {
  const whole = /^https?:\/\/[^/?]*/i.test(url) ? url.replace(/^https?:\/\/[^/?]*/i, "") || "/" : url;
  const isWithin = prefix !== "" && whole.startsWith(prefix) && /^([/?]|$)/.test(whole.slice(prefix.length));
  const local = isWithin ? whole.slice(prefix.length) : whole;
  const at = local.indexOf("?");
  const [path, query] = at < 0 ? [local, ""] : [local.slice(0, at), local.slice(at + 1)];
  return [path || "/", query];
}

/** Where the page is if it was asked for without the slash that its links begin from; undefined if with it. */
function folderOf(req: IncomingMessage): string | undefined {
  // Express has taken the path away from `url` that the service is mounted at.
  const { originalUrl = req.url! } = req as { originalUrl?: string };
  const [path] = originalUrl.split("?") as [string];
  return path.endsWith("/") ? undefined : `${path.slice(path.lastIndexOf("/") + 1)}/`;
}
