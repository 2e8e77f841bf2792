/**
 * A trained linear model, ready to parse: for each feature the classes it speaks for or against. Weights are 16-bit integers
 * and sums are exact, so that the same model gives the same trees everywhere.
 */
export class LinearModel {
  /** Pairs (feature, place of its row), open addressing with linear probing; place 0 is an empty slot. */
  readonly table: Int32Array;
  /** Row: number of entries, then class << 16 | weight. */
  readonly rows: Int32Array;
  private readonly mask: number;

  constructor(table: Int32Array, rows: Int32Array) {
    this.table = table;
    this.rows = rows;
    this.mask = table.length / 2 - 1;
  }

  /** Add the weights of the features to the scores of the classes. */
  score(features: Int32Array, scores: Int32Array): void {
    const { table, rows, mask } = this;
    for (let i = 0; i < features.length; i++) {
      const key = features[i]!;
      let slot = (key & mask) << 1;
      let row = table[slot + 1]!;
      while (row !== 0 && table[slot] !== key) {
        slot = (slot + 2) & (2 * mask + 1);
        row = table[slot + 1]!;
      }
      if (row === 0) continue;
      const last = row + rows[row]!;
      for (let e = row + 1; e <= last; e++) {
        const entry = rows[e]!;
        scores[entry >>> 16]! += (entry << 16) >> 16;
      }
    }
  }

  /** Make a model from (feature, class, weight) triples, grouped by feature; weights below `threshold` are left out. */
  static from(
    forEach: (visit: (key: number, cls: number, weight: number) => void) => void,
    threshold: number,
  ): LinearModel {
    let largest = 0;
    forEach((_key, _cls, weight) => {
      if (Math.abs(weight) > largest) largest = Math.abs(weight);
    });
    const scale = largest > 0 ? 32767 / largest : 1;
    // First pass: count; second pass: fill.
    let features = 0;
    let entries = 0;
    let previous = 0;
    let any = false;
    let open = false;
    forEach((key, _cls, weight) => {
      if (!any || key !== previous) open = false;
      any = true;
      previous = key;
      if (Math.abs(weight) < threshold || Math.round(weight * scale) === 0) return;
      if (!open) features++;
      open = true;
      entries++;
    });
    let slots = 16;
    while (slots < 1.6 * features) slots *= 2;
    const table = new Int32Array(2 * slots);
    const rows = new Int32Array(1 + features + entries);
    const mask = slots - 1;
    let end = 1;
    let row = 0;
    any = false;
    forEach((key, cls, weight) => {
      if (!any || key !== previous) row = 0;
      any = true;
      previous = key;
      const quantised = Math.round(weight * scale);
      if (Math.abs(weight) < threshold || quantised === 0) return;
      if (row === 0) {
        row = end++;
        let slot = key & mask;
        while (table[2 * slot + 1] !== 0) slot = (slot + 1) & mask;
        table[2 * slot] = key;
        table[2 * slot + 1] = row;
      }
      rows[row]!++;
      rows[end++] = (cls << 16) | (quantised & 0xffff);
    });
    return new LinearModel(table, rows);
  }
}
