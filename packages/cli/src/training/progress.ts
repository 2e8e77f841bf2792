import { canShowStatus, clearStatus, duration, showStatus } from "../terminal/messages.js";

const INTERVAL = 200;

/** The line that says how far a training is: of the epoch, and how long all of it will still take. */
export class TrainingProgress {
  private begun = performance.now();
  private shown = 0;
  private epoch: number;
  /** Of the epochs of this run, with their tests. */
  private finished = 0;
  private seconds = 0;

  /** `words` of an epoch; `done`: epochs that are there already. */
  constructor(
    private readonly words: number,
    private readonly epochs: number,
    done: number,
  ) {
    this.epoch = done;
  }

  startEpoch(): void {
    this.epoch++;
    this.begun = performance.now();
  }

  at(words: number): void {
    const now = performance.now();
    if (!canShowStatus() || now - this.shown < INTERVAL || words === 0) return;
    this.shown = now;
    const seconds = (now - this.begun) / 1000;
    const rate = words / seconds;
    showStatus(
      `epoch ${this.epoch}/${this.epochs}: ${Math.floor((100 * words) / this.words)} %, ${Math.round(rate)} words/s, ` +
        `${duration(this.secondsLeft(seconds, rate))} left`,
    );
  }

  /** Call when the epoch is tested as well. */
  finishEpoch(): void {
    this.finished++;
    this.seconds += (performance.now() - this.begun) / 1000;
    clearStatus();
  }

  /** Of the whole training: by the epochs that are finished, in the first one by its words. */
  private secondsLeft(seconds: number, rate: number): number {
    const each = this.finished > 0 ? this.seconds / this.finished : this.words / rate;
    return Math.max(0, each - seconds) + (this.epochs - this.epoch) * each;
  }
}
