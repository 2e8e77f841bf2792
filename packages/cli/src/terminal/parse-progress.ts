import { canShowStatus, clearStatus, duration, note, showStatus } from "./messages.js";

const INTERVAL = 250;

/** A line on the terminal that says how far parsing is; nothing where the results themselves are shown. */
export class ParseProgress {
  private readonly start = performance.now();
  private shown = this.start;
  private sentences = 0;
  private words = 0;
  private bytesRead = 0;

  /** `bytes` of all files, if they are known. */
  constructor(
    private readonly isShown: boolean,
    private readonly bytes: number | undefined,
  ) {}

  /** So many bytes more were read. */
  read(bytes: number): void {
    this.bytesRead += bytes;
  }

  add(sentences: number, words: number): void {
    this.sentences += sentences;
    this.words += words;
    const now = performance.now();
    if (!this.isShown || !canShowStatus() || now - this.shown < INTERVAL) return;
    this.shown = now;
    showStatus(this.share() + this.line());
  }

  /** Says how it went, if it took long enough for the line to have been there. */
  finish(): void {
    clearStatus();
    if (canShowStatus() && this.shown !== this.start) note(this.line());
  }

  private share(): string {
    if (!this.bytes) return "";
    const done = Math.min(1, this.bytesRead / this.bytes);
    const seconds = (performance.now() - this.start) / 1000;
    return `${Math.floor(100 * done)} %, ${duration((seconds * (1 - done)) / Math.max(done, 1e-9))} left; `;
  }

  private line(): string {
    const seconds = (performance.now() - this.start) / 1000;
    const number = (value: number) => Math.round(value).toLocaleString("en");
    const rate = seconds > 0 ? `, ${number(this.words / seconds)} words/s` : "";
    return `${number(this.sentences)} sentences, ${number(this.words)} words, ${seconds.toFixed(1)} s${rate}`;
  }
}
