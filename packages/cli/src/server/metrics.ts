// Counters in the text format of Prometheus.
import type { Scheduler } from "./scheduler.js";

/** Upper bounds of the histogram of durations, in seconds. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** The requests of a route. */
interface Durations {
  /** How many there were with each status. */
  statuses: Map<number, number>;
  counts: number[];
  sum: number;
  count: number;
}

export class Metrics {
  private readonly durations = new Map<string, Durations>();
  private tokens = 0;
  private sentences = 0;
  private bytesIn = 0;
  private bytesOut = 0;
  inFlight = 0;
  connections = 0;

  /** Counts a request that has ended. */
  count(
    route: string,
    status: number,
    seconds: number,
    { words, sentences, bytesIn, bytesOut }: { words: number; sentences: number; bytesIn: number; bytesOut: number },
  ): void {
    let durations = this.durations.get(route);
    if (!durations) {
      durations = { statuses: new Map(), counts: BUCKETS.map(() => 0), sum: 0, count: 0 };
      this.durations.set(route, durations);
    }
    durations.statuses.set(status, (durations.statuses.get(status) ?? 0) + 1);
    let bucket = 0;
    while (bucket < BUCKETS.length && seconds > BUCKETS[bucket]!) bucket++;
    if (bucket < BUCKETS.length) durations.counts[bucket]!++;
    durations.sum += seconds;
    durations.count++;
    this.tokens += words;
    this.sentences += sentences;
    this.bytesIn += bytesIn;
    this.bytesOut += bytesOut;
  }

  /** The answer of /metrics. */
  text(scheduler: Scheduler): string {
    const lines: string[] = [];
    const metric = (name: string, type: string, help: string, values: [labels: string, value: number][]) => {
      lines.push(`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`);
      for (const [labels, value] of values) lines.push(`${name}${labels} ${value}`);
    };
    const one = (value: number): [string, number][] => [["", value]];
    const requests = [...this.durations].flatMap(([route, { statuses }]) =>
      [...statuses].map(([status, value]): [string, number] => [`{route="${route}",status="${status}"}`, value]),
    );
    metric("stemma_requests_total", "counter", "Requests by route and status.", requests);
    const name = "stemma_request_duration_seconds";
    lines.push(`# HELP ${name} Time from the head of a request to the end of its answer.`, `# TYPE ${name} histogram`);
    for (const [route, { counts, sum, count }] of this.durations) {
      let below = 0;
      BUCKETS.forEach((bound, i) => {
        below += counts[i]!;
        lines.push(`${name}_bucket{route="${route}",le="${bound}"} ${below}`);
      });
      lines.push(`${name}_bucket{route="${route}",le="+Inf"} ${count}`);
      lines.push(`${name}_sum{route="${route}"} ${sum}`, `${name}_count{route="${route}"} ${count}`);
    }
    metric("stemma_requests_in_flight", "gauge", "Requests that are not answered yet.", one(this.inFlight));
    metric("stemma_connections", "gauge", "Open connections.", one(this.connections));
    metric("stemma_tokens_total", "counter", "Words that were parsed for an answer.", one(this.tokens));
    metric("stemma_sentences_total", "counter", "Sentences that were parsed for an answer.", one(this.sentences));
    metric("stemma_request_bytes_total", "counter", "Bytes of bodies that were read.", one(this.bytesIn));
    metric("stemma_response_bytes_total", "counter", "Bytes of bodies that were written.", one(this.bytesOut));
    metric("stemma_queue_length", "gauge", "Pieces of requests that wait for a worker.", one(scheduler.waiting));
    metric("stemma_pieces_total", "counter", "Pieces given to workers.", one(scheduler.pieces));
    metric("stemma_worker_messages_total", "counter", "Messages to workers.", one(scheduler.messages));
    metric(
      "stemma_pieces_dropped_total",
      "counter",
      "Pieces dropped as nobody waits for them.",
      one(scheduler.dropped),
    );
    metric("stemma_workers", "gauge", "Workers.", one(scheduler.workers));
    metric("stemma_workers_busy", "gauge", "Workers that are at a piece.", one(scheduler.busy));
    metric(
      "stemma_workers_replaced_total",
      "counter",
      "Workers that ended and were replaced.",
      one(scheduler.replaced),
    );
    const { rss, heapUsed } = process.memoryUsage();
    metric("process_resident_memory_bytes", "gauge", "Resident memory of the process.", one(rss));
    metric("nodejs_heap_used_bytes", "gauge", "Heap of the thread that speaks HTTP.", one(heapUsed));
    const { user, system } = process.cpuUsage();
    metric("process_cpu_seconds_total", "counter", "Time of all threads on processors.", one((user + system) / 1e6));
    const started = Math.round(Date.now() / 1000 - process.uptime());
    metric("process_start_time_seconds", "gauge", "When the process was started.", one(started));
    return `${lines.join("\n")}\n`;
  }
}
