import { canShowStatus, clearStatus, duration, note, showStatus, warn } from "../terminal/messages.js";
import type { Cell, CellResult } from "./cell.js";
import { scoresOf } from "./scores.js";

interface Running {
  cell: Cell;
  epoch: number;
  share: number;
}

/**
 * Shows how far an experiment is: on a terminal one line that changes, and everywhere a line for each finished cell.
 */
export class Board {
  private readonly running = new Map<Cell, Running>();
  private shown = 0;
  private done: number;
  /** Seconds and work of finished cells, for each system with an oracle: they differ by more than ten times. */
  private readonly pace = new Map<string, { seconds: number; work: number }>();

  constructor(
    private readonly waiting: Set<Cell>,
    private readonly total: number,
    private readonly jobs: number,
  ) {
    this.done = total - waiting.size;
  }

  /** Takes the pace from a result, of this run or of an earlier one. */
  learn(cell: Cell, { seconds }: CellResult): void {
    const kind = kindOf(cell);
    const pace = this.pace.get(kind) ?? { seconds: 0, work: 0 };
    pace.seconds += seconds.training + seconds.parsing;
    pace.work += cell.work;
    this.pace.set(kind, pace);
  }

  start(cell: Cell): void {
    this.waiting.delete(cell);
    this.running.set(cell, { cell, epoch: 1, share: 0 });
    this.show(true);
  }

  at(cell: Cell, epoch: number, share: number): void {
    this.running.set(cell, { cell, epoch, share });
    this.show(false);
  }

  finish(cell: Cell, result: CellResult): void {
    this.done++;
    this.running.delete(cell);
    this.learn(cell, result);
    const { uas, las } = scoresOf({ ...result, ...result.last });
    const seconds = result.seconds.training + result.seconds.parsing;
    this.line(
      `[${this.done}/${this.total}] ${cell.label}: UAS ${(100 * uas).toFixed(2)}, LAS ${(100 * las).toFixed(2)}, ${duration(seconds)}`,
    );
    this.show(true);
  }

  fail(cell: Cell, reason: string): void {
    this.running.delete(cell);
    warn(`${cell.label}: failed: ${reason}`);
    this.show(true);
  }

  /** Writes a line that stays. */
  line(text: string): void {
    note(text);
  }

  clear(): void {
    clearStatus();
  }

  private show(atOnce: boolean): void {
    if (!canShowStatus()) return;
    const now = performance.now();
    if (!atOnce && now - this.shown < 200) return;
    this.shown = now;
    const left = this.secondsLeft();
    let text = `${this.done}/${this.total} done${left === undefined ? "" : `, ${duration(left)} left`};`;
    for (const { cell, epoch, share } of this.running.values()) {
      text += ` ${cell.label} epoch ${epoch} (${Math.floor(100 * share)} %);`;
    }
    showStatus(text);
  }

  private secondsLeft(): number | undefined {
    const all = { seconds: 0, work: 0 };
    for (const { seconds, work } of this.pace.values()) {
      all.seconds += seconds;
      all.work += work;
    }
    if (all.work === 0) return undefined;
    const expected = (cell: Cell) => {
      const { seconds, work } = this.pace.get(kindOf(cell)) ?? all;
      return (cell.work * seconds) / work;
    };
    let left = 0;
    for (const cell of this.waiting) left += expected(cell);
    for (const { cell, share } of this.running.values()) left += (1 - share) * expected(cell);
    return left / Math.max(1, Math.min(this.jobs, this.waiting.size + this.running.size));
  }
}

function kindOf({ system, oracle }: Cell): string {
  return `${system} ${oracle}`;
}
