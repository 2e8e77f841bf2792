const INTERVAL = 250;

/** A line on the terminal that says how far parsing is; nothing if standard error is not a terminal. */
export class ParseProgress {
  private readonly start = performance.now();
  private shown = this.start;
  private sentences = 0;
  private words = 0;

  add(sentences: number, words: number): void {
    this.sentences += sentences;
    this.words += words;
    const now = performance.now();
    if (!process.stderr.isTTY || now - this.shown < INTERVAL) return;
    this.shown = now;
    process.stderr.write(`\r\x1b[K${this.line()}`);
  }

  /** Takes the line away, so that something else can be written. */
  clear(): void {
    if (process.stderr.isTTY) process.stderr.write("\r\x1b[K");
  }

  /** Says how it went, if it took long enough for the line to have been there. */
  finish(): void {
    if (process.stderr.isTTY && this.shown !== this.start) process.stderr.write(`\r\x1b[K${this.line()}\n`);
  }

  private line(): string {
    const seconds = (performance.now() - this.start) / 1000;
    const number = (value: number) => Math.round(value).toLocaleString("en");
    const rate = seconds > 0 ? `, ${number(this.words / seconds)} words/s` : "";
    return `${number(this.sentences)} sentences, ${number(this.words)} words, ${seconds.toFixed(1)} s${rate}`;
  }
}
