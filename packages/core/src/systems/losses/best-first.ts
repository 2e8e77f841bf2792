/** The states of a search that wait to be looked at, the cheapest first; costs are small whole numbers. */
export class BestFirst<State> {
  private readonly queues: State[][] = [];
  /** The cost of the state taken last. Nothing cheaper is left. */
  cost = 0;

  /** @param search What is searched for, named in the error when nothing is left to look at. */
  constructor(private readonly search: string) {}

  /** A state that can be reached for this much, which is no less than what the state taken last had cost. */
  add(state: State, cost: number): void {
    while (this.queues.length <= cost) this.queues.push([]);
    this.queues[cost]!.push(state);
  }

  /**
   * The cheapest state, of several the one added last. From every state some way leads to the end, so there always is
   * one.
   */
  take(): State {
    for (; this.cost < this.queues.length; this.cost++) {
      const state = this.queues[this.cost]!.pop();
      if (state !== undefined) return state;
    }
    throw new Error(`${this.search}: no way to the end, after all that cost less than ${this.cost}`);
  }
}
