// Memory for answers, from the workers to the sockets. A piece is given to a worker when there is room for what it will
// become, and the room is free again when the client has taken it: what waits in order, is held back, or is written
// to a socket that nobody reads, counts alike.
import { Problem } from "./problem.js";

/** A request whose answer takes up memory. */
export interface Holder {
  /** UTF-16 units of its answer that it has room for: the client has not taken them, or workers are at them. */
  owed: number;
  readonly client: string;
  /** Since when the client has taken nothing of what waits for it (ms), if something does. */
  readonly stalledSince: number | undefined;
  /** Ends it and its connection. */
  cutOff(): void;
}

interface Waiting {
  holder: Holder;
  size: number;
  go: (error?: Error) => void;
}

/** One request may have this part of the memory. */
const SHARE = 1 / 4;
/** Pieces that become more than this (UTF-16 units) leave a part of the memory to the others. */
const LARGE = 1 << 18;
const FOR_LARGE = 3 / 4;
/** While others wait, a client that takes nothing for so long (ms) is cut off. */
const STALLED = 1000;
const INTERVAL = 100;
/** When so many requests wait for room, others are refused. */
const MOST_WAITING = 256;

export class AnswerMemory {
  used = 0;
  /** Answers that were cut off, as their clients did not take them while others waited. */
  cut = 0;
  private readonly holders = new Set<Holder>();
  private waiting: Waiting[] = [];
  private timer: NodeJS.Timeout | undefined;

  /** `most`: UTF-16 units. */
  constructor(readonly most: number) {}

  /** How much one request may have at a time. */
  get share(): number {
    return Math.floor(SHARE * this.most);
  }

  /** Takes room for what a piece will become; false if it has to wait. */
  take(holder: Holder, size: number): boolean {
    if (!this.hasRoom(holder, size) || (size > LARGE && this.waiting.length > 0)) return false;
    this.add(holder, size);
    return true;
  }

  /** The same, when there is room; whoever waits should have none, so that all go on in the end. */
  wait(holder: Holder, size: number): Promise<void> {
    if (this.waiting.length >= MOST_WAITING) {
      const detail = `answers take up all of their memory (${this.most} characters): try again in a while`;
      throw new Problem(503, "out-of-memory", detail, undefined, { "Retry-After": "1" });
    }
    return new Promise((resolve, reject) => {
      this.waiting.push({ holder, size, go: (error) => (error ? reject(error) : resolve()) });
      this.timer ??= setInterval(() => this.relieve(), INTERVAL);
      this.goOn();
    });
  }

  /** A piece has become larger or smaller than expected, or the client has taken some of it. */
  change(holder: Holder, by: number): void {
    this.add(holder, Math.max(by, -holder.owed));
    if (by < 0) this.goOn();
  }

  /** Ends what a request has and waits for. */
  leave(holder: Holder, reason: Error): void {
    const own = this.waiting.filter((waiting) => waiting.holder === holder);
    if (own.length > 0) this.waiting = this.waiting.filter((waiting) => waiting.holder !== holder);
    for (const { go } of own) go(reason);
    if (holder.owed > 0) this.change(holder, -holder.owed);
    else if (own.length > 0) this.goOn();
  }

  private add(holder: Holder, size: number): void {
    holder.owed += size;
    this.used += size;
    if (holder.owed > 0) this.holders.add(holder);
    else this.holders.delete(holder);
  }

  private hasRoom({ owed }: Holder, size: number): boolean {
    if (this.used === 0) return true;
    const most = size > LARGE ? FOR_LARGE * this.most : this.most;
    return this.used + size <= most && (owed === 0 || owed + size <= this.share);
  }

  private goOn(): void {
    for (const large of [false, true]) {
      for (const waiting of this.waiting.filter(({ size }) => size > LARGE === large)) {
        if (!this.hasRoom(waiting.holder, waiting.size)) break;
        this.waiting.splice(this.waiting.indexOf(waiting), 1);
        this.add(waiting.holder, waiting.size);
        waiting.go();
      }
    }
    if (this.waiting.length > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }

  /** Cuts off one answer that nobody takes: of the client that has most of them, the largest. */
  private relieve(): void {
    const now = performance.now();
    const stalled = [...this.holders].filter(({ stalledSince = now }) => now - stalledSince > STALLED);
    if (stalled.length === 0) return;
    const byClient = new Map<string, number>();
    for (const { client, owed } of stalled) byClient.set(client, (byClient.get(client) ?? 0) + owed);
    const rank = ({ client, owed }: Holder) => [byClient.get(client)!, owed] as const;
    const worst = stalled.reduce((a, b) => {
      const [[all, one], [otherAll, otherOne]] = [rank(a), rank(b)];
      return otherAll > all || (otherAll === all && otherOne > one) ? b : a;
    });
    this.cut++;
    worst.cutOff();
  }
}
