import type { Column } from "../treebank/layout.js";
import { type Attribute, COLUMNS, type ValueTest, valueIn } from "./attributes.js";
import type { MatchableSentence } from "./matchable-sentence.js";

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

  forget(): void {
    this.results.fill(UNKNOWN);
  }
}

/** The values of a column as numbers: of the sentence at hand each word's, of all sentences so far the texts. */
class InternedColumn {
  readonly texts: string[] = [];
  ids = new Int32Array(64);
  /** The sentence that `ids` are of. */
  sentence = -1;
  readonly tests: ColumnTest[] = [];
  private readonly numbers = new Map<string, number>();

  constructor(readonly name: Column) {}

  number(text: string): number {
    let id = this.numbers.get(text);
    if (id === undefined) {
      id = this.texts.push(text) - 1;
      this.numbers.set(text, id);
    }
    return id;
  }

  load(sentence: MatchableSentence, number: number): void {
    if (this.texts.length > MOST_VALUES) {
      this.texts.length = 0;
      this.numbers.clear();
      for (const test of this.tests) test.forget();
    }
    const { length } = sentence;
    if (this.ids.length <= length) this.ids = new Int32Array(2 * length);
    const { ids, name } = this;
    for (let i = 1; i <= length; i++) ids[i] = this.number(sentence[name](i));
    this.sentence = number;
  }
}

/** The sentence at hand in typed arrays, filled when they are asked for and used again for the next sentence. */
export class SentenceView {
  sentence!: MatchableSentence;
  length = 0;
  heads: ArrayLike<number> = [];
  private number = -1;
  private readonly columns = COLUMNS.map((name) => new InternedColumn(name));
  private childrenOf = -1;
  childStart = new Int32Array(64);
  children = new Int32Array(64);
  private edgesOf = -1;
  private edgeStart = new Int32Array(64);
  private readonly edgeHeads: number[] = [];
  private readonly edgeLabels: string[] = [];

  set(sentence: MatchableSentence): void {
    this.sentence = sentence;
    this.length = sentence.length;
    this.heads = sentence.heads;
    this.number++;
  }

  columnTest(attribute: Attribute & { kind: "column" }, test: ValueTest): ColumnTest {
    const index = COLUMNS.indexOf(attribute.column);
    const made = new ColumnTest(index, attribute, test);
    this.columns[index]!.tests.push(made);
    return made;
  }

  passes(test: ColumnTest, word: number): boolean {
    const column = this.columns[test.column]!;
    if (column.sentence !== this.number) column.load(this.sentence, this.number);
    return test.passes(column.ids[word]!, column.texts);
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
