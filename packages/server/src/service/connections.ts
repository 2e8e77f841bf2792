import type { Socket } from "node:net";
import type { Exchange } from "../http/exchange.js";
import type { Metrics } from "../metrics/metrics.js";

/** A connection and what is under way on it. */
export interface Connection {
  /** Requests that are not answered. */
  readonly exchanges: Set<Exchange>;
  /** How many bytes had come when the last of them was. */
  answered: number;
  /** The turn in which the last one came. */
  turn: number;
  /** There are too many: it has one request, for those who watch the server. */
  readonly spare: boolean;
}

/** So many connections more than allowed are there for those who watch the server. */
const SPARE = 16;

/** Milliseconds that connections stay open after the server has stopped listening: requests may be on their way. */
const LAST_REQUESTS = 1000;
/**
 * When a timer is so late (ms), the machine has too much to do, for clients as well: their requests may take longer. So
 * many times they are waited for again.
 */
const LATE = 50;
const MOST_WAITS = 5;

/** The connections that requests come on. */
export class Connections {
  private readonly open = new Map<Socket, Connection>();
  /** Connections so far. */
  accepted = 0;

  /** Connections that count, by address. */
  private readonly byAddress = new Map<string, number>();
  private readonly spares = new Set<Socket>();
  /** How many may be open, and of one address. */
  most = Number.POSITIVE_INFINITY;
  mostOfAddress = Number.POSITIVE_INFINITY;

  constructor(private readonly metrics: Metrics) {}

  /** The state of a connection, which begins when it is first asked for. */
  of(socket: Socket): Connection {
    return this.open.get(socket) ?? this.begin(socket);
  }

  private begin(socket: Socket): Connection {
    const address = socket.remoteAddress;
    const ofAddress = address === undefined ? 0 : (this.byAddress.get(address) ?? 0);
    const spare = this.open.size - this.spares.size >= this.most || ofAddress >= this.mostOfAddress;
    const connection: Connection = { exchanges: new Set(), answered: 0, turn: -1, spare };
    const { exchanges } = connection;
    this.open.set(socket, connection);
    if (spare) this.addSpare(socket);
    else if (address !== undefined) this.byAddress.set(address, ofAddress + 1);
    this.accepted++;
    this.metrics.connections++;
    socket.on("end", () => {
      for (const exchange of exchanges) exchange.halfClosed();
    });
    socket.on("close", () => {
      this.open.delete(socket);
      if (spare) this.spares.delete(socket);
      else if (address !== undefined) {
        const others = this.byAddress.get(address)! - 1;
        if (others === 0) this.byAddress.delete(address);
        else this.byAddress.set(address, others);
      }
      this.metrics.connections--;
      // Answers that wait for their turn are not told by Node that there is nobody to read them.
      for (const exchange of [...exchanges]) exchange.res.emit("close");
    });
    return connection;
  }

  /** Those who hold a place without a request make room for those who come after them. */
  private addSpare(socket: Socket): void {
    this.spares.add(socket);
    if (this.spares.size <= SPARE) return;
    this.metrics.refusedConnections++;
    for (const other of this.spares) {
      if (this.open.get(other)!.exchanges.size > 0) continue;
      this.spares.delete(other);
      other.destroy();
      return;
    }
  }

  /** The last answer on each connection says that it ends with it. */
  closeAfterAnswers(): void {
    for (const { exchanges } of this.open.values()) {
      const last = [...exchanges].at(-1);
      if (last) last.close = true;
    }
  }

  /**
   * From now on closes connections on which nothing is under way, again and again. Node's closeIdleConnections would
   * also close those whose last answer is not yet sent. Gives what ends it.
   */
  closeIdle(): () => void {
    let waits = 0;
    let expected = performance.now() + LAST_REQUESTS;
    const close = () => {
      for (const [socket, { exchanges, answered }] of this.open) {
        // Bytes that have come since are the beginning of a request.
        if (exchanges.size > 0 || socket.bytesRead > answered) continue;
        if (socket.writableEnded) socket.destroy();
        else socket.end();
      }
    };
    const timer = setInterval(() => {
      const now = performance.now();
      const isLate = now - expected > LATE;
      expected = now + LAST_REQUESTS;
      if (isLate && waits++ < MOST_WAITS) return;
      // After what has arrived has been read: timers run before that, immediates after it.
      setImmediate(close);
    }, LAST_REQUESTS);
    return () => clearInterval(timer);
  }

  destroyAll(): void {
    for (const socket of this.open.keys()) socket.destroy();
  }
}
