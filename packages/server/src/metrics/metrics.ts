// Counters in the text format of Prometheus.
import { type IntervalHistogram, monitorEventLoopDelay } from "node:perf_hooks";
import { Histogram, WAIT_BUCKETS } from "./histogram.js";

/** Upper bounds of the histogram of durations, in seconds. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** The requests of a route. */
interface Requests {
  /** How many there were with each status. */
  statuses: Map<number, number>;
  durations: Histogram;
}

/** The subject of a request. */
export interface Work {
  /** Name of the model, if it came to that. */
  model: string | undefined;
  words: number;
  sentences: number;
  bytesIn: number;
  bytesOut: number;
}

/** Figures of the workers. */
export interface WorkerState {
  readonly workers: number;
  readonly busy: number;
  /** Pieces of requests that wait. */
  readonly waiting: number;
  readonly counters: WorkerCounters;
}

/** Counts that go on when models are loaded again. */
export class WorkerCounters {
  /** Pieces given to workers, and in how many messages. */
  pieces = 0;
  messages = 0;
  /** Workers that ended and were replaced, and how many of them because they took too long. */
  replaced = 0;
  late = 0;
  /** Pieces dropped because their client is gone. */
  dropped = 0;
  /** Seconds that pieces waited. */
  readonly waits = new Histogram(WAIT_BUCKETS);
}

export class Metrics {
  private readonly routes = new Map<string, Requests>();
  private readonly models = new Map<string, { requests: number; words: number }>();
  private readonly lag: IntervalHistogram = monitorEventLoopDelay({ resolution: 10 });
  private tokens = 0;
  private sentences = 0;
  private bytesIn = 0;
  private bytesOut = 0;
  inFlight = 0;
  connections = 0;
  /** Connections that were refused, as there were too many. */
  refusedConnections = 0;
  /** Number of times the models were reloaded. */
  reloads = 0;

  constructor() {
    this.lag.enable();
  }

  /** Counts a request that has ended. */
  count(route: string, status: number, seconds: number, work: Work): void {
    let requests = this.routes.get(route);
    if (!requests) {
      requests = { statuses: new Map(), durations: new Histogram(BUCKETS) };
      this.routes.set(route, requests);
    }
    requests.statuses.set(status, (requests.statuses.get(status) ?? 0) + 1);
    requests.durations.add(seconds);
    const { model, words, sentences, bytesIn, bytesOut } = work;
    this.tokens += words;
    this.sentences += sentences;
    this.bytesIn += bytesIn;
    this.bytesOut += bytesOut;
    if (model === undefined) return;
    const own = this.models.get(model) ?? { requests: 0, words: 0 };
    this.models.set(model, { requests: own.requests + 1, words: own.words + words });
  }

  close(): void {
    this.lag.disable();
  }

  /** The answer of /metrics. */
  text(pool: WorkerState, answers: { used: number; cut: number }, logLinesDropped: number, onDemand = 0): string {
    const lines: string[] = [];
    const metric = (name: string, type: string, help: string, values: [labels: string, value: number][]) => {
      lines.push(`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`);
      for (const [labels, value] of values) lines.push(`${name}${labels} ${value}`);
    };
    const counter = (name: string, help: string, value: number) => metric(name, "counter", help, [["", value]]);
    const gauge = (name: string, help: string, value: number) => metric(name, "gauge", help, [["", value]]);
    const histograms = (name: string, help: string, all: [labels: string, histogram: Histogram][]) => {
      lines.push(`# HELP ${name} ${help}`, `# TYPE ${name} histogram`);
      for (const [labels, histogram] of all) lines.push(...histogram.lines(name, labels));
    };
    metric(
      "stemma_requests_total",
      "counter",
      "Requests by route and status.",
      [...this.routes].flatMap(([route, { statuses }]) =>
        [...statuses].map(([status, value]): [string, number] => [`{route="${route}",status="${status}"}`, value]),
      ),
    );
    histograms(
      "stemma_request_duration_seconds",
      "Time from the headers of a request to the end of its answer.",
      [...this.routes].map(([route, { durations }]) => [`route="${route}"`, durations]),
    );
    const byModel = (value: "requests" | "words") =>
      [...this.models].map(([model, own]): [string, number] => [`{model=${JSON.stringify(model)}}`, own[value]]);
    metric("stemma_model_requests_total", "counter", "Requests by model.", byModel("requests"));
    metric("stemma_model_tokens_total", "counter", "Words parsed for answers, by model.", byModel("words"));
    gauge("stemma_requests_in_flight", "Requests in progress.", this.inFlight);
    gauge("stemma_connections", "Open connections.", this.connections);
    counter(
      "stemma_connections_refused_total",
      "Connections refused because there were too many.",
      this.refusedConnections,
    );
    counter("stemma_tokens_total", "Words parsed for answers.", this.tokens);
    counter("stemma_sentences_total", "Sentences parsed for answers.", this.sentences);
    counter("stemma_request_bytes_total", "Bytes of request bodies read.", this.bytesIn);
    counter("stemma_response_bytes_total", "Bytes of response bodies written.", this.bytesOut);
    gauge("stemma_answer_memory_characters", "Answers between the workers and the clients.", answers.used);
    counter("stemma_answers_cut_total", "Answers cut off that clients did not take, as others waited.", answers.cut);
    const { counters } = pool;
    gauge("stemma_queue_length", "Pieces of requests waiting for a worker.", pool.waiting);
    histograms("stemma_queue_wait_seconds", "Time that pieces of requests waited for a worker.", [
      ["", counters.waits],
    ]);
    counter("stemma_pieces_total", "Pieces given to workers.", counters.pieces);
    counter("stemma_worker_messages_total", "Messages to workers.", counters.messages);
    counter("stemma_pieces_dropped_total", "Pieces dropped because their client is gone.", counters.dropped);
    gauge("stemma_workers", "Workers.", pool.workers);
    gauge("stemma_workers_busy", "Workers that are busy with a piece.", pool.busy);
    counter("stemma_workers_replaced_total", "Workers that ended and were replaced.", counters.replaced);
    counter("stemma_workers_late_total", "Workers that were ended because a piece took too long.", counters.late);
    counter("stemma_model_reloads_total", "Number of times the models were reloaded.", this.reloads);
    gauge("stemma_models_on_demand", "Models that are loaded because they were asked for.", onDemand);
    counter("stemma_log_lines_dropped_total", "Log lines that could not be written.", logLinesDropped);
    const { rss, heapUsed } = process.memoryUsage();
    gauge("process_resident_memory_bytes", "Resident memory of the process.", rss);
    gauge("nodejs_heap_used_bytes", "Heap of the HTTP thread.", heapUsed);
    metric(
      "nodejs_eventloop_lag_seconds",
      "gauge",
      "Event-loop delay of the HTTP thread since the last request for metrics.",
      [
        ['{quantile="0.5"}', this.lag.percentile(50) / 1e9],
        ['{quantile="0.99"}', this.lag.percentile(99) / 1e9],
        ['{quantile="1"}', this.lag.max / 1e9],
      ],
    );
    this.lag.reset();
    const { user, system } = process.cpuUsage();
    counter("process_cpu_seconds_total", "Processor time of all threads.", (user + system) / 1e6);
    gauge(
      "process_start_time_seconds",
      "When the process was started.",
      Math.round(Date.now() / 1000 - process.uptime()),
    );
    return `${lines.join("\n")}\n`;
  }
}
