// Interrupts a test that never ends. vitest's own timeout is a timer of the thread that runs the tests, and in a loop
// that never lets go no timer fires; so another thread watches, and ends the process that runs the file. Vitest reports
// that as an error and goes on with the other files.
import { Worker } from "node:worker_threads";
import { afterAll, afterEach, beforeEach, expect } from "vitest";

/** Longer than the timeout of a test, which says more when it can. INTERRUPT=… sets another. */
const SECONDS = Number(process.env.INTERRUPT ?? 240);

/** How often the tests went on, and the length of the file and the name of what runs now, which are text. */
interface Watched {
  readonly numbers: Int32Array;
  readonly text: Uint8Array;
}

// It looks every second; a message for every test would wake it thousands of times.
const WATCH = `
const { workerData: { numbers, text, seconds } } = require("node:worker_threads");
const { writeSync } = require("node:fs");
let last = -1;
let since = 0;
setInterval(() => {
  const now = Atomics.load(numbers, 0);
  if (now !== last) [last, since] = [now, performance.now()];
  if (numbers[1] === 0 || performance.now() - since < 1000 * seconds) return;
  const [file, what] = Buffer.from(text.slice(0, numbers[1])).toString().split("\\n", 2);
  writeSync(2, "\\n" + file + ": interrupted after " + seconds + " s: " + what + " does not end (INTERRUPT=… allows more seconds)\\n");
  process.kill(process.pid, "SIGKILL");
}, 1000);
`;

function startWatching(): Watched {
  const numbers = new Int32Array(new SharedArrayBuffer(8));
  const text = new Uint8Array(new SharedArrayBuffer(1000));
  new Worker(WATCH, { eval: true, workerData: { numbers, text, seconds: SECONDS } }).unref();
  return { numbers, text };
}

/** Files that share a process share the thread, too. */
const shared = globalThis as { stemmaWatched?: Watched };
shared.stemmaWatched ??= startWatching();
const { numbers, text } = shared.stemmaWatched;
const file = expect.getState().testPath;
const encoder = new TextEncoder();

function watch(what?: string): void {
  numbers[1] = what === undefined ? 0 : encoder.encodeInto(`${file}\n${what}`, text).written;
  Atomics.add(numbers, 0, 1);
}

watch("what is outside of the tests");
beforeEach(({ task }) => watch(`"${task.name}"`));
afterEach(({ task }) => watch(`what follows "${task.name}"`));
afterAll(() => watch());
