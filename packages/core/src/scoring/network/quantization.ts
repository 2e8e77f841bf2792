/** A tensor: `rows` × `columns` numbers, row by row. */
export interface Tensor {
  readonly name: string;
  readonly rows: number;
  readonly columns: number;
}

/**
 * The numbers of a network as they are in the model file: tables and matrices as 8-bit integers with scales, all else
 * as it is.
 */
export interface QuantizedNumbers {
  /** Scales, and the tensors that have none, in the order of the tensors. */
  readonly floats: Float32Array;
  /** The integers of tables and matrices, row by row, in the order of the tensors. */
  readonly integers: Int8Array;
}

/** How a tensor is stored: with a scale for each row, with one for each column, or as it is. */
export type TensorForm = "table" | "matrix" | "plain";

/** A tensor, and how it is stored. */
export interface FormedTensor extends Tensor {
  readonly form: TensorForm;
}

/**
 * Where a tensor is: from `integers` on and its scales (of rows in tables, of columns in matrices) from `floats` on, or
 * all of it there.
 */
export interface StoredTensor extends FormedTensor {
  readonly floats: number;
  readonly integers: number;
}

/** Tensors as they are stored, and how many numbers of each kind that takes. */
export interface Storage {
  readonly tensors: readonly StoredTensor[];
  readonly floats: number;
  readonly integers: number;
}

/** Where tensors are that are stored one after the other. */
export function storageFor(formed: readonly FormedTensor[]): Storage {
  let floats = 0;
  let integers = 0;
  const tensors = formed.map((tensor) => {
    const { rows, columns, form } = tensor;
    const stored = { ...tensor, floats, integers };
    floats += form === "table" ? rows : form === "matrix" ? columns : rows * columns;
    if (form !== "plain") integers += rows * columns;
    return stored;
  });
  return { tensors, floats, integers };
}

/** The largest integer of tables and matrices. */
const LARGEST = 127;
/** No number of a network is larger; nothing that was learned comes near. */
export const MOST_MAGNITUDE = 1e6;

/** Rounds tensors; throws a RangeError at what is not a number. */
export function quantize(storage: Storage, tensors: readonly Float32Array[]): QuantizedNumbers {
  const floats = new Float32Array(storage.floats);
  const integers = new Int8Array(storage.integers);
  storage.tensors.forEach(({ name, rows, columns, form, floats: scales, integers: first }, t) => {
    const values = tensors[t]!;
    if (values?.length !== rows * columns)
      throw new RangeError(`${name}: ${values?.length} numbers (expected ${rows} × ${columns})`);
    if (!values.every((value) => Math.abs(value) <= MOST_MAGNITUDE))
      throw new RangeError(`${name}: not all numbers are from -${MOST_MAGNITUDE} to ${MOST_MAGNITUDE}`);
    if (form === "plain") {
      floats.set(values, scales);
      return;
    }
    for (let k = 0; k < values.length; k++) {
      const at = scales + (form === "table" ? Math.floor(k / columns) : k % columns);
      floats[at] = Math.max(floats[at]!, Math.abs(values[k]!) / LARGEST);
    }
    for (let k = 0; k < values.length; k++) {
      const scale = floats[scales + (form === "table" ? Math.floor(k / columns) : k % columns)]!;
      integers[first + k] = scale === 0 ? 0 : Math.max(-LARGEST, Math.min(LARGEST, Math.round(values[k]! / scale)));
    }
  });
  return { floats, integers };
}

/** The part of this that `quantize` does not give, if anything. */
function wrongPart({ floats, integers }: QuantizedNumbers): "scales" | "weights" | undefined {
  for (let k = 0; k < floats.length; k++) if (!(Math.abs(floats[k]!) <= MOST_MAGNITUDE)) return "scales";
  for (let k = 0; k < integers.length; k++) if (integers[k]! < -LARGEST) return "weights";
  return undefined;
}

/** The sections of numbers in a model file: 32-bit numbers, the lowest byte first, and 8-bit integers. */
export function packNumbers({ floats, integers }: QuantizedNumbers): [scales: Uint8Array, weights: Uint8Array] {
  const view = new DataView(new ArrayBuffer(4 * floats.length));
  floats.forEach((value, k) => {
    view.setFloat32(4 * k, value, true);
  });
  return [new Uint8Array(view.buffer), new Uint8Array(integers.buffer, integers.byteOffset, integers.length)];
}

/** The numbers in their sections, as many as `storage` has; `bad` is called for what no writer writes. */
export function unpackNumbers(
  storage: Pick<Storage, "floats" | "integers">,
  scales: Uint8Array,
  weights: Uint8Array,
  bad: (section: "scales" | "weights") => never,
): QuantizedNumbers {
  if (scales.length !== 4 * storage.floats) bad("scales");
  if (weights.length !== storage.integers) bad("weights");
  const view = new DataView(scales.buffer, scales.byteOffset, scales.length);
  const floats = Float32Array.from({ length: storage.floats }, (_, k) => view.getFloat32(4 * k, true));
  const integers = new Int8Array(weights.length);
  integers.set(new Int8Array(weights.buffer, weights.byteOffset, weights.length));
  const wrong = wrongPart({ floats, integers });
  if (wrong) bad(wrong);
  return { floats, integers };
}
