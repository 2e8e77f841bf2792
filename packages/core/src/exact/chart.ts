/**
 * The best derivation where scores depend on two words only: what is on top of the stack and what is at the front of
 * the buffer (Shi, Huang & Lee 2017; items as in Kuhlmann, Gómez-Rodríguez & Satta 2011).
 *
 * [k, j] stands for all ways from k just having come onto the stack, with k + 1 at the front, to k on top again with j
 * at the front; k = 0 for the empty stack, words 1 … n, and j = n + 1 for the root. Whatever happens meanwhile is the
 * same for any stack below. A word i that comes onto k and leaves when j is at the front joins two items:
 *
 *   [k, i]  [i, j]  ⇒  [k, j]    with the scores of the moves by which i comes, in (k, i), and goes, in (i, j)
 *
 * and there are two ways (two-words.ts); for the second there must be a k to hang on. O(n³) time, O(n²) memory. If one
 * root is required, the root's column is there twice: with no word on the root so far, and with one.
 */
export class Chart {
  /** The number of words. */
  n = 0;
  /**
   * The scores of a word's coming and going in its two ways, at k · width + i and i · width + j; −∞ for what may not
   * be. The second way's going has another score if k is the node that `special` has for the word.
   */
  come: readonly [Float64Array, Float64Array] = [new Float64Array(0), new Float64Array(0)];
  go: readonly [Float64Array, Float64Array] = [new Float64Array(0), new Float64Array(0)];
  goSpecial = new Float64Array(0);
  special = new Int32Array(0);
  private best = new Float64Array(0);
  private back = new Int32Array(0);

  constructor(private readonly singleRoot: boolean) {}

  /** Makes room for a sentence of n words. */
  begin(n: number): void {
    this.n = n;
    const size = (n + 1) * this.width;
    if (this.best.length >= size) return;
    const cells = () => new Float64Array(2 * size);
    this.come = [cells(), cells()];
    this.go = [cells(), cells()];
    this.goSpecial = cells();
    this.best = cells();
    this.back = new Int32Array(2 * size);
    this.special = new Int32Array(2 * (n + 1));
  }

  /** From one node of the stack to the next: fronts 1 … n + 1, and one more for the root with a word. */
  get width(): number {
    return this.n + 3;
  }

  private get root(): number {
    return this.n + 1;
  }

  /** The score of the best derivation, −∞ if there is none. */
  find(): number {
    const { n, width, best, root, singleRoot } = this;
    for (let k = n; k >= 0; k--) {
      best[k * width + k + 1] = 0;
      if (k === n) best[k * width + root + 1] = Number.NEGATIVE_INFINITY;
      for (let j = k + 2; j <= root; j++) this.fill(k, j);
      if (singleRoot && k < n) this.fill(k, root + 1);
    }
    return best[singleRoot ? root + 1 : root]!;
  }

  private fill(k: number, j: number): void {
    const { width, best, root, singleRoot } = this;
    const [come0, come1] = this.come;
    const [go0, go1] = this.go;
    const { goSpecial, special } = this;
    const front = Math.min(j, root);
    // A word that the root takes adds one: it has to come from the column without.
    const takes = singleRoot && j >= root;
    let most = Number.NEGATIVE_INFINITY;
    let from = 0;
    for (let i = k + 1; i < front; i++) {
      const left = best[k * width + i]!;
      const onto = k * width + i;
      const off = i * width + front;
      const first = takes ? (j > root ? best[off]! : Number.NEGATIVE_INFINITY) : best[i * width + j]!;
      const one = left + first + come0[onto]! + go0[off]!;
      if (one > most) {
        most = one;
        from = 2 * i;
      }
      if (k === 0) continue;
      const two = left + best[i * width + j]! + come1[onto]! + (special[i] === k ? goSpecial : go1)[off]!;
      if (two > most) {
        most = two;
        from = 2 * i + 1;
      }
    }
    best[k * width + j] = most;
    this.back[k * width + j] = from;
  }

  /** The best derivation: each word's coming onto k and going before j, with its way, in the order of the moves. */
  visit(come: (k: number, i: number, way: number) => void, go: (i: number, j: number, way: number, k: number) => void) {
    const { width, back, root, singleRoot } = this;
    // Still to be done, the next at the end. Without a word: an item to take apart.
    const agenda: { k: number; j: number; i?: number; way?: number; leaves?: boolean }[] = [];
    agenda.push({ k: 0, j: singleRoot ? root + 1 : root });
    for (let task = agenda.pop(); task; task = agenda.pop()) {
      const { k, j, i, way = 0 } = task;
      if (i !== undefined) {
        if (task.leaves) go(i, Math.min(j, root), way, k);
        else come(k, i, way);
        continue;
      }
      if (Math.min(j, root) === k + 1) continue;
      const from = back[k * width + j]!;
      const word = from >> 1;
      const its = from & 1;
      const above = singleRoot && j > root && its === 0 ? root : j;
      agenda.push({ k, j, i: word, way: its, leaves: true }, { k: word, j: above }, { k, j, i: word, way: its });
      agenda.push({ k, j: word });
    }
  }
}
