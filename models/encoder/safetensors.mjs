// Files of safetensors: the length of a header, the header as JSON, then the numbers.

/** @typedef {{ shape: number[], bytes: Uint8Array }} Tensor numbers of 32 bits, row by row */

/**
 * @param {ReadonlyMap<string, Tensor>} tensors
 * @returns {Uint8Array[]} the parts of the file, in order
 */
export function safetensorsParts(tensors) {
  /** @type {Record<string, object>} */
  const header = {};
  let end = 0;
  for (const [name, { shape, bytes }] of tensors) {
    header[name] = { dtype: "F32", shape, data_offsets: [end, end + bytes.length] };
    end += bytes.length;
  }
  const json = Buffer.from(JSON.stringify(header));
  // Numbers begin at a multiple of eight bytes.
  const text = Buffer.concat([json, Buffer.alloc((8 - (json.length % 8)) % 8, " ")]);
  const length = Buffer.alloc(8);
  length.writeUInt32LE(text.length, 0);
  return [length, text, ...[...tensors.values()].map(({ bytes }) => bytes)];
}

/**
 * @param {Buffer} file
 * @returns {Map<string, Tensor>}
 */
export function readTensors(file) {
  const length = file.length < 8 ? -1 : file.readUInt32LE(0);
  if (length <= 0 || file[8] !== 0x7b || 8 + length > file.length)
    throw new RangeError("not a safetensors file: it does not begin with the length of its header");
  /** @type {Record<string, { dtype: string, shape: number[], data_offsets: [number, number] }>} */
  const header = JSON.parse(file.toString("utf8", 8, 8 + length));
  /** @type {Map<string, Tensor>} */
  const tensors = new Map();
  for (const [name, entry] of Object.entries(header)) {
    if (name === "__metadata__") continue;
    const { dtype, shape, data_offsets: offsets } = entry;
    if (dtype !== "F32") throw new RangeError(`${name}: numbers of the kind ${dtype} (expected F32)`);
    const bytes = file.subarray(8 + length + offsets[0], 8 + length + offsets[1]);
    const count = shape.reduce((product, size) => product * size, 4);
    if (bytes.length !== count) throw new RangeError(`${name}: ${bytes.length} bytes (expected ${count})`);
    tensors.set(name, { shape, bytes });
  }
  return tensors;
}
