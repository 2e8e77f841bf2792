import {
  type QuantizedNumbers,
  type Storage,
  storageFor,
  type TensorForm,
} from "../../scoring/network/quantization.js";

/** The size of a probe: plain data, in the header of a model. */
export interface ProbeHeader {
  /** Numbers that it is given, a multiple of 8. */
  inputs: number;
  /** Units of its hidden layer, a multiple of 8. */
  hidden: number;
  classes: number;
}

/** A probe, a small classifier of what an encoder makes of words; plain data, which can be given to another thread. */
export interface StoredProbe<Header extends ProbeHeader = ProbeHeader> {
  readonly header: Header;
  readonly numbers: QuantizedNumbers;
}

/** Classes of the probe of sentence ends: a sentence goes on, or ends. */
export const END_CLASSES = 2;

/** A tensor of a probe. */
export const tensor = (name: string, rows: number, columns: number, form: TensorForm) => ({
  name,
  rows,
  columns,
  form,
});

/** The tensors of a probe in the order of the model file. */
export function probeStorage({ inputs, hidden, classes }: ProbeHeader): Storage {
  return storageFor([
    tensor("hidden", inputs, hidden, "matrix"),
    tensor("hidden bias", 1, hidden, "plain"),
    tensor("output", hidden, classes, "matrix"),
    tensor("output bias", 1, classes, "plain"),
  ]);
}

const MOST_CLASSES = 4096;
const MOST_HIDDEN = 1024;

/** Checks the header of a probe with so many inputs; throws a RangeError that names what is wrong. */
export function checkProbe(name: string, header: ProbeHeader, inputs: number): void {
  if (typeof header !== "object" || header === null) throw new RangeError(`${name}: not an object`);
  const check = checker(name, header);
  check("inputs", header.inputs === inputs, `${inputs}, as many as the encoder gives`);
  const { hidden, classes } = header;
  check("hidden", isCount(hidden, MOST_HIDDEN) && hidden % 8 === 0, `a multiple of 8 up to ${MOST_HIDDEN}`);
  check("classes", isCount(classes, MOST_CLASSES), `a whole number from 1 to ${MOST_CLASSES}`);
}

/** Is it a whole number from 1 on that is not too large? */
export function isCount(value: number, most: number): boolean {
  return Number.isInteger(value) && value >= 1 && value <= most;
}

/** A check of the fields of a header: it throws a RangeError that names what is wrong. */
export function checker<Header extends object>(name: string, header: Header) {
  return (field: keyof Header & string, valid: boolean, expected: string): void => {
    if (valid) return;
    throw new RangeError(`${name}.${field}: ${JSON.stringify(header[field]) ?? "nothing"} (expected ${expected})`);
  };
}
