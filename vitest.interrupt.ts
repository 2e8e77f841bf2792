// Interrupts a test that never ends. vitest's own timeout is a timer of the thread that runs the tests, and in a loop
// that never lets go no timer fires; so another thread watches, and ends the process that runs the file. Vitest reports
// that as an error and goes on with the other files.
import { Worker } from "node:worker_threads";
import { afterEach, beforeEach, expect } from "vitest";

/** Longer than the timeout of a test, which says more when it can. INTERRUPT=… sets another. */
const SECONDS = Number(process.env.INTERRUPT ?? 240);

const WATCH = `
const { parentPort, workerData: { seconds, file } } = require("node:worker_threads");
const { writeSync } = require("node:fs");
let timer;
function watch(what) {
  clearTimeout(timer);
  timer = setTimeout(() => {
    writeSync(2, "\\n" + file + ": interrupted after " + seconds + " s: " + what + " does not end (INTERRUPT=… allows more seconds)\\n");
    process.kill(process.pid, "SIGKILL");
  }, 1000 * seconds);
}
parentPort.on("message", watch);
watch("what is outside of the tests");
`;

const file = expect.getState().testPath;
const watcher = new Worker(WATCH, { eval: true, workerData: { seconds: SECONDS, file } });
watcher.unref();
beforeEach(({ task }) => watcher.postMessage(`"${task.name}"`));
afterEach(({ task }) => watcher.postMessage(`what follows "${task.name}"`));
