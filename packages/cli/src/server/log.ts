export const LOG_FORMATS = ["json", "text", "off"] as const;
export type LogFormat = (typeof LOG_FORMATS)[number];

/** What is logged of a request. */
export interface LogEntry {
  id: string;
  method: string;
  path: string;
  status: number;
  /** From its head to the end of its answer; until a worker took its first piece. */
  ms: number;
  queueMs: number;
  bytesIn: number;
  bytesOut: number;
  sentences: number;
  tokens: number;
}

/** A path comes from outside: nothing in it may look like another line or reach a terminal. */
function printable(path: string): string {
  return path.replace(/[^!-~]/g, "?");
}

/** Writes lines to a stream, several at a time. */
export class Log {
  private lines: string[] = [];
  private moment = 0;
  private time = "";
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly format: LogFormat,
    private readonly out: { write(text: string): unknown } = process.stderr,
  ) {}

  /** A request that has ended. */
  request(entry: LogEntry): void {
    if (this.format === "off") return;
    const { id, method, path, status, ms, bytesIn, bytesOut, sentences, tokens, queueMs } = entry;
    const time = this.now();
    // By hand, as this is done for every request.
    if (this.format === "json") {
      const what = `"id":${JSON.stringify(id)},"method":"${method}","path":${JSON.stringify(path)},"status":${status}`;
      const size = `"bytesIn":${bytesIn},"bytesOut":${bytesOut},"sentences":${sentences},"tokens":${tokens}`;
      this.add(`{"time":"${time}",${what},"ms":${ms},${size},"queueMs":${queueMs}}`);
    } else {
      const size = `${bytesIn} bytes in, ${bytesOut} out, ${sentences} sentences, ${tokens} tokens`;
      this.add(`${time} ${method} ${printable(path)} ${status} ${ms} ms, ${size}, waited ${queueMs} ms, ${id}`);
    }
  }

  // Many requests end in the same millisecond.
  private now(): string {
    const moment = Date.now();
    if (moment !== this.moment) {
      this.moment = moment;
      this.time = new Date(moment).toISOString();
    }
    return this.time;
  }

  /** Something that happened to the server. */
  event(event: string, details: Record<string, string | number> = {}): void {
    if (this.format === "off") return;
    const time = this.now();
    if (this.format === "json") this.add(JSON.stringify({ time, event, ...details }));
    else this.add(`${time} ${[event, ...Object.entries(details).map(([k, v]) => `${k}=${v}`)].join(" ")}`);
  }

  private add(line: string): void {
    this.lines.push(line);
    if (this.lines.length >= 100) this.flush();
    else this.timer ??= setTimeout(() => this.flush(), 20);
  }

  flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.lines.length > 0) this.out.write(`${this.lines.join("\n")}\n`);
    this.lines = [];
  }
}
