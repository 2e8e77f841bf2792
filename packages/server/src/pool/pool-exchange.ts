import { Exchange } from "../http/exchange.js";
import type { Lane, Scheduler } from "./scheduler.js";

/** A request that workers do pieces of; when it ends, so does their work for it. */
export class PoolExchange extends Exchange {
  lane: Lane;

  constructor(scheduler: Scheduler, ...rest: ConstructorParameters<typeof Exchange>) {
    super(...rest);
    this.lane = scheduler.lane();
  }

  /** Has its pieces done by other workers: before the first of them. */
  moveTo(scheduler: Scheduler): void {
    this.check();
    this.lane = scheduler.lane();
  }

  override abort(reason: Error): void {
    super.abort(reason);
    this.lane.cancel(reason);
  }
}
