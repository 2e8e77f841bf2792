/** A line on stderr that shows how far a long piece of work is, with rate and time left; only on a terminal. */
export class Progress {
  private readonly started = performance.now();
  private shown = 0;
  private readonly visible = process.stderr.isTTY === true;

  constructor(
    private readonly what: string,
    private readonly total: number,
    private readonly unit: string,
  ) {}

  at(count: number): void {
    if (!this.visible) return;
    const now = performance.now();
    if (now - this.shown < 200) return;
    this.shown = now;
    if (count === 0) {
      process.stderr.write(`\r\x1b[K${this.what} …`);
      return;
    }
    const rate = (1000 * count) / (now - this.started);
    const left = Math.round((this.total - count) / rate);
    const percent = Math.floor((100 * count) / this.total);
    process.stderr.write(`\r\x1b[K${this.what}: ${percent} %, ${Math.round(rate)} ${this.unit}/s, ${left} s left`);
  }

  done(): void {
    if (this.visible) process.stderr.write("\r\x1b[K");
  }
}
