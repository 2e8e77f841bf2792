// Labels for the brute force: every arc is built with the gold label or with another one. Which labels these are makes
// no difference to any system, so that two are enough. Nothing here may be imported from ../src.

interface Arcs {
  /** heads[d] for d = 0 … n; -1 = none. */
  heads: number[];
}

export interface LabelledStep {
  name: string;
  /** 0 is the gold label of whatever word, 1 another one; undefined if no arc is built. */
  label: 0 | 1 | undefined;
  to: number;
}

/** All configurations with labelled arcs; those that follow come first, where transitions do not lead in circles. */
export class LabelledBruteForce<State extends Arcs> {
  readonly states: State[] = [];
  /** The label of the arc into each word, -1 for none. */
  readonly labels: number[][] = [];
  readonly steps: LabelledStep[][] = [];
  readonly start: number;
  private readonly places = new Map<string, number>();

  constructor(
    start: State,
    private readonly successors: (state: State) => [name: string, next: State][],
    private readonly key: (state: State) => string,
  ) {
    this.start = this.visit(
      start,
      start.heads.map(() => -1),
    );
  }

  private visit(state: State, labels: number[]): number {
    const key = `${this.key(state)} ${labels}`;
    const known = this.places.get(key);
    if (known !== undefined) return known;
    const place = this.states.push(state) - 1;
    this.places.set(key, place);
    this.labels.push(labels);
    const steps: LabelledStep[] = [];
    this.steps.push(steps);
    for (const [name, next] of this.successors(state)) {
      const attached = next.heads.findIndex((h, d) => h !== -1 && h !== state.heads[d]);
      const kept = labels.map((label, d) => (next.heads[d] === -1 ? -1 : label));
      for (const label of attached < 0 ? [undefined] : ([0, 1] as const)) {
        const to = this.visit(next, label === undefined ? kept : kept.map((l, d) => (d === attached ? label : l)));
        steps.push({ name, label, to });
      }
    }
    return place;
  }

  /** The loss of every configuration, if this is what terminal ones lack; an arc with another label is not gold. */
  losses(difference: (state: State) => number): Int32Array {
    const losses = new Int32Array(this.states.length).fill(1e6);
    this.states.forEach((state, place) => {
      if (this.steps[place]!.length > 0) return;
      const labels = this.labels[place]!;
      losses[place] = difference({ ...state, heads: state.heads.map((h, d) => (labels[d] === 1 ? -2 : h)) });
    });
    for (let changed = true; changed; ) {
      changed = false;
      for (let place = losses.length - 1; place >= 0; place--) {
        for (const { to } of this.steps[place]!) {
          if (losses[to]! >= losses[place]!) continue;
          losses[place] = losses[to]!;
          changed = true;
        }
      }
    }
    return losses;
  }
}
