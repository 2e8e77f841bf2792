// The paths of the service and what answers them.
import type { AnswerMemory } from "../http/answer-memory.js";
import type { Metrics } from "../metrics/metrics.js";
import type { PoolExchange } from "../pool/pool-exchange.js";
import { documentsRoute } from "../routes/documents-route.js";
import { pageFiles } from "../routes/page.js";
import { type ParseSettings, parseRoute } from "../routes/parse-route.js";
import { UDPIPE_PREFIXES, udpipeProcess } from "../routes/udpipe-route.js";
import type { Generation } from "./generation.js";
import type { Shelf } from "./shelf.js";

export interface Route {
  methods: readonly string[];
  handle(exchange: PoolExchange, query: string, generation: Generation): void | Promise<void>;
}

/** The part of the service that the routes need. */
export interface RouteContext {
  version: string;
  threads: number;
  maxSentence: number;
  maxWork: number;
  page: URL | undefined;
  metrics: Metrics;
  answers: AnswerMemory;
  shelf: Shelf;
  /** Lines of the log that could not be written. */
  linesDropped(): number;
  /** Whether requests should be sent here: "ready", or why not. */
  status(): string;
}

const NO_QUERY = new URLSearchParams();
const JSON_TYPE = "application/json; charset=utf-8";

export function makeRoutes(context: RouteContext): Map<string, Route> {
  const { version, threads, maxSentence, maxWork, metrics, status } = context;
  const window = 2 * threads + 2;
  const settings = ({ models }: Generation): ParseSettings => ({
    models,
    maxSentence,
    maxWork,
    window,
    borrow,
    onDemand,
  });
  const onDemand = context.shelf.names;
  const borrow = async (exchange: PoolExchange, name: string) => {
    const generation = await context.shelf.get(name, () => exchange.isWanted);
    if (!generation) return undefined;
    // Of a client that has gone meanwhile nothing is heard again, and it is not moved.
    if (!exchange.isWanted) generation.leave();
    exchange.moveTo(generation.scheduler);
    exchange.res.once("close", () => generation.leave());
    return generation.models;
  };
  type Text = (generation: Generation) => string;
  const get = (type: string, text: Text, code = () => 200): Route => ({
    methods: ["GET", "HEAD"],
    handle: (exchange, _, generation) => exchange.send(code(), { "Content-Type": type }, text(generation)),
  });
  const json = (value: (generation: Generation) => object, code?: () => number) =>
    get(JSON_TYPE, (generation) => `${JSON.stringify(value(generation))}\n`, code);
  const ready = json(
    ({ scheduler: { workers, busy, waiting } }) => ({ status: status(), version, workers, busy, queue: waiting }),
    () => (status() === "ready" ? 200 : 503),
  );
  const routes = new Map<string, Route>([
    ...pageFiles(context.page).map(({ path, type, text }): [string, Route] => [path, get(type, () => text)]),
    ["/health", ready],
    ["/health/ready", ready],
    ["/health/live", json(() => ({ status: "live", version }))],
    [
      "/metrics",
      get("text/plain; version=0.0.4; charset=utf-8", ({ scheduler }) =>
        metrics.text(scheduler, context.answers, context.linesDropped(), context.shelf.size),
      ),
    ],
    ["/openapi.json", get(JSON_TYPE, ({ openapi }) => openapi)],
    ["/v1/models", json(({ models }) => ({ ...models.toJSON(), onDemand: context.shelf.names }))],
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
    [
      "/v1/documents",
      {
        methods: ["POST"],
        handle: (exchange, query, generation) => {
          admit(generation);
          return documentsRoute(exchange, new URLSearchParams(query), settings(generation));
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

// Before the body is read: what cannot be taken in need not be sent.
function admit({ scheduler }: Generation): void {
  if (scheduler.full) throw scheduler.queueFull();
}
