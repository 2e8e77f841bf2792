import { aligned, type EncoderWeights, fromBrain, fromHalf, type WeightTensor } from "./weights.js";

// The part of ONNX (onnx.proto) that is needed: the numbers of its messages' fields, and those of types of numbers.
const MODEL = { graph: 7 };
const GRAPH = { node: 1, initializer: 5 };
const NODE = { input: 1, output: 2, operator: 4, attribute: 5 };
const ATTRIBUTE = { tensor: 5 };
const TENSOR = { shape: 1, type: 2, floats: 4, name: 8, raw: 9, external: 13 };
const FLOAT = 1;
const HALF = 10;
const BRAIN = 16;

/** A field of a message: a number, or bytes. */
interface Field {
  readonly number: number;
  readonly value: number;
  readonly bytes: Uint8Array | undefined;
}

/** The fields of a message of Protocol Buffers, one after the other. */
function* fieldsOf(message: Uint8Array): Generator<Field, void, void> {
  let at = 0;
  const fail = (): never => {
    throw new RangeError("not an ONNX file, or not a whole one");
  };
  const varint = (): number => {
    let value = 0;
    for (let factor = 1; factor < 2 ** 70; factor *= 128) {
      const byte = message[at++] ?? fail();
      value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
    return fail();
  };
  const take = (length: number): Uint8Array => {
    at += length;
    return at <= message.length ? message.subarray(at - length, at) : fail();
  };
  while (at < message.length) {
    const key = varint();
    const number = Math.floor(key / 8);
    const kind = key % 8;
    if (kind === 0) yield { number, value: varint(), bytes: undefined };
    else if (kind === 1) yield { number, value: 0, bytes: take(8) };
    else if (kind === 2) yield { number, value: 0, bytes: take(varint()) };
    else if (kind === 5) yield { number, value: 0, bytes: take(4) };
    else fail();
  }
}

interface Node {
  readonly operator: string;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  /** The value of a constant that is one number. */
  readonly constant: number | undefined;
}

/**
 * The weights of an ONNX file by their names. Matrices that the export has left without one are called after the bias
 * that is added to their product.
 */
export function readOnnx(bytes: Uint8Array): EncoderWeights {
  const tensors = new Map<string, WeightTensor>();
  const nodes: Node[] = [];
  for (const { number, bytes: graph } of fieldsOf(bytes)) {
    if (number !== MODEL.graph || !graph) continue;
    for (const { number: part, bytes: message } of fieldsOf(graph)) {
      if (!message) continue;
      if (part === GRAPH.initializer) {
        const tensor = readTensor(message);
        if (tensor) tensors.set(tensor.name, tensor);
      } else if (part === GRAPH.node) nodes.push(readNode(message));
    }
  }
  if (tensors.size === 0) throw new RangeError("not an ONNX file with weights");
  nameMatrices(tensors, nodes);
  return { tensors, headSize: headSizeOf(tensors, nodes) };
}

function readTensor(message: Uint8Array): (WeightTensor & { name: string }) | undefined {
  const shape: number[] = [];
  let name = "";
  let type = 0;
  let raw: Uint8Array | undefined;
  const floats: Uint8Array[] = [];
  for (const { number, value, bytes } of fieldsOf(message)) {
    if (number === TENSOR.shape) shape.push(...(bytes ? packed(bytes) : [value]));
    else if (number === TENSOR.type) type = value;
    else if (number === TENSOR.name) name = text(bytes);
    else if (number === TENSOR.raw) raw = bytes;
    else if (number === TENSOR.floats && bytes) floats.push(bytes);
    else if (number === TENSOR.external) throw new RangeError(`${name}: in a file of its own (expected in this one)`);
  }
  if (type !== FLOAT && type !== HALF && type !== BRAIN) return undefined;
  if (!raw) {
    raw = new Uint8Array(floats.reduce((sum, { length }) => sum + length, 0));
    let at = 0;
    for (const part of floats) {
      raw.set(part, at);
      at += part.length;
    }
  }
  const values =
    type === FLOAT ? aligned(raw, Float32Array) : (type === HALF ? fromHalf : fromBrain)(aligned(raw, Uint16Array));
  const count = shape.reduce((product, size) => product * size, 1);
  if (values.length !== count)
    throw new RangeError(`${name}: ${values.length} numbers (expected ${shape.join(" × ")}: the file is incomplete)`);
  return { name, shape, values };
}

function readNode(message: Uint8Array): Node {
  const inputs: string[] = [];
  const outputs: string[] = [];
  let operator = "";
  let constant: number | undefined;
  for (const { number, bytes } of fieldsOf(message)) {
    if (number === NODE.input) inputs.push(text(bytes));
    else if (number === NODE.output) outputs.push(text(bytes));
    else if (number === NODE.operator) operator = text(bytes);
    else if (number === NODE.attribute && bytes && operator === "Constant") {
      for (const field of fieldsOf(bytes)) {
        if (field.number !== ATTRIBUTE.tensor || !field.bytes) continue;
        const tensor = readTensor(field.bytes);
        if (tensor?.values.length === 1) constant = tensor.values[0];
      }
    }
  }
  return { operator, inputs, outputs, constant };
}

/** Numbers one after the other. */
function packed(bytes: Uint8Array): number[] {
  const values: number[] = [];
  let value = 0;
  let factor = 1;
  for (const byte of bytes) {
    value += (byte & 127) * factor;
    factor *= 128;
    if (byte > 127) continue;
    values.push(value);
    value = 0;
    factor = 1;
  }
  return values;
}

function text(bytes: Uint8Array | undefined): string {
  return new TextDecoder().decode(bytes);
}

function nameMatrices(tensors: Map<string, WeightTensor>, nodes: readonly Node[]): void {
  const biases = new Map<string, string>();
  for (const { operator, inputs } of nodes) {
    if (operator !== "Add" || inputs.length !== 2) continue;
    for (const [bias, other] of [inputs, [...inputs].reverse()] as [string, string][]) {
      if (tensors.has(bias) && !tensors.has(other)) biases.set(other, bias);
    }
  }
  for (const { operator, inputs, outputs } of nodes) {
    const matrix = tensors.get(inputs[1] ?? "");
    if (operator !== "MatMul" || !matrix) continue;
    const bias = biases.get(outputs[0]!);
    const name = bias?.endsWith(".bias") ? bias.replace(/\.bias$/, ".weight") : inputs[1]!;
    tensors.set(name, { ...matrix, byInput: true });
  }
}

/** The product of queries and keys is divided by the square root of the size of a head. */
function headSizeOf(tensors: ReadonlyMap<string, WeightTensor>, nodes: readonly Node[]): number | undefined {
  const constants = new Map(nodes.map(({ outputs, constant }) => [outputs[0]!, constant]));
  const scores = new Set(
    nodes
      .filter(({ operator, inputs }) => operator === "MatMul" && !inputs.some((input) => tensors.has(input)))
      .map(({ outputs }) => outputs[0]!),
  );
  for (const { operator, inputs } of nodes) {
    const [product, by] = inputs;
    const constant = constants.get(by ?? "") ?? scalarOf(tensors.get(by ?? ""));
    if (constant === undefined || !scores.has(product ?? "")) continue;
    if (operator === "Div") return Math.round(constant ** 2);
    if (operator === "Mul") return Math.round(constant ** -2);
  }
  return undefined;
}

function scalarOf(tensor: WeightTensor | undefined): number | undefined {
  return tensor?.values.length === 1 ? tensor.values[0] : undefined;
}
