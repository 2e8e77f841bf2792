/** How much of a body is looked at, in bytes or UTF-16 units, before other requests have their turn. */
export const TURN = 1 << 16;

const waiting: (() => void)[] = [];

/**
 * Lets others have their turn. Those who wait go on one after the other, and everything that has arrived meanwhile is
 * served between them: a thousand large requests hold up a small one no longer than one of them does.
 */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (waiting.length === 1) setImmediate(goOn);
  });
}

function goOn(): void {
  waiting.shift()!();
  if (waiting.length > 0) setImmediate(goOn);
}

let turn = 0;
let counting = false;

/** The number of this turn of the event loop: what is read from a connection in one go has the same. */
export function turnNumber(): number {
  if (!counting) {
    counting = true;
    setImmediate(() => {
      turn++;
      counting = false;
    });
  }
  return turn;
}
