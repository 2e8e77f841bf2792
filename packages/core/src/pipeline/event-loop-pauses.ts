/** Milliseconds after which others get their turn. */
const TURN = 12;

/** Lets the event loop run now and then: timers, events and drawing wait for no more than a sentence beyond TURN. */
export class EventLoopPauses {
  private last = Date.now();

  /** Undefined if it is not time yet. */
  next(): Promise<void> | undefined {
    if (Date.now() - this.last < TURN) return undefined;
    return nextTask().then(() => {
      this.last = Date.now();
    });
  }
}

/** Resolves in a task of its own: of Node, or of a browser, whose timers wait for at least 4 ms. */
function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    if (typeof setImmediate === "function") return setImmediate(resolve);
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => resolve(port1.close());
    port2.postMessage(0);
  });
}
