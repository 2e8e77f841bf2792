import { UNKNOWN_ROW } from "../../../scoring/network/inputs.js";
import { inputSize } from "../../../scoring/network/shape.js";
import type { DropoutMasks } from "../dropout-masks.js";
import { canHide, type NetworkExamples } from "../network-examples.js";
import type { LanePlan, NetworkMemory, PlacedTensor } from "../network-memory.js";
import type { SentenceRows } from "./recurrent-layer.js";

/** Numbers of an entry: see `gather` in kernels/network.ts. */
const ENTRY = 4;

/**
 * The words of a lane as rows of numbers, put together from the tables of embeddings. Which rows of tables these are is
 * kept in entries, which training needs again: those of tables that learn from the beginning of their room, those of
 * frozen ones from its end.
 */
export class LaneWords {
  /** Words and roots that were taken in. */
  count = 0;
  sentences: readonly SentenceRows[] = [];
  private readonly inputs: number;
  private readonly tables: readonly PlacedTensor[];
  /** The number of each table's first row among the rows of all tables. */
  private readonly firstRows: readonly number[];

  constructor(
    private readonly memory: NetworkMemory,
    private readonly plan: LanePlan,
    private readonly examples: NetworkExamples,
    private readonly masks: DropoutMasks,
    /** For each table how often its rows occur. */
    private readonly counts: readonly Int32Array[],
    /** Words that occur f times are hidden with probability a / (a + f); this is a. */
    private readonly hiding: number,
  ) {
    const { header } = memory.size;
    this.inputs = inputSize(header);
    this.tables = memory.tensors.slice(0, header.inputs.length);
    let first = 0;
    this.firstRows = header.inputs.map(({ rows }) => {
      first += rows;
      return first - rows;
    });
  }

  /** Take in sentences: their words' numbers are the sums of their rows. */
  read(sentences: Int32Array): void {
    const { memory, plan, masks, examples } = this;
    const { ints } = memory;
    const begin = plan.entries / 4;
    const end = begin + ENTRY * memory.size.entries;
    let learning = begin;
    let frozen = end;
    let row = 0;
    const spans: SentenceRows[] = [];
    for (const sentence of sentences) {
      const first = examples.begins[sentence]!;
      const last = examples.begins[sentence + 1]!;
      spans.push({ first: row, count: last - first });
      for (let node = first; node < last; node++, row++) {
        // One draw a word: where its lemma is hidden, its rarer form is, too. Node 0 is never hidden.
        const draw = masks.isOn && node > first ? masks.random() : 1;
        let place = plan.words + 4 * row * this.inputs;
        for (let k = 0; k < this.tables.length; k++) {
          const { kind, dim } = memory.size.header.inputs[k]!;
          const from = node * this.tables.length + k;
          for (let j = examples.from[from]!; j < examples.from[from + 1]!; j++) {
            const r = this.rowSeen(k, examples.rows[j]!, draw);
            const at = kind === "vector" && !memory.size.trainVectors ? (frozen -= ENTRY) : learning;
            ints[at] = place;
            ints[at + 1] = this.tables[k]!.at + 4 * r * dim;
            ints[at + 2] = dim;
            ints[at + 3] = this.firstRows[k]! + r;
            if (at === learning) learning += ENTRY;
          }
          place += 4 * dim;
        }
      }
    }
    if (learning > frozen || row > memory.size.rows)
      throw new RangeError(`no room in a lane for ${row} words (expected at most ${memory.size.rows})`);
    this.sentences = spans;
    this.count = row;
    const entries = (learning - begin) / ENTRY;
    ints[plan.counts / 4] = entries;
    memory.floats.fill(0, plan.words / 4, plan.words / 4 + row * this.inputs);
    memory.kernel.gather(plan.entries, entries);
    memory.kernel.gather(4 * frozen, (end - frozen) / ENTRY);
  }

  /** The row of a table that stands for a word: that of unknown ones if it is hidden. */
  private rowSeen(table: number, row: number, draw: number): number {
    const { hiding, counts, memory } = this;
    if (!canHide(memory.size.header.inputs[table]!.kind)) return row;
    return draw * (hiding + counts[table]![row]!) < hiding ? UNKNOWN_ROW : row;
  }
}
