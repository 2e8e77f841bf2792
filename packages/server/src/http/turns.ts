/** How much of a body is looked at, in bytes or UTF-16 units, before other requests have their turn. */
export const TURN = 1 << 16;

/** Those who wait, in two stacks: taking the first of a long array would take time. */
let waiting: (() => void)[] = [];
let next: (() => void)[] = [];
let goesOn = false;

/**
 * Lets others have their turn. Those who wait go on one after the other, and everything that has arrived meanwhile is
 * served between them: a thousand large requests hold up a small one no longer than one of them does.
 */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (!goesOn) setImmediate(goOn);
    goesOn = true;
  });
}

function goOn(): void {
  if (next.length === 0) {
    next = waiting.reverse();
    waiting = [];
  }
  next.pop()!();
  goesOn = next.length + waiting.length > 0;
  if (goesOn) setImmediate(goOn);
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
