// Runs very many small cases in a child process that is watched: a case that does not end, ends the process, takes too
// much time or too much memory is a failure, and the rest goes on in a new process. Cases are made from their number
// alone, so each can be had again: --from 123 --runs 1.
import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const CHILD = fileURLToPath(new URL("watched-child.mjs", import.meta.url));

/**
 * A measurement that consists of cases: reads --runs, --from and --seed, runs them, prints what came out; status 1 if
 * there were failures.
 * @param {{ module: string, runs: number, batch: number, seconds: number, megabytes: number, settings?: Record<string,
 * unknown> }} options
 *   `module`: exports `prepare(seed, settings)`, which gives a function from the number of a case to a word for what
 *   became of it (it throws when something is wrong). `batch`: how many cases are run between two signs of life.
 *   `seconds` is the limit for one case, `megabytes` for the process.
 */
export async function runWatched({ module, runs, batch, seconds, megabytes, settings = {} }) {
  const { values } = parseArgs({
    options: {
      runs: { type: "string", default: String(runs) },
      from: { type: "string", default: "0" },
      seed: { type: "string", default: "1" },
    },
  });
  const first = Number(values.from);
  const end = first + Number(values.runs);
  const limits = { seconds, megabytes };
  const start = () => startChild([module, values.seed, JSON.stringify(settings), JSON.stringify(limits)], megabytes);
  const started = performance.now();
  /** @type {Map<string, number>} */
  const outcomes = new Map();
  /** @type {string[]} */
  const failures = [];
  let [slowest, highest, slowestAt] = [0, 0, first];
  let child = start();
  /** @param {number} from @param {number} to */
  const run = async (from, to) => {
    // The first batch also has to load what it needs.
    const answer = await child.ask({ from, to }, 30_000 + 1000 * seconds);
    if (typeof answer === "string") {
      await child.end();
      child = start();
      if (to - from > 1) for (let i = from; i < to; i++) await run(i, i + 1);
      else failures.push(`case ${from}: ${answer}`);
      return;
    }
    for (const [outcome, count] of Object.entries(answer.outcomes)) {
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + count);
    }
    failures.push(...answer.failures);
    if (answer.slowest > slowest) [slowest, slowestAt] = [answer.slowest, answer.slowestAt];
    highest = Math.max(highest, answer.megabytes);
  };
  for (let from = first; from < end && failures.length < 50; from += batch)
    await run(from, Math.min(end, from + batch));
  await child.end();
  for (const [outcome, count] of [...outcomes].sort()) console.log(`${outcome.padEnd(40)} ${count}`);
  for (const failure of failures) console.log(`FAILED ${failure}`);
  const all = [...outcomes.values()].reduce((sum, count) => sum + count, 0) + failures.length;
  console.log(
    `${all} cases (seed ${values.seed}), ${failures.length} failures; slowest ${slowest.toFixed(0)} ms (case ${slowestAt}, limit ${1000 * seconds} ms), ` +
      `memory at most ${highest.toFixed(0)} MB (limit ${megabytes} MB), ${((performance.now() - started) / 1000).toFixed(0)} s`,
  );
  process.exitCode = failures.length > 0 ? 1 : 0;
}

/** @param {string[]} args @param {number} megabytes */
function startChild(args, megabytes) {
  const child = fork(CHILD, args, { execArgv: [`--max-old-space-size=${megabytes}`], stdio: ["ignore", 1, 2, "ipc"] });
  let ended = false;
  const exit = new Promise((resolve) =>
    child.once("exit", (status, signal) => {
      ended = true;
      resolve(`the process ended with ${signal ?? `status ${status}`}`);
    }),
  );
  return {
    /** @param {{ from: number, to: number }} range @param {number} patience @returns {Promise<any>} */
    async ask(range, patience) {
      /** @type {NodeJS.Timeout | undefined} */
      let timer;
      const late = new Promise((resolve) => {
        timer = setTimeout(() => resolve(`no answer after ${patience / 1000} s`), patience);
      });
      if (!ended) child.send(range);
      const answer = await Promise.race([new Promise((resolve) => child.once("message", resolve)), late, exit]);
      clearTimeout(timer);
      child.removeAllListeners("message");
      return answer;
    },
    async end() {
      child.kill("SIGKILL");
      await exit;
    },
  };
}
