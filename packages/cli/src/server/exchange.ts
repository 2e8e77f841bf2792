// One request and its answer: reading with limits, writing with back-pressure, and an end for all of it when the client
// goes away or the time is over.
import type { IncomingMessage, ServerResponse } from "node:http";
import { Problem } from "./problem.js";
import type { Lane, Scheduler } from "./scheduler.js";

/** The client has gone: nobody reads an answer. */
export class Gone extends Error {}

export interface Limits {
  /** Bytes of a body. */
  maxBody: number;
  /** Milliseconds for a request from its beginning to the end of its answer, and between two parts of its body. */
  timeout: number;
  idleTimeout: number;
  /** Bytes of bodies that are held as a whole, of all requests together: how many there are and may be. */
  memory: { used: number; readonly most: number };
}

/** Output that is held back until it is clear that there is no error to report instead, in UTF-16 units. */
const HELD = 1 << 18;
/** Bytes of a body that is read in one go. */
const SMALL_BODY = 1 << 14;
/** How long the rest of a refused body is read and thrown away (ms), so that the client sees the answer. */
const LINGER = 1000;

export class Exchange {
  readonly begun = performance.now();
  readonly lane: Lane;
  /** Headers of every answer to this request: names and values by turns, as that is fastest. */
  readonly headers: string[];
  /** The connection ends with this answer. */
  close = false;
  /** Where it is in the server's list. */
  place = 0;
  bytesIn = 0;
  bytesOut = 0;
  words = 0;
  sentences = 0;
  /** What ends an answer that cannot be completed, and says why. */
  breakOffWith: (problem: Problem) => string = () => "";
  /** True while the body may have more to come. */
  reading = false;
  private failure: Error | undefined;
  private wakeReader = () => {};
  private wakeWriter = () => {};
  private expectsContinue: boolean;
  private inMemory = 0;
  private readonly timer: NodeJS.Timeout;
  private held: string[] = [];
  private heldSize = 0;
  private head: { status: number; headers: Record<string, string> } | undefined;

  constructor(
    readonly req: IncomingMessage,
    readonly res: ServerResponse,
    readonly id: string,
    private readonly limits: Limits,
    scheduler: Scheduler,
    expectsContinue: boolean,
  ) {
    this.lane = scheduler.lane();
    this.headers = ["X-Request-Id", id, "X-Content-Type-Options", "nosniff"];
    this.expectsContinue = expectsContinue;
    req.on("error", () => {});
    res.on("error", () => {});
    res.on("close", () => {
      clearTimeout(this.timer);
      limits.memory.used -= this.inMemory;
      this.inMemory = 0;
      if (!res.writableFinished) this.abort(new Gone("the client has gone"));
    });
    res.on("drain", () => this.wakeWriter());
    this.timer = setTimeout(() => this.timeOut(), limits.timeout);
  }

  /** Ends all work for this request; whoever waits for a part of it is told the reason. */
  abort(reason: Error): void {
    if (this.failure) return;
    this.failure = reason;
    this.lane.cancel(reason);
    this.wakeReader();
    this.wakeWriter();
  }

  private timeOut(): void {
    const seconds = this.limits.timeout / 1000;
    this.abort(
      this.reading
        ? new Problem(408, "body-too-slow", `the body did not arrive within ${seconds} s`)
        : new Problem(504, "timeout", `the request took longer than ${seconds} s`),
    );
    // Nobody reads the answer; what is buffered would stay for ever.
    if (this.head && this.res.writableNeedDrain) this.res.destroy();
  }

  /** The parts of the body as they come. What is not asked for is not read, so the sender has to wait. */
  async *chunks(): AsyncGenerator<Buffer, void, void> {
    const { req, limits } = this;
    if (Number(req.headers["content-length"] ?? 0) > limits.maxBody) throw this.tooLarge();
    if (this.expectsContinue) this.res.writeContinue();
    this.expectsContinue = false;
    this.reading = true;
    const wake = () => this.wakeReader();
    req.on("readable", wake);
    req.on("end", wake);
    for (;;) {
      if (this.failure) throw this.failure;
      const chunk = req.read() as Buffer | null;
      if (chunk !== null) {
        this.bytesIn += chunk.length;
        if (this.bytesIn > limits.maxBody) throw this.tooLarge();
        yield chunk;
      } else if (req.readableEnded) break;
      else await this.waitForBody();
    }
    this.reading = false;
  }

  private async waitForBody(): Promise<void> {
    const timer = setTimeout(() => this.abort(this.tooSlow()), this.limits.idleTimeout);
    await new Promise<void>((resolve) => {
      this.wakeReader = resolve;
    });
    clearTimeout(timer);
  }

  private tooLarge(): Problem {
    return new Problem(413, "body-too-large", `the body has more than ${this.limits.maxBody} bytes`, "body");
  }

  /** The whole body. */
  async body(): Promise<Buffer> {
    const chunks: Buffer[] = [];
    for await (const chunk of this.chunks()) {
      chunks.push(chunk);
      this.keep(chunk.length);
    }
    return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
  }

  /** The whole body if it is known to be small, undefined otherwise: faster than `chunks`, and most are small. */
  smallBody(): Promise<Buffer> | undefined {
    const { req } = this;
    const length = Number(req.headers["content-length"] ?? Number.NaN);
    if (!(length <= SMALL_BODY && length <= this.limits.maxBody) || this.expectsContinue) return undefined;
    this.reading = true;
    return new Promise((resolve, reject) => {
      const chunks: Buffer[] = [];
      req.on("data", (chunk: Buffer) => {
        chunks.push(chunk);
        this.bytesIn += chunk.length;
        timer.refresh();
      });
      req.on("end", () => {
        this.reading = false;
        clearTimeout(timer);
        resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks));
      });
      this.wakeReader = () => {
        clearTimeout(timer);
        if (this.failure) reject(this.failure);
      };
      const timer = setTimeout(() => this.abort(this.tooSlow()), this.limits.idleTimeout);
    });
  }

  private tooSlow(): Problem {
    const seconds = this.limits.idleTimeout / 1000;
    return new Problem(408, "body-too-slow", `nothing of the body arrived for ${seconds} s`);
  }

  /** Counts bytes that stay in memory until the request is answered. */
  private keep(bytes: number): void {
    const { memory } = this.limits;
    this.inMemory += bytes;
    memory.used += bytes;
    if (memory.used <= memory.most) return;
    const detail = "too many large bodies at a time: try again in a while, or send text/plain, which is read in parts";
    throw new Problem(503, "out-of-memory", detail, undefined, { "Retry-After": "1" });
  }

  /** Says what kind of answer follows; it is sent with the first part that is not held back. */
  open(status: number, headers: Record<string, string>): void {
    this.head = { status, headers };
  }

  /** Adds to the answer; waits while the client is slow to read it. */
  async write(text: string): Promise<void> {
    if (this.failure) throw this.failure;
    this.held.push(text);
    this.heldSize += text.length;
    // While the body is still coming the client may wait for what it can have already.
    if (this.heldSize < HELD && !this.res.headersSent && !this.reading) return;
    this.start();
    if (this.flush()) return;
    await new Promise<void>((resolve) => {
      this.wakeWriter = resolve;
    });
    if (this.failure) throw this.failure;
  }

  private start(): void {
    if (!this.res.headersSent) this.writeHead(this.head!.status, this.head!.headers);
  }

  private writeHead(status: number, headers: Record<string, string>, ...more: string[]): void {
    const all = this.headers;
    for (const name in headers) all.push(name, headers[name]!);
    all.push(...more);
    if (this.close) all.push("Connection", "close");
    this.res.writeHead(status, all);
  }

  private flush(): boolean {
    const text = this.held.join("");
    this.held = [];
    this.heldSize = 0;
    if (text === "") return true;
    this.bytesOut += Buffer.byteLength(text);
    return this.res.write(text);
  }

  /** Ends the answer. */
  end(): void {
    const { res } = this;
    if (res.headersSent) {
      this.flush();
      res.end();
      return;
    }
    const { status, headers } = this.head!;
    this.send(status, headers, this.held.join(""));
  }

  /** A whole answer at once. */
  send(status: number, headers: Record<string, string>, text: string): void {
    const { req, res } = this;
    const size = Buffer.byteLength(text);
    this.bytesOut = size;
    const unread = !req.readableEnded && (req.headers["content-length"] ?? "0") !== "0";
    const unreadChunks = !req.readableEnded && req.headers["transfer-encoding"] !== undefined;
    if (!(unread || unreadChunks) || req.complete) {
      this.writeHead(status, headers, "Content-Length", String(size));
      res.end(text);
      return;
    }
    // A connection that is closed while data arrives is reset, and the client would not see why.
    this.close = true;
    this.writeHead(status, headers, "Content-Length", String(size));
    if (this.expectsContinue) {
      res.end(text);
      return;
    }
    res.write(text);
    const finish = () => {
      clearTimeout(timer);
      res.end();
    };
    const timer = setTimeout(finish, LINGER);
    req.removeAllListeners("readable");
    req.removeAllListeners("data");
    req.once("end", finish);
    req.resume();
  }

  /** True once a part of the answer has been sent, so that its status cannot change. */
  get sent(): boolean {
    return this.res.headersSent;
  }

  /** Ends an answer that cannot be completed: with a last part that says why, and without the end that HTTP wants. */
  breakOff(text: string): void {
    this.held = [text];
    this.flush();
    // The connection ends when what was written has been sent.
    const { socket } = this.res;
    this.res.uncork();
    if (socket) socket.end();
    else this.res.destroy();
    setTimeout(() => this.res.destroy(), LINGER).unref();
  }
}
