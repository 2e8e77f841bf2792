/** Upper bounds, in seconds, for how long pieces wait. */
export const WAIT_BUCKETS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30];

/** Counts of values by size, as Prometheus wants them. */
export class Histogram {
  private readonly counts: number[];
  private sum = 0;
  private count = 0;

  /** `bounds`: the upper bounds of the buckets, ascending. */
  constructor(private readonly bounds: readonly number[]) {
    this.counts = bounds.map(() => 0);
  }

  add(value: number): void {
    let bucket = 0;
    while (bucket < this.bounds.length && value > this.bounds[bucket]!) bucket++;
    if (bucket < this.bounds.length) this.counts[bucket]!++;
    this.sum += value;
    this.count++;
  }

  /** Lines for a metric; `labels` as in `route="/"`. */
  lines(name: string, labels = ""): string[] {
    const lines: string[] = [];
    const set = (more: string) => (labels || more ? `{${[labels, more].filter(Boolean).join()}}` : "");
    let below = 0;
    this.bounds.forEach((bound, i) => {
      below += this.counts[i]!;
      lines.push(`${name}_bucket${set(`le="${bound}"`)} ${below}`);
    });
    lines.push(`${name}_bucket${set('le="+Inf"')} ${this.count}`);
    lines.push(`${name}_sum${set("")} ${this.sum}`, `${name}_count${set("")} ${this.count}`);
    return lines;
  }
}
