import type { Column } from "../treebank/formats/layout.js";
import { type Attribute, COLUMNS, type ValueTest, valueIn } from "./attributes.js";
import { Interner } from "./interner.js";
import type { MatchableSentence } from "./matchable-sentence.js";
import type { IndexedTreebank } from "./treebank-index.js";

/** Different values of a column that are remembered; beyond it memory would grow with the treebank. */
const MOST_VALUES = 1 << 16;
const UNKNOWN = -1;

/** A test with its result for each value that it has seen, so that a value is looked at once. */
export class ColumnTest {
  results = new Int8Array(256).fill(UNKNOWN);

  constructor(
    readonly column: number,
    private readonly attribute: Attribute & { kind: "column" },
    private readonly test: ValueTest,
  ) {}

  passes(id: number, values: readonly string[]): boolean {
    if (id < this.results.length) {
      const known = this.results[id]!;
      if (known !== UNKNOWN) return known === 1;
    } else {
      const larger = new Int8Array(2 * Math.max(id, this.results.length)).fill(UNKNOWN);
      larger.set(this.results);
      this.results = larger;
    }
    const passes = this.test(valueIn(values[id]!, this.attribute));
    this.results[id] = passes ? 1 : 0;
    return passes;
  }

  get name(): Column {
    return this.attribute.column;
  }

  /** Whether one of these values of the column passes. */
  passesOne(values: readonly string[]): boolean {
    return values.some((value) => this.test(valueIn(value, this.attribute)));
  }

  forget(): void {
    this.results.fill(UNKNOWN);
  }
}

/** A column of the sentence at hand as numbers: word i has ids[base + i], whose text is texts[…]. */
class ColumnView {
  ids: Int32Array = new Int32Array(64);
  base = 0;
  texts: readonly string[];
  /** The sentence that they are of. */
  sentence = -1;
  readonly tests: ColumnTest[] = [];
  private readonly interner = new Interner();
  private own = this.ids;

  constructor(private readonly name: Column) {
    this.texts = this.interner.texts;
  }

  load({ sentence, treebank, place, number }: SentenceView): void {
    this.sentence = number;
    if (treebank !== undefined) {
      const { ids, texts } = treebank.column(this.name);
      if (this.texts !== texts) this.forget();
      this.texts = texts;
      this.ids = ids;
      this.base = treebank.starts[place]!;
      return;
    }
    const { interner, name } = this;
    if (this.texts !== interner.texts || interner.texts.length > MOST_VALUES) {
      interner.clear();
      this.texts = interner.texts;
      this.forget();
    }
    const { length } = sentence;
    if (this.own.length <= length) this.own = new Int32Array(2 * length);
    const ids = this.own;
    for (let i = 1; i <= length; i++) ids[i] = interner.number(sentence[name](i));
    this.ids = ids;
    this.base = 0;
  }

  private forget(): void {
    for (const test of this.tests) test.forget();
  }
}

/** The sentence at hand in typed arrays, filled when they are asked for and used again for the next sentence. */
export class SentenceView {
  sentence!: MatchableSentence;
  length = 0;
  /** Goes up with every sentence. */
  number = -1;
  /** Where the columns come from, if the sentence is in an index, and its place there. */
  treebank: IndexedTreebank | undefined;
  place = 0;
  heads: Int32Array = new Int32Array(64);
  private ownHeads = this.heads;
  private readonly columns = COLUMNS.map((name) => new ColumnView(name));
  private childrenOf = -1;
  childStart = new Int32Array(64);
  children = new Int32Array(64);
  private edgesOf = -1;
  private edgeStart = new Int32Array(64);
  private readonly edgeHeads: number[] = [];
  private readonly edgeLabels: string[] = [];

  set(sentence: MatchableSentence): void {
    this.sentence = sentence;
    this.treebank = undefined;
    this.number++;
    const { length, heads } = sentence;
    this.length = length;
    if (this.ownHeads.length <= length) this.ownHeads = new Int32Array(2 * length);
    this.heads = this.ownHeads;
    for (let i = 1; i <= length; i++) this.ownHeads[i] = heads[i]!;
  }

  /** The sentence at that place of an index. */
  setIndexed(treebank: IndexedTreebank, place: number): void {
    this.sentence = treebank.sentences[place]!;
    this.treebank = treebank;
    this.place = place;
    this.number++;
    this.length = this.sentence.length;
    const start = treebank.starts[place]!;
    this.heads = treebank.heads.subarray(start, start + this.length + 1);
  }

  columnTest(attribute: Attribute & { kind: "column" }, test: ValueTest): ColumnTest {
    const index = COLUMNS.indexOf(attribute.column);
    const made = new ColumnTest(index, attribute, test);
    this.columns[index]!.tests.push(made);
    return made;
  }

  passes(test: ColumnTest, word: number): boolean {
    const column = this.columns[test.column]!;
    if (column.sentence !== this.number) column.load(this);
    return test.passes(column.ids[column.base + word]!, column.texts);
  }

  /** How many words pass, counted no further than `limit`. */
  count(test: ColumnTest, limit: number): number {
    const column = this.columns[test.column]!;
    if (column.sentence !== this.number) column.load(this);
    const { ids, base, texts } = column;
    const end = base + this.length;
    let count = 0;
    for (let at = base + 1; at <= end && count < limit; at++) {
      const known = test.results[ids[at]!];
      if (known === 1 || (known !== 0 && test.passes(ids[at]!, texts))) count++;
    }
    return count;
  }

  /** Fills childStart and children: the dependents of h are children[childStart[h]] … before childStart[h + 1]. */
  loadChildren(): void {
    if (this.childrenOf === this.number) return;
    this.childrenOf = this.number;
    const { length, heads } = this;
    if (this.childStart.length < length + 3) {
      this.childStart = new Int32Array(2 * length + 3);
      this.children = new Int32Array(2 * length + 3);
    }
    const { childStart: start, children } = this;
    start.fill(0, 0, length + 3);
    // Two places further than the head, so that after the sums start[h + 1] is where the next dependent of h goes.
    for (let i = 1; i <= length; i++) if (heads[i]! >= 0) start[heads[i]! + 2]!++;
    for (let h = 2; h <= length + 2; h++) start[h]! += start[h - 1]!;
    for (let i = 1; i <= length; i++) if (heads[i]! >= 0) children[start[heads[i]! + 1]!++] = i;
  }

  /** Whether DEPS has an arc from head to dependent whose label passes. */
  hasEnhanced(head: number, dependent: number, label: ValueTest | undefined): boolean {
    if (this.edgesOf !== this.number) this.loadEdges();
    for (let k = this.edgeStart[dependent]!; k < this.edgeStart[dependent + 1]!; k++) {
      if (this.edgeHeads[k] === head && (label === undefined || label(this.edgeLabels[k]!))) return true;
    }
    return false;
  }

  private loadEdges(): void {
    this.edgesOf = this.number;
    const { length, sentence } = this;
    if (this.edgeStart.length < length + 2) this.edgeStart = new Int32Array(2 * length + 2);
    this.edgeHeads.length = 0;
    this.edgeLabels.length = 0;
    for (let i = 1; i <= length; i++) {
      this.edgeStart[i] = this.edgeHeads.length;
      const deps = sentence.deps(i);
      if (deps === "_") continue;
      for (const edge of deps.split("|")) {
        const colon = edge.indexOf(":");
        const head = edge.slice(0, Math.max(colon, 0));
        // Arcs from empty nodes (3.1) are no arcs between words.
        if (!/^\d+$/.test(head)) continue;
        this.edgeHeads.push(Number(head));
        this.edgeLabels.push(edge.slice(colon + 1));
      }
    }
    this.edgeStart[length + 1] = this.edgeHeads.length;
  }
}
