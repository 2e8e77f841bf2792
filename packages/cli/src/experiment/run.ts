import { type ChildProcess, fork } from "node:child_process";
import { rm } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { scriptFile } from "../files/package-files.js";
import { Board } from "./board.js";
import type { Cell, CellResult, Job, Message } from "./cell.js";
import type { Grid } from "./grid.js";
import type { Store } from "./store.js";

/** The results of the cells of a grid. */
export interface Outcome {
  results: Map<Cell, CellResult>;
  cached: number;
  failed: { cell: Cell; reason: string }[];
  interrupted: boolean;
}

/** Seconds of training that a kill may lose; writing a checkpoint takes about one. */
const CHECKPOINT_EVERY = 120;
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** The results that are there already. */
export async function loadResults(grid: Grid, store: Store): Promise<Map<Cell, CellResult>> {
  const results = new Map<Cell, CellResult>();
  for (const cell of grid.cells) {
    const result = await store.load(cell);
    if (result) results.set(cell, result);
  }
  return results;
}

/**
 * Trains the cells that have no result yet, `jobs` at a time, each in a process of its own. A signal ends it in order.
 */
export async function runGrid(grid: Grid, store: Store, jobs: number): Promise<Outcome> {
  const results = await loadResults(grid, store);
  const cached = results.size;
  const missing = grid.cells.filter((cell) => !results.has(cell));
  // The same cell may stand in the grid twice, as two systems with equal options do.
  const twins = new Map<string, Cell[]>();
  for (const cell of missing) twins.set(cell.id, [...(twins.get(cell.id) ?? []), cell]);
  const waiting = [...twins.values()].map((cells) => cells[0]!);
  const total = waiting.length + new Set([...results.keys()].map(({ id }) => id)).size;
  const board = new Board(new Set(waiting), total, jobs);
  for (const [cell, result] of results) board.learn(cell, result);
  const failed: Outcome["failed"] = [];
  const children = new Set<ChildProcess>();
  let interrupted = false;
  const interrupt = () => {
    interrupted = true;
    for (const child of children) child.kill("SIGKILL");
  };
  await store.create();
  for (const signal of SIGNALS) process.on(signal, interrupt);

  const work = async () => {
    for (let cell = waiting.shift(); cell && !interrupted; cell = waiting.shift()) {
      board.start(cell);
      const reason = await runCell(cell, grid, store, board, children);
      if (interrupted) return;
      const result = reason === undefined ? await store.loadNew(cell) : undefined;
      if (result) {
        for (const twin of twins.get(cell.id)!) results.set(twin, result);
        board.finish(cell, result);
      } else {
        failed.push({ cell, reason: reason ?? "its result cannot be read" });
        board.fail(cell, failed.at(-1)!.reason);
      }
    }
  };
  try {
    await Promise.all(Array.from({ length: jobs }, work));
  } finally {
    for (const signal of SIGNALS) process.off(signal, interrupt);
    board.clear();
  }
  return { results, cached, failed, interrupted };
}

/** Why the cell failed, undefined if it did not. */
function runCell(
  cell: Cell,
  grid: Grid,
  store: Store,
  board: Board,
  children: Set<ChildProcess>,
): Promise<string | undefined> {
  const { train, tests, silver } = grid.treebanks[cell.treebank]!.spec;
  const run = grid.spec.systems[cell.system]!.runs.find(({ oracle }) => oracle === cell.oracle)!;
  const job: Job = {
    train,
    silver,
    dev: tests?.map(({ file }) => file),
    key: cell.key,
    build: grid.build,
    command: grid.command,
    cell: cell.label,
    templates: grid.templates.get(run),
    inputs: run.inputs,
    result: store.pathOf(cell),
    checkpoint: store.checkpointOf(cell),
    checkpointEvery: CHECKPOINT_EVERY,
  };
  // In a group of its own, so that Ctrl-C reaches the parent alone and children end in order.
  const child = fork(fileURLToPath(scriptFile("experiment/cell-worker")), [], {
    detached: true,
    stdio: ["ignore", "ignore", "pipe", "ipc"],
  });
  children.add(child);
  let reason: string | undefined;
  let done = false;
  let said = "";
  child.stderr!.setEncoding("utf8").on("data", (text: string) => {
    said = (said + text).slice(-2000);
  });
  child.on("message", (message: Message) => {
    if ("error" in message) reason = message.error;
    else if ("done" in message) done = true;
    else board.at(cell, message.epoch, message.share);
  });
  return new Promise((resolve) => {
    child.once("error", (error) => {
      children.delete(child);
      resolve(error.message);
    });
    child.once("close", async (code, signal) => {
      children.delete(child);
      if (done) return resolve(undefined);
      for (const path of [job.result, job.checkpoint]) await rm(`${path}.${child.pid}.tmp`, { force: true });
      const last = said.trim().split("\n").at(-1);
      resolve(reason ?? `the process ended with ${signal ?? `status ${code}`}${last ? `: ${last}` : ""}`);
    });
    child.send(job, (error) => {
      if (error) reason ??= error.message;
    });
  });
}
