export const LOG_FORMATS = ["json", "text", "off"] as const;
export type LogFormat = (typeof LOG_FORMATS)[number];

/** The log entry of a request. */
export interface LogEntry {
  id: string;
  /** Address of the client, and the trace that it says the request belongs to (W3C Trace Context). */
  client: string;
  trace?: string | undefined;
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

/** Where a log goes: a stream, of which only this much is needed. */
export interface LogTarget {
  write(text: string, done?: (error?: Error | null) => void): unknown;
  on?(event: "error", listener: (error: Error) => void): unknown;
  /** The output that waits to be written. */
  readonly writableLength?: number;
}

/** Lines are dropped when so much waits to be written: somebody has stopped reading. */
const MOST_WAITING = 1 << 20;
/** How long the end waits for the last lines (ms). */
const LAST_LINES = 1000;

/** A path comes from outside: nothing in it may look like another line or reach a terminal. */
function printable(path: string): string {
  return path.replace(/[^!-~]/g, "?");
}

/**
 * Writes lines to a stream, several at a time. A stream that fails, or that nobody reads, loses lines and harms
 * nothing else.
 */
export class Log {
  private lines: string[] = [];
  private moment = 0;
  private time = "";
  private timer: NodeJS.Timeout | undefined;
  private readonly out: LogTarget;
  /** Lines that could not be written. */
  dropped = 0;

  constructor(
    private readonly format: LogFormat,
    out?: LogTarget,
  ) {
    this.out = out ?? standardError();
    this.out.on?.("error", () => {});
  }

  /** A request that has ended. */
  request(entry: LogEntry): void {
    if (this.format === "off") return;
    const { id, client, trace, method, path, status, ms, bytesIn, bytesOut, sentences, tokens, queueMs } = entry;
    const time = this.now();
    // By hand, as this is done for every request.
    if (this.format === "json") {
      const who = `"id":${JSON.stringify(id)},"client":"${client}"${trace === undefined ? "" : `,"trace":"${trace}"`}`;
      const what = `"method":"${method}","path":${JSON.stringify(path)},"status":${status}`;
      const size = `"bytesIn":${bytesIn},"bytesOut":${bytesOut},"sentences":${sentences},"tokens":${tokens}`;
      this.add(`{"time":"${time}",${who},${what},"ms":${ms},${size},"queueMs":${queueMs}}`);
    } else {
      const size = `${bytesIn} bytes in, ${bytesOut} out, ${sentences} sentences, ${tokens} tokens`;
      const who = `${client} ${id}${trace === undefined ? "" : ` trace ${trace}`}`;
      this.add(`${time} ${method} ${printable(path)} ${status} ${ms} ms, ${size}, waited ${queueMs} ms, ${who}`);
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

  /** Writes what waits; `done` is called when it is written, or cannot be. */
  flush(done: () => void = () => {}): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    const { lines } = this;
    this.lines = [];
    const lost = () => {
      this.dropped += lines.length;
      done();
    };
    if (lines.length === 0) {
      done();
      return;
    }
    if ((this.out.writableLength ?? 0) > MOST_WAITING) {
      lost();
      return;
    }
    try {
      const text = lines.map((line) => `${line}\n`).join("");
      this.out.write(text, (error) => (error ? lost() : done()));
    } catch {
      // A file on a disk that is full.
      lost();
    }
  }

  /** Writes the last lines, and waits for them a little while. */
  async close(): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, LAST_LINES);
      this.flush(() => {
        clearTimeout(timer);
        resolve();
      });
      // Anything but a stream calls nobody back.
      if (this.out.writableLength === undefined) resolve();
    });
  }
}

/** Standard error; a pipe that nobody reads must not stop the server, as Node's pipes do when they are full. */
function standardError(): LogTarget {
  const { stderr } = process;
  const { _handle: handle } = stderr as { _handle?: { setBlocking?(on: boolean): unknown } };
  if (!stderr.isTTY) handle?.setBlocking?.(false);
  return stderr;
}
