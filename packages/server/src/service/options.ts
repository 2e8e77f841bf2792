import type { ModelSource, PipelineModel } from "@stemma/core";
import type { LogFormat, LogTarget } from "../http/log.js";

/** Models by the names that requests call them; the first is the default. */
export type ServedModels = Readonly<Record<string, ServedModel>> | ReadonlyMap<string, ServedModel>;

/** A model: whatever `load` of @stemma/core takes (bytes, a path, a URL), or one that is loaded. */
export type ServedModel = ModelSource | PipelineModel;

/** Options of `createHandler`. */
export interface HandlerOptions {
  models: ServedModels;
  /**
   * Models that are loaded when a request asks for them: names, and paths or URLs of files. None.
   */
  onDemand?: Readonly<Record<string, string>> | ReadonlyMap<string, string> | undefined;
  /** How many of these may be loaded at a time; the one that was asked for least recently makes room. 2. */
  maxLoaded?: number | undefined;
  /** Where it is mounted, if requests come with the whole path: "/stemma". Express takes the path away itself. */
  prefix?: string | undefined;
  /** Number of worker threads, which share one copy of the models; one more does small requests only. All cores. */
  threads?: number | undefined;
  /** Pieces of requests that may wait before new requests get 503. 1024. */
  queue?: number | undefined;
  /** Bytes of a body. 16 MiB. */
  maxBody?: number | undefined;
  /** Words of a sentence. 1000. */
  maxSentence?: number | undefined;
  /** Seconds that a request may go without progress, 60; that its body may pause, 10. */
  timeout?: number | undefined;
  idleTimeout?: number | undefined;
  /** Seconds for a piece of a request, after which its worker is replaced. 10. */
  pieceTime?: number | undefined;
  /** Seconds within which the workers have to be ready, at first and when models are loaded again. 60. */
  startTime?: number | undefined;
  /** Requests at a time from one address. Any number. */
  perClient?: number | undefined;
  /**
   * Characters of answers that are on their way from the workers to the clients, of all requests together. An eighth
   * of the bytes of the heap (`node --max-old-space-size`).
   */
  maxAnswers?: number | undefined;
  /** Words that cannot be divided times the width of the beam, or the number of trees. 131,072. */
  maxWork?: number | undefined;
  /** Origins that may use the service from a web page; "*" for all. None. */
  cors?: readonly string[] | undefined;
  /** Format of the log, "off"; where it goes, standard error. */
  log?: LogFormat | undefined;
  logTo?: LogTarget | undefined;
  /** The version that /health and /openapi.json say. That of this package. */
  version?: string | undefined;
  /**
   * The script of the workers and the folder of the page, for programs that are bundled into other files: copies of
   * `@stemma/server/worker`, bundled by itself, and of the folder `page` of the package.
   */
  worker?: URL | undefined;
  page?: URL | undefined;
  /** @internal For tests: whether there is a worker for small requests. */
  express?: boolean | undefined;
}

/** Options of `createServer`. */
export interface ServerOptions extends HandlerOptions {
  /** Seconds for the head of a request, 10; that a connection may be idle, 30. */
  headTimeout?: number | undefined;
  keepAlive?: number | undefined;
  /** Connections at a time. 4096. */
  maxConnections?: number | undefined;
  /** Of them from one address; 0 for any number. 1024. Some more are for /health and /metrics only. */
  connectionsPerClient?: number | undefined;
  /** Names of this host that requests may use while only this machine can connect; "*" for all. localhost. */
  allowHost?: readonly string[] | undefined;
}
