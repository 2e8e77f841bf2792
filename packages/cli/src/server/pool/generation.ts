import { openapi } from "../routes/openapi.js";
import { udpipeModels } from "../routes/udpipe-route.js";
import { Models, type ServedModel } from "./models.js";
import { Scheduler, type SchedulerOptions } from "./scheduler.js";

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

  constructor(
    served: readonly ServedModel[],
    scheduling: Omit<SchedulerOptions, "models">,
    described: { version: string; maxBody: number; maxSentence: number },
  ) {
    this.models = new Models(served);
    this.scheduler = new Scheduler({ ...scheduling, models: served.map(({ model }) => model) });
    this.openapi = `${JSON.stringify(openapi(this.models.names, described))}\n`;
    this.udpipeModels = `${JSON.stringify(udpipeModels(this.models), null, 1)}\n`;
  }

  enter(): void {
    this.requests++;
  }

  leave(): void {
    if (--this.requests === 0 && this.retired) void this.scheduler.close();
  }

  /** Ends when its last request has ended. */
  retire(): void {
    this.retired = true;
    if (this.requests === 0) void this.scheduler.close();
  }
}
