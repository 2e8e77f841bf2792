import { aligned, type EncoderWeights, fromBrain, fromHalf, type WeightTensor } from "./weights.js";

/** A header of more bytes is not one. */
const MOST_HEADER = 1 << 26;

/** The tensors of a safetensors file: the length of a header, the header as JSON, then the numbers. */
export function readSafetensors(bytes: Uint8Array): EncoderWeights {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const length = bytes.length < 8 ? -1 : view.getUint32(0, true) + view.getUint32(4, true) * 2 ** 32;
  if (!(length > 0 && length <= MOST_HEADER && 8 + length <= bytes.length))
    throw new RangeError("not a safetensors file: it does not begin with the length of its header");
  let header: Record<string, { dtype: string; shape: number[]; data_offsets: [number, number] }>;
  try {
    header = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes.subarray(8, 8 + length)));
  } catch (error) {
    throw new RangeError(`not a safetensors file: ${(error as Error).message}`);
  }
  const tensors = new Map<string, WeightTensor>();
  for (const [name, entry] of Object.entries(header ?? {})) {
    if (name === "__metadata__") continue;
    const { dtype, shape, data_offsets: [from, to] = [-1, -1] } = entry ?? {};
    const data = bytes.subarray(8 + length + from, 8 + length + to);
    const count = Array.isArray(shape) ? shape.reduce((product, size) => product * size, 1) : -1;
    const values =
      dtype === "F32"
        ? aligned(data, Float32Array)
        : dtype === "F16"
          ? fromHalf(aligned(data, Uint16Array))
          : dtype === "BF16"
            ? fromBrain(aligned(data, Uint16Array))
            : undefined;
    // Numbers of positions and the like are not weights.
    if (!values) continue;
    if (values.length !== count)
      throw new RangeError(
        `${name}: ${values.length} numbers (expected ${shape?.join(" × ")}: the file is incomplete)`,
      );
    tensors.set(name, { shape, values });
  }
  return { tensors };
}
