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

export class Shelf {
  /** In the order in which they were asked for last. */
  private readonly loaded = new Map<string, Promise<Generation>>();

  constructor(private readonly options: ShelfOptions) {}

  get names(): string[] {
    return [...this.options.sources.keys()];
  }

  /** How many are loaded, or are being loaded. */
  get size(): number {
    return this.loaded.size;
  }

  /** The workers with a model, which may have to be loaded first; undefined if there is none of this name. */
  get(name: string): Promise<Generation> | undefined {
    if (!this.options.sources.has(name)) return undefined;
    const found = this.loaded.get(name) ?? this.load(name);
    this.loaded.delete(name);
    this.loaded.set(name, found);
    this.makeRoom();
    return found;
  }

  private makeRoom(): void {
    for (const name of this.loaded.keys()) {
      if (this.loaded.size <= this.options.most) return;
      this.drop(name);
    }
  }

  /** Requests that are under way end with it. */
  private drop(name: string): void {
    const generation = this.loaded.get(name)!;
    this.loaded.delete(name);
    this.options.log("model-dropped", { model: name });
    generation.then((loaded) => loaded.retire()).catch(() => {});
  }

  private async load(name: string): Promise<Generation> {
    try {
      const generation = this.options.start(await this.read(name));
      await generation.scheduler.ready;
      this.options.log("model-loaded", { model: name });
      return generation;
    } catch (error) {
      // Whoever asks next tries again.
      this.loaded.delete(name);
      const { message } = error as Error;
      this.options.log("model-failed", { model: name, error: message });
      const detail = `the model ${name} cannot be loaded: the log of the server says why`;
      throw new Problem(503, "model-unavailable", detail, "model", { "Retry-After": "10" });
    }
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
    for (const name of [...this.loaded.keys()]) this.drop(name);
  }

  async close(): Promise<void> {
    const all = [...this.loaded.values()];
    this.loaded.clear();
    for (const each of await Promise.allSettled(all)) {
      if (each.status === "fulfilled") await each.value.scheduler.close();
    }
  }
}
