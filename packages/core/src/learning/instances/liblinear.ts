import { check, STRING } from "../../checks/options.js";
import type { ForEachWeight } from "../../scoring/linear/quantized-weights.js";

/** Solvers whose models choose between two classes by one row of weights for both. */
const MULTICLASS = "MCSVM_CS";
/** Fields before the weights. */
const FIELDS = ["solver_type", "nr_class", "label", "nr_feature", "bias"];

/**
 * Reads a model file of LIBLINEAR (Fan et al. 2008), line by line: which solver, the classes, how many features, then a
 * line of weights for each feature, one for each class; two classes share one weight, which speaks for the first and
 * against the second. Models with a bias are rejected: no feature of a parser is there in every configuration.
 */
export class LiblinearReader {
  /** The numbers of the classes, in the order of the weights. */
  classes: number[] = [];
  /** Number of features. */
  features = 0;
  private readonly fields = new Map<string, string>();
  private line = 0;
  /** How many lines of weights were read; -1 before them. */
  private rows = -1;
  /** The weights that are not 0. */
  private rowNumbers = new Int32Array(1 << 10);
  private columns = new Int32Array(1 << 10);
  private values = new Float64Array(1 << 10);
  private size = 0;

  /**
   * `source`: what errors call the file.
   * @param source the name of the file, for errors
   */
  constructor(private readonly source: string) {
    check("source", source, STRING);
  }

  /**
   * The next line.
   * @param line without its end
   */
  push(line: string): void {
    check("line", line, STRING);
    this.line++;
    const text = line.trim();
    if (this.rows >= 0) this.addRow(text);
    else if (text === "w") this.beginWeights();
    else if (text !== "") this.addField(text);
  }

  /** The weights, by the numbers of features and classes; throws a RangeError if lines are missing. */
  end(): ForEachWeight {
    if (this.rows < 0)
      this.fail("model", "no weights", "a model file of LIBLINEAR, with a line w and weights after it");
    if (this.rows < this.features) {
      this.fail("model", `${this.rows} lines of weights`, `${this.features}, one for each feature`);
    }
    const { rowNumbers, columns, values, size, classes, isBinary } = this;
    return (visit) => {
      for (let i = 0; i < size; i++) {
        visit(rowNumbers[i]!, classes[columns[i]!]!, values[i]!);
        if (isBinary) visit(rowNumbers[i]!, classes[1]!, -values[i]!);
      }
    };
  }

  /** Whether two classes share a weight. */
  private get isBinary(): boolean {
    return this.classes.length === 2 && this.fields.get("solver_type") !== MULTICLASS;
  }

  private addField(text: string): void {
    const [name, ...rest] = text.split(/\s+/);
    if (!FIELDS.includes(name!)) this.fail("line", text.slice(0, 40), `one of ${FIELDS.join(", ")}, w`);
    this.fields.set(name!, rest.join(" "));
  }

  private beginWeights(): void {
    const { fields } = this;
    for (const name of FIELDS)
      if (!fields.has(name)) this.fail("model", `no ${name}`, `a line ${name} before the weights`);
    const solver = fields.get("solver_type")!;
    if (/SVR|ONECLASS/.test(solver)) this.fail("solver_type", solver, "a classifier");
    this.classes = fields.get("label")!.split(" ").map(Number);
    const isNumber = (n: number) => Number.isSafeInteger(n) && n > 0;
    if (!this.classes.every(isNumber) || new Set(this.classes).size !== Number(fields.get("nr_class"))) {
      this.fail(
        "label",
        fields.get("label")!.slice(0, 40),
        `${fields.get("nr_class")} different whole numbers above 0`,
      );
    }
    if (this.classes.length < 2) this.fail("nr_class", "1", "at least two classes");
    this.features = Number(fields.get("nr_feature"));
    if (!isNumber(this.features)) this.fail("nr_feature", fields.get("nr_feature")!, "a whole number above 0");
    const bias = Number(fields.get("bias"));
    if (!(bias < 0)) this.fail("bias", fields.get("bias")!, "-1: train without -B");
    this.rows = 0;
  }

  private addRow(text: string): void {
    if (text === "" && this.rows === this.features) return;
    if (this.rows === this.features) this.fail("line", text.slice(0, 40), `${this.features} lines of weights`);
    const weights = text.split(/\s+/);
    const columns = this.isBinary ? 1 : this.classes.length;
    if (weights.length !== columns) this.fail("weights", text.slice(0, 40), `${columns} numbers`);
    this.rows++;
    for (let k = 0; k < columns; k++) {
      const value = Number(weights[k]);
      if (!Number.isFinite(value) || weights[k] === "") this.fail("weight", weights[k]!, "a number");
      if (value === 0) continue;
      if (this.size === this.values.length) this.grow();
      this.rowNumbers[this.size] = this.rows;
      this.columns[this.size] = k;
      this.values[this.size++] = value;
    }
  }

  private grow(): void {
    const { rowNumbers, columns, values } = this;
    this.rowNumbers = new Int32Array(2 * values.length);
    this.columns = new Int32Array(2 * values.length);
    this.values = new Float64Array(2 * values.length);
    this.rowNumbers.set(rowNumbers);
    this.columns.set(columns);
    this.values.set(values);
  }

  private fail(what: string, value: string, expected: string): never {
    throw new RangeError(`${this.source}:${Math.max(1, this.line)}: invalid ${what}: ${value} (expected ${expected})`);
  }
}
