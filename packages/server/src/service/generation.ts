import { load } from "@stemma/core";
import { type Model, Models, type SharedServed } from "../pool/models.js";
import { Scheduler, type SchedulerOptions } from "../pool/scheduler.js";
import { openapi } from "../routes/openapi.js";
import { udpipeModels } from "../routes/udpipe-route.js";
import type { ServedModel, ServedModels } from "./options.js";

/** Loads what is not loaded. */
export async function loaded(models: ServedModels): Promise<Model[]> {
  const named: [string, ServedModel][] = models instanceof Map ? [...models] : Object.entries(models);
  if (named.length === 0) throw new TypeError("invalid models: none (expected at least one, as in { en: model })");
  return Promise.all(
    named.map(async ([name, model]) => ({
      name,
      model: typeof model === "object" && "parser" in model ? model : (await load(model)).model,
    })),
  );
}

/**
 * Models with the workers that have them. When models are loaded again, requests that have begun end on the
 * generation before.
 */
export class Generation {
  readonly models: Models;
  readonly scheduler: Scheduler;
  /** The answers that describe the models. */
  readonly openapi: string;
  readonly udpipeModels: string;
  private requests = 0;
  private retired = false;
  private end!: () => void;
  private readonly ended = new Promise<void>((resolve) => {
    this.end = () => resolve(this.scheduler.close());
  });

  constructor(
    models: readonly SharedServed[],
    scheduling: Omit<SchedulerOptions, "models">,
    described: { version: string; maxBody: number; maxSentence: number },
    /** The names of models that are loaded on demand. */
    onDemand: readonly string[] = [],
  ) {
    this.models = new Models(models);
    this.scheduler = new Scheduler({ ...scheduling, models: models.map(({ shared }) => shared) });
    this.openapi = `${JSON.stringify(openapi([...this.models.names, ...onDemand], described))}\n`;
    this.udpipeModels = `${JSON.stringify(udpipeModels(this.models), null, 1)}\n`;
  }

  /** A request is done with these models. */
  enter(): this {
    this.requests++;
    return this;
  }

  leave(): void {
    if (--this.requests === 0 && this.retired) this.end();
  }

  /** Ends when its last request has ended; resolves then. */
  retire(): Promise<void> {
    this.retired = true;
    if (this.requests === 0) this.end();
    return this.ended;
  }
}
