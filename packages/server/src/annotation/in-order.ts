/** Takes results in the order in which they were asked for, with a bounded number under way. */
export class InOrder {
  private readonly underWay: Promise<void>[] = [];
  private last: Promise<void> = Promise.resolve();

  /** `window`: how many may be under way; `failed` is told of every result that fails, or cannot be taken. */
  constructor(
    private readonly window: number,
    private readonly failed: (error: Error) => void = () => {},
  ) {}

  /** The returned promise is to be awaited before the next is added; undefined if there is room for it. */
  add<T>(result: Promise<T>, take: (value: T) => Promise<void> | void): Promise<void> | undefined {
    const taken = this.takeInTurn(result, this.last, take);
    taken.catch(this.failed);
    this.last = taken;
    this.underWay.push(taken);
    return this.underWay.length < this.window ? undefined : this.underWay.shift();
  }

  private async takeInTurn<T>(
    result: Promise<T>,
    before: Promise<void>,
    take: (value: T) => Promise<void> | void,
  ): Promise<void> {
    const [value] = await Promise.all([result, before]);
    await take(value);
  }

  /** Resolves when all were taken. */
  async finish(): Promise<void> {
    await Promise.all(this.underWay.splice(0));
  }
}
