import { setImmediate } from "node:timers/promises";

/** How much of a body is looked at, in bytes or UTF-16 units, before other requests have their turn. */
export const TURN = 1 << 16;

/** Lets others have their turn. */
export function nextTurn(): Promise<void> {
  return setImmediate();
}
