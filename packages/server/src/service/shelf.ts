// Models that are loaded when somebody asks for them; of those that are loaded, the one that was asked for least
// recently goes.
import { Worker } from "node:worker_threads";
import { Problem } from "../http/problem.js";
import type { SharedServed } from "../pool/models.js";
import type { LoaderStart } from "../pool/worker.js";
import type { Generation } from "./generation.js";

export interface ShelfOptions {
  /** Where the models are, by their names. */
  sources: ReadonlyMap<string, string>;
  /** How many may be loaded. */
  most: number;
  /** Threads of each. */
  threads: number;
  /** Seconds for loading one. */
  startTime: number;
  /** The script of the workers. */
  script: URL;
  /** Starts the workers of a model. */
  start(model: SharedServed): Generation;
  /** Is told of what was loaded, and of what could not be. */
  log(event: string, values: Record<string, string>): void;
}

/** A model that is being loaded, or waits for that, and whether those who asked for it still want it. */
interface Loading {
  readonly generation: Promise<Generation>;
  readonly asked: (() => boolean)[];
}

export class Shelf {
  /** Those that are loaded, in the order in which they were asked for last. */
  private readonly loaded = new Map<string, Generation>();
  private readonly loading = new Map<string, Loading>();
  /** Resolves when the last of these is loaded: one after the other, as their memory would add up. */
  private turn: Promise<unknown> = Promise.resolve();
  /** Those that were dropped and have requests under way. */
  private readonly ending = new Set<Promise<void>>();
  private closed = false;

  constructor(private readonly options: ShelfOptions) {}

  get names(): string[] {
    return [...this.options.sources.keys()];
  }

  /** How many are loaded. */
  get size(): number {
    return this.loaded.size;
  }

  /**
   * The workers with a model, which may have to be loaded first; undefined if there is none of this name. A request
   * has entered them, and has to leave them. What nobody wants when its turn comes is not loaded.
   */
  get(name: string, isWanted: () => boolean): Promise<Generation> | undefined {
    if (!this.options.sources.has(name)) return undefined;
    const found = this.loaded.get(name);
    if (!found) {
      const { asked, generation } = this.loading.get(name) ?? this.load(name);
      asked.push(isWanted);
      return generation.then((loaded) => loaded.enter());
    }
    this.loaded.delete(name);
    this.loaded.set(name, found);
    return Promise.resolve(found.enter());
  }

  private load(name: string): Loading {
    const asked: (() => boolean)[] = [];
    const forget = () => {
      if (this.loading.get(name) === loading) this.loading.delete(name);
    };
    const generation = this.turn.then(() => {
      if (!this.closed && asked.some((isWanted) => isWanted())) return this.loadNow(name).finally(forget);
      forget();
      throw unavailable(name);
    });
    const loading = { generation, asked };
    this.loading.set(name, loading);
    this.turn = generation.catch(() => {});
    return loading;
  }

  private async loadNow(name: string): Promise<Generation> {
    const { most, start, log } = this.options;
    for (const [other, generation] of this.loaded) if (this.loaded.size >= most) this.drop(other, generation);
    // Requests end with the model that they have begun with, but these must not become more and more.
    while (this.ending.size > most) await Promise.race(this.ending);
    try {
      const generation = start(await this.read(name));
      await generation.scheduler.ready;
      if (this.closed) await generation.scheduler.close();
      this.loaded.set(name, generation);
      log("model-loaded", { model: name });
      return generation;
    } catch (error) {
      // Whoever asks next tries again.
      log("model-failed", { model: name, error: (error as Error).message });
      throw unavailable(name);
    }
  }

  /** Requests that are under way end with it. */
  private drop(name: string, generation: Generation): void {
    this.loaded.delete(name);
    this.options.log("model-dropped", { model: name });
    const ended = generation.retire().finally(() => this.ending.delete(ended));
    this.ending.add(ended);
  }

  /** Reads a file in a thread of its own: others are served meanwhile. */
  private read(name: string): Promise<SharedServed> {
    const { sources, threads, script, startTime } = this.options;
    const workerData: LoaderStart = { load: { name, source: sources.get(name)!, threads } };
    const loader = new Worker(script, { workerData });
    return new Promise<SharedServed>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`not within ${startTime} s`)), 1000 * startTime);
      loader.once("message", resolve);
      loader.once("error", reject);
      loader.once("exit", (code) => reject(new Error(`its thread ended (code ${code})`)));
      loader.once("exit", () => clearTimeout(timer));
    }).finally(() => void loader.terminate());
  }

  /** Whoever asks from now on gets them as they are in their files now. */
  clear(): void {
    for (const [name, generation] of this.loaded) this.drop(name, generation);
    // After those who wait for it have entered it.
    for (const [name, { generation }] of this.loading) {
      generation.then((loaded) => this.drop(name, loaded)).catch(() => {});
    }
    this.loading.clear();
  }

  async close(): Promise<void> {
    this.closed = true;
    await Promise.all([...this.loaded.values()].map((generation) => generation.scheduler.close()));
    await this.turn;
  }
}

function unavailable(name: string): Problem {
  const detail = `the model ${name} cannot be loaded: the log of the server says why`;
  return new Problem(503, "model-unavailable", detail, "model", { "Retry-After": "10" });
}
