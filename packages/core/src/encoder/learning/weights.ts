/** A tensor of a file: its numbers row by row. */
export interface WeightTensor {
  readonly shape: readonly number[];
  readonly values: Float32Array;
  /** A matrix that has a row for each input; as programs that train encoders keep them, it has one for each output. */
  readonly byInput?: boolean;
}

/** The content of a file of weights, by name. */
export interface EncoderWeights {
  readonly tensors: ReadonlyMap<string, WeightTensor>;
  /** Numbers of an attention head, if the file tells. */
  readonly headSize?: number | undefined;
}

/** 16-bit floating-point numbers (IEEE 754 half precision) as 32-bit ones. */
export function fromHalf(bits: Uint16Array): Float32Array {
  return Float32Array.from(bits, (half) => {
    const exponent = (half >> 10) & 31;
    const fraction = half & 1023;
    const size =
      exponent === 0
        ? fraction * 2 ** -24
        : exponent === 31
          ? fraction === 0
            ? Number.POSITIVE_INFINITY
            : Number.NaN
          : (1 + fraction / 1024) * 2 ** (exponent - 15);
    return half & 0x8000 ? -size : size;
  });
}

/** The upper halves of 32-bit numbers (bfloat16) as numbers. */
export function fromBrain(bits: Uint16Array): Float32Array {
  return new Float32Array(Uint32Array.from(bits, (half) => (half << 16) >>> 0).buffer);
}

/** Bytes, which may begin anywhere, as numbers of a kind. */
export function aligned<View>(
  bytes: Uint8Array,
  Kind: { new (buffer: ArrayBuffer): View; readonly BYTES_PER_ELEMENT: number },
): View {
  const copy = new Uint8Array(bytes.length - (bytes.length % Kind.BYTES_PER_ELEMENT));
  copy.set(bytes.subarray(0, copy.length));
  return new Kind(copy.buffer);
}
