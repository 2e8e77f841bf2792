const LARGEST = 127;

/** Vectors with 8 bits a number and a scale each. */
export class VectorStore {
  readonly values: Int8Array;
  readonly scales: Float32Array;

  /** `shared` puts them where threads can share them. */
  constructor(
    count: number,
    readonly size: number,
    shared = false,
  ) {
    const buffer = (bytes: number) => (shared ? new SharedArrayBuffer(bytes) : new ArrayBuffer(bytes)) as never;
    this.values = new Int8Array(buffer(count * size));
    this.scales = new Float32Array(buffer(4 * count));
  }

  /** Keeps vectors from a place on. */
  keep(vectors: Float32Array, first: number): void {
    const { size, values, scales } = this;
    for (let row = 0; row * size < vectors.length; row++) {
      let most = 0;
      for (let j = row * size; j < (row + 1) * size; j++) most = Math.max(most, Math.abs(vectors[j]!));
      const scale = most / LARGEST;
      scales[first + row] = scale;
      const to = (first + row) * size;
      for (let j = 0; j < size; j++) values[to + j] = scale === 0 ? 0 : Math.round(vectors[row * size + j]! / scale);
    }
  }

  /** Writes a vector. */
  read(place: number, out: Float32Array, at: number): void {
    const { size, values } = this;
    const scale = this.scales[place]!;
    for (let j = 0; j < size; j++) out[at + j] = scale * values[place * size + j]!;
  }
}
