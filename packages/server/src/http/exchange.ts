// One request and its answer: reading with limits, writing with back-pressure, and an end for all of it when the client
// goes away or nothing goes on.
import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import type { AnswerMemory, Holder } from "./answer-memory.js";
import { readBefore } from "./body-before.js";
import { type Coding, codingFor } from "./headers.js";
import { type Packer, packed, packerFor, unpacked, unpackerOf, WORTH_PACKING } from "./packing.js";
import { Problem } from "./problem.js";
import { nextTurn } from "./turns.js";

/** The client has gone: nobody reads an answer. */
export class Gone extends Error {}

export interface Limits {
  /** Bytes of a body, unpacked. */
  maxBody: number;
  /** Milliseconds that a request may go without progress, and that its body may pause. */
  timeout: number;
  idleTimeout: number;
  /** Bytes of bodies that are held as a whole, of all requests together: how many there are and may be. */
  memory: { used: number; readonly most: number };
  /** For the answers of all requests together. */
  answers: AnswerMemory;
}

/** Output that is held back until it is clear that there is no error to report instead, in UTF-16 units. */
const HELD = 1 << 18;
/** Bytes of an answer that are written in one go: that the client takes them is progress. */
const SLICE = 1 << 16;
/** Bytes of a body that is read in one go. */
const SMALL_BODY = 1 << 14;
/** After so many chunks of a body that arrive together, nothing more is read of it for a while (ms). */
const MANY_CHUNKS = 1 << 10;
const PAUSE = 50;
/** How long the rest of a refused body is read and thrown away (ms), so that the client sees the answer. */
const LINGER = 1000;
/** Bytes of a body that count as progress: one now and then does not. */
const PROGRESS = 1 << 16;
/** Bytes of a body after which others have their turn. */
const LOOKED_AT = 1 << 14;
/**
 * How often a client that has closed its half of the connection is asked whether it is still there (ms), while it
 * waits.
 */
const HALF_CLOSED = 1000;

/**
 * Hands the chunks of a body on in one go that arrive together, and no more of them than others can wait for. Each
 * takes microseconds, and what arrives at once may hold tens of thousands of a byte each.
 */
function joinSmallChunks(req: IncomingMessage): void {
  const push = req.push.bind(req);
  let chunks: Buffer[] = [];
  let size = 0;
  const handOn = () => {
    if (chunks.length === 0) return;
    const joined = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, size);
    chunks = [];
    size = 0;
    push(joined);
  };
  req.push = (chunk: Buffer | null) => {
    if (chunk === null) {
      handOn();
      return push(null);
    }
    if (chunks.length === 0) setImmediate(() => (chunks.length < MANY_CHUNKS ? handOn() : setTimeout(handOn, PAUSE)));
    size += chunk.length;
    chunks.push(chunk);
    // If not, nothing more is read from the connection until they are handed on.
    return chunks.length < MANY_CHUNKS && size + req.readableLength < req.readableHighWaterMark;
  };
}

export class Exchange implements Holder {
  owed = 0;
  stalledSince: number | undefined;
  /** Nothing of the answer is held back: there is no memory for it. */
  eager = false;
  /** Its address; a client on a Unix socket has none, nor has one that was gone before it was accepted. */
  readonly client: string;
  readonly begun = performance.now();
  /** Headers of every answer to this request: names and values by turns, as that is fastest. */
  readonly headers: string[];
  /** The connection ends with this answer. */
  close = false;
  bytesIn = 0;
  bytesOut = 0;
  words = 0;
  sentences = 0;
  /** Name of the model that it is about. */
  model: string | undefined;
  /** Ends an answer that cannot be completed, and says why. */
  breakOffWith: (problem: Problem) => string = () => "";
  /** True while the body may have more to come. */
  reading = false;
  private waitsForBody = false;
  private failure: Error | undefined;
  private wakeReader = () => {};
  private wakeWriter = () => {};
  private expectsContinue: boolean;
  private inMemory = 0;
  /** Bytes that were read since they last counted as progress. */
  private moved = 0;
  private readonly timer: NodeJS.Timeout;
  private held: string[] = [];
  private heldSize = 0;
  private head: { status: number; headers: Record<string, string> } | undefined;
  private packer: Packer | undefined;

  constructor(
    readonly req: IncomingMessage,
    readonly res: ServerResponse,
    readonly id: string,
    private readonly limits: Limits,
    expectsContinue: boolean,
  ) {
    this.client = req.socket.remoteAddress ?? "unknown";
    this.headers = ["X-Request-Id", id, "X-Content-Type-Options", "nosniff"];
    this.expectsContinue = expectsContinue;
    if (req.headers["transfer-encoding"] !== undefined) joinSmallChunks(req);
    req.on("error", () => {});
    res.on("error", () => {});
    res.on("drain", () => {
      this.progress();
      if (this.stalledSince !== undefined) this.stalledSince = performance.now();
      if (this.packer) this.packer.resume();
      else this.wakeWriter();
    });
    this.timer = setTimeout(() => this.timeOut(), limits.timeout);
  }

  /** Lets go of everything; the client has all of the answer, or has gone. */
  release(): void {
    clearTimeout(this.timer);
    this.limits.memory.used -= this.inMemory;
    this.inMemory = 0;
    this.packer?.destroy();
    const gone = new Gone("the client has gone");
    if (!this.res.writableFinished) this.abort(gone);
    this.limits.answers.leave(this, gone);
  }

  /** Ends it and its connection: the client takes nothing while others wait for the memory. */
  cutOff(): void {
    this.abort(new Gone("the client does not take the answer"));
    this.req.socket.destroy();
  }

  /** Ends all work for this request; whoever waits for a part of it is told the reason. */
  abort(reason: Error): void {
    if (this.failure) return;
    this.failure = reason;
    this.limits.answers.leave(this, reason);
    this.wakeReader();
    this.wakeWriter();
  }

  /** Something was done for the request: its time begins anew. */
  progress(): void {
    this.timer.refresh();
  }

  private timeOut(): void {
    const { res, req } = this;
    if (res.writableEnded || this.failure) {
      // It waits for answers before it on the same connection, or nobody reads it: what is buffered would stay for
      // ever.
      if (res.socket === null && !req.socket.destroyed) this.timer.refresh();
      else req.socket.destroy();
      return;
    }
    const seconds = this.limits.timeout / 1000;
    this.abort(
      this.waitsForBody
        ? new Problem(408, "body-too-slow", `less than ${PROGRESS} bytes of the body arrived within ${seconds} s`)
        : new Problem(504, "timeout", `the request made no progress within ${seconds} s`),
    );
    if (this.sent && res.writableNeedDrain) req.socket.destroy();
    // For the answer that says so.
    else this.timer.refresh();
  }

  /**
   * The client has closed its half of the connection: it may wait for the answer, or be gone, which only writing to
   * it tells.
   */
  halfClosed(): void {
    const { res, req } = this;
    // The first is answered with a reset if it is gone, which the second runs into.
    const probe = setInterval(() => {
      if (!res.headersSent && res.socket && req.httpVersionMinor > 0) res.writeProcessing();
    }, HALF_CLOSED);
    res.once("close", () => clearInterval(probe));
  }

  /** The parts of the body as they come. What is not asked for is not read, so the sender has to wait. */
  chunks(): AsyncGenerator<Buffer, void, void> {
    const before = readBefore(this.req);
    if (before) return this.inTurns(Readable.from([this.taken(before)]));
    const unpacker = unpackerOf(this.req.headers["content-encoding"]);
    if (!unpacker) return this.inTurns(this.rawChunks());
    return this.inTurns(unpacked(this.rawChunks(), unpacker(), this.limits.maxBody, () => this.tooLarge()));
  }

  private async *inTurns(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void, void> {
    let looked = 0;
    for await (const chunk of chunks) {
      looked += chunk.length;
      if (looked >= LOOKED_AT) {
        looked = 0;
        await nextTurn();
      }
      yield chunk;
    }
  }

  /** Whether it has not failed, and its client not gone. */
  get isWanted(): boolean {
    return this.failure === undefined;
  }

  /** Throws the reason if the request has failed meanwhile. */
  check(): void {
    if (this.failure) throw this.failure;
  }

  /** A body that was read before the request came here. */
  private taken(body: Buffer): Buffer {
    this.took(body);
    if (body.length > this.limits.maxBody) throw this.tooLarge();
    return body;
  }

  private async *rawChunks(): AsyncGenerator<Buffer, void, void> {
    const { req, limits } = this;
    if (Number(req.headers["content-length"] ?? 0) > limits.maxBody) throw this.tooLarge();
    if (this.expectsContinue) this.res.writeContinue();
    this.expectsContinue = false;
    this.reading = true;
    // After all that has arrived by now has been read: chunks may have a byte each, and are taken together.
    let called = false;
    const wake = () => {
      if (called) return;
      called = true;
      setImmediate(() => {
        called = false;
        this.wakeReader();
      });
    };
    req.on("readable", wake);
    req.on("end", wake);
    for (;;) {
      this.check();
      const chunk = req.read() as Buffer | null;
      if (chunk !== null) {
        this.took(chunk);
        if (this.bytesIn > limits.maxBody) throw this.tooLarge();
        yield chunk;
      } else if (req.readableEnded) break;
      else await this.waitForBody();
    }
    this.reading = false;
  }

  private took(chunk: Buffer): void {
    this.bytesIn += chunk.length;
    this.moved += chunk.length;
    if (this.moved < PROGRESS) return;
    this.moved = 0;
    this.progress();
  }

  private async waitForBody(): Promise<void> {
    const timer = setTimeout(() => this.abort(this.tooSlow()), this.limits.idleTimeout);
    this.waitsForBody = true;
    await new Promise<void>((resolve) => {
      this.wakeReader = resolve;
    });
    this.waitsForBody = false;
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
    if (req.readableEnded) return undefined;
    const length = Number(req.headers["content-length"] ?? Number.NaN);
    if (!(length <= SMALL_BODY && length <= this.limits.maxBody) || this.expectsContinue) return undefined;
    if (unpackerOf(req.headers["content-encoding"])) return undefined;
    this.reading = true;
    this.waitsForBody = true;
    return new Promise((resolve, reject) => {
      const chunks: Buffer[] = [];
      req.on("data", (chunk: Buffer) => {
        chunks.push(chunk);
        this.took(chunk);
        timer.refresh();
      });
      req.on("end", () => {
        this.reading = false;
        this.waitsForBody = false;
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
    return new Problem(408, "body-too-slow", `no part of the body arrived for ${seconds} s`);
  }

  /** Says how many bytes of the body are held at present. */
  hold(bytes: number): void {
    this.keep(bytes - this.inMemory);
  }

  /** Counts bytes that stay in memory until the request is answered. */
  private keep(bytes: number): void {
    const { memory } = this.limits;
    this.inMemory += bytes;
    memory.used += bytes;
    if (memory.used <= memory.most) return;
    const detail =
      "too many large bodies at the same time: try again later, or send text/plain, which is read in parts";
    throw new Problem(503, "out-of-memory", detail, undefined, { "Retry-After": "1" });
  }

  /** The most that a part of the answer may be, in UTF-16 units. */
  get mostAnswer(): number {
    return this.limits.answers.share;
  }

  /** Takes room for a part of the answer that is to be made; false if there is none. */
  expect(size: number): boolean {
    return this.limits.answers.take(this, size);
  }

  /** Waits for the room. */
  waitFor(size: number): Promise<void> {
    this.check();
    return this.limits.answers.wait(this, size);
  }

  /** A part of the answer is there, and has a size. */
  became(expected: number, size: number): void {
    if (!this.failure) this.limits.answers.change(this, size - expected);
  }

  /** Sends what is held back, and holds nothing back any more. */
  sendAll(): Promise<void> {
    this.eager = true;
    return this.flush();
  }

  /** Says what kind of answer follows; it is sent with the first part that is not held back. */
  open(status: number, headers: Record<string, string>): void {
    this.head = { status, headers };
  }

  /** Adds to the answer; waits while the client is slow to read it. */
  async write(text: string): Promise<void> {
    this.check();
    this.held.push(text);
    this.heldSize += text.length;
    // While the body is still coming the client may wait for what it can have already.
    if (this.heldSize < HELD && !this.sent && !this.reading && !this.eager) return;
    await this.flush();
  }

  /** Sends what is held back, as fast as the client takes it. */
  private async flush(): Promise<void> {
    const text = this.held.join("");
    this.held = [];
    this.heldSize = 0;
    if (text === "") return;
    this.start();
    if (text.length <= SLICE) await this.put(text);
    else {
      const bytes = Buffer.from(text);
      for (let at = 0; at < bytes.length; at += SLICE) await this.put(bytes.subarray(at, at + SLICE));
    }
    this.limits.answers.change(this, -text.length);
  }

  private async put(part: string | Buffer): Promise<void> {
    if (this.putNow(part)) return;
    this.stalledSince = performance.now();
    await new Promise<void>((resolve) => {
      this.wakeWriter = resolve;
    });
    this.stalledSince = undefined;
    this.check();
  }

  private putNow(part: string | Buffer): boolean {
    if (this.packer) {
      const more = this.packer.write(part);
      // The client gets the part that is ready.
      this.packer.flush();
      return more;
    }
    this.bytesOut += Buffer.byteLength(part);
    return this.res.write(part);
  }

  private start(): void {
    if (this.sent) return;
    const { status, headers } = this.head!;
    const coding = this.coding();
    if (coding === undefined) {
      this.writeHead(status, headers);
      return;
    }
    this.writeHead(status, headers, "Content-Encoding", coding);
    const packer = packerFor(coding);
    this.packer = packer;
    packer.on("data", (bytes: Buffer) => {
      this.bytesOut += bytes.length;
      if (!this.res.write(bytes)) packer.pause();
    });
    packer.on("drain", () => this.wakeWriter());
    packer.on("error", (error) => this.abort(error));
  }

  /** How the answer is packed; says in its headers that it depends on the request. */
  private coding(): Coding | undefined {
    this.headers.push("Vary", "Accept-Encoding");
    const coding = codingFor(this.req.headers["accept-encoding"]?.toString() ?? "");
    return coding === "identity" || this.req.method === "HEAD" ? undefined : coding;
  }

  private writeHead(status: number, headers: Record<string, string>, ...more: string[]): void {
    const all = this.headers;
    for (const name in headers) all.push(name, headers[name]!);
    all.push(...more);
    if (this.close) all.push("Connection", "close");
    this.res.writeHead(status, all);
  }

  /** Ends the answer. */
  end(): void {
    const { res, packer } = this;
    this.stalledSince = performance.now();
    if (this.sent) {
      if (!packer) res.end();
      else {
        packer.once("end", () => res.end());
        packer.end();
      }
      return;
    }
    const { status, headers } = this.head!;
    this.send(status, headers, this.held.join(""));
  }

  /** A whole answer at once. */
  send(status: number, headers: Record<string, string>, text: string): void {
    const size = Buffer.byteLength(text);
    const coding = size < WORTH_PACKING ? undefined : this.coding();
    if (coding === undefined) {
      this.sendBytes(status, headers, text, size);
      return;
    }
    packed(text, coding, (error, bytes) => {
      if (this.res.destroyed) return;
      if (error) this.sendBytes(status, headers, text, size);
      else this.sendBytes(status, { ...headers, "Content-Encoding": coding }, bytes, bytes.length);
    });
  }

  private sendBytes(status: number, headers: Record<string, string>, body: string | Buffer, size: number): void {
    const { req, res } = this;
    this.bytesOut = size;
    const unread = !req.readableEnded && (req.headers["content-length"] ?? "0") !== "0";
    const unreadChunks = !req.readableEnded && req.headers["transfer-encoding"] !== undefined;
    if (!(unread || unreadChunks) || req.complete) {
      this.writeHead(status, headers, "Content-Length", String(size));
      res.end(body);
      return;
    }
    // A connection that is closed while data arrives is reset, and the client would not see why.
    this.close = true;
    this.writeHead(status, headers, "Content-Length", String(size));
    if (this.expectsContinue) {
      res.end(body);
      return;
    }
    res.write(body);
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
    const { socket } = this.res;
    // The connection ends when what was written has been sent.
    const cut = () => {
      this.res.uncork();
      if (socket) socket.end();
      else this.res.destroy();
    };
    this.putNow(text);
    if (this.packer) this.packer.flush(cut);
    else cut();
    setTimeout(() => this.res.destroy(), LINGER).unref();
  }
}
