// BERT as TensorFlow saves it (a SavedModel: variables.index, variables.data-00000-of-00001, assets/vocab.txt) becomes
// what `stemma train --encoder` reads: model.safetensors, tokenizer.json and config.json.
//
// The index is a table of LevelDB (https://github.com/google/leveldb/blob/main/doc/table_format.md) whose values are
// messages of TensorFlow (tensorflow/core/protobuf/tensor_bundle.proto, BundleEntryProto).

/** @typedef {import("./safetensors.mjs").Tensor} Tensor */

/** @typedef {{ type: number, shape: number[], shard: number, offset: number, size: number }} BundleEntry */

const MAGIC = Buffer.from("57fb808b247547db", "hex");
const FLOAT = 1;

/**
 * A whole number as LevelDB and Protocol Buffers write it, seven bits in a byte, and where it ends.
 *
 * @param {Buffer} bytes
 * @param {number} at
 * @returns {[value: number, end: number]}
 */
function varint(bytes, at) {
  let [value, scale] = [0, 1];
  for (let k = at; k < bytes.length; k++, scale *= 128) {
    value += (bytes[k] & 127) * scale;
    if (bytes[k] < 128) return [value, k + 1];
  }
  throw new RangeError("not a whole table: a number has no end");
}

/**
 * The entries of a block; keys share their beginnings with those before.
 *
 * @param {Buffer} file
 * @param {number} offset
 * @param {number} size
 * @returns {Generator<[key: string, value: Buffer]>}
 */
function* block(file, offset, size) {
  const bytes = file.subarray(offset, offset + size);
  if (bytes.length < size || size < 4) throw new RangeError("not a whole table: a block lies outside of it");
  if (file[offset + size] !== 0)
    throw new RangeError("the table is packed (expected blocks as TensorFlow writes them)");
  const end = size - 4 - 4 * bytes.readUInt32LE(size - 4);
  let key = "";
  for (let at = 0; at < end; ) {
    let shared, own, length;
    [shared, at] = varint(bytes, at);
    [own, at] = varint(bytes, at);
    [length, at] = varint(bytes, at);
    key = key.slice(0, shared) + bytes.toString("latin1", at, at + own);
    at += own;
    yield [key, bytes.subarray(at, at + length)];
    at += length;
  }
}

/**
 * The fields of a message of Protocol Buffers: numbers, and bytes.
 *
 * @param {Buffer} bytes
 * @returns {Generator<[field: number, value: number | Buffer]>}
 */
function* fields(bytes) {
  for (let at = 0; at < bytes.length; ) {
    let tag, value;
    [tag, at] = varint(bytes, at);
    const kind = tag % 8;
    if (kind === 0) {
      [value, at] = varint(bytes, at);
      yield [(tag - kind) / 8, value];
    } else if (kind === 2) {
      let length;
      [length, at] = varint(bytes, at);
      yield [(tag - kind) / 8, bytes.subarray(at, at + length)];
      at += length;
    } else if (kind === 5) at += 4;
    else if (kind === 1) at += 8;
    else throw new RangeError(`invalid message: a field of kind ${kind}`);
  }
}

/**
 * @param {Buffer} index the file variables.index
 * @returns {Map<string, BundleEntry>}
 */
export function bundleEntries(index) {
  if (index.length < 48 || !index.subarray(-8).equals(MAGIC))
    throw new RangeError("not an index of variables: it does not end as a table of LevelDB does");
  const footer = index.subarray(-48);
  const [, afterOffset] = varint(footer, 0);
  const [, afterMeta] = varint(footer, afterOffset);
  const [offset, at] = varint(footer, afterMeta);
  const [size] = varint(footer, at);
  /** @type {Map<string, BundleEntry>} */
  const entries = new Map();
  for (const [, handle] of block(index, offset, size)) {
    const [from, next] = varint(handle, 0);
    const [length] = varint(handle, next);
    // The key "" has a header that says how many files there are.
    for (const [key, value] of block(index, from, length)) if (key !== "") entries.set(key, entryOf(value));
  }
  return entries;
}

/** @param {Buffer} message */
function entryOf(message) {
  /** @type {BundleEntry} */
  const entry = { type: 0, shape: [], shard: 0, offset: 0, size: 0 };
  for (const [field, value] of fields(message)) {
    if (typeof value === "number") {
      if (field === 1) entry.type = value;
      else if (field === 3) entry.shard = value;
      else if (field === 4) entry.offset = value;
      else if (field === 5) entry.size = value;
    } else if (field === 2) {
      for (const [part, dimension] of fields(value)) {
        if (part !== 2 || typeof dimension === "number") continue;
        for (const [name, length] of fields(dimension)) if (name === 1) entry.shape.push(Number(length));
      }
    }
  }
  return entry;
}

/**
 * The name that a variable has in other programs; undefined for what an encoder does not need.
 *
 * @param {string} name such as module/bert/encoder/layer_0/attention/self/query/kernel
 */
export function tensorName(name) {
  const [, inner] = /^(?:module\/)?bert\/((?:embeddings|encoder)\/.*)$/.exec(name) ?? [];
  return inner
    ?.replace(/^(embeddings\/\w+_embeddings)$/, "$1.weight")
    .replace(/layer_(\d+)/, "layer.$1")
    .replace(/\/(kernel|gamma)$/, ".weight")
    .replace(/\/beta$/, ".bias")
    .replaceAll("/", ".");
}

/**
 * The weights of an encoder by the names that other programs use. TensorFlow's matrices have a row for each input,
 * here they get one for each output.
 *
 * @param {Buffer} index
 * @param {Buffer} data
 * @returns {Map<string, Tensor>}
 */
export function encoderTensors(index, data) {
  /** @type {Map<string, Tensor>} */
  const tensors = new Map();
  for (const [variable, { type, shape, shard, offset, size }] of bundleEntries(index)) {
    const name = tensorName(variable);
    if (name === undefined) continue;
    if (type !== FLOAT || shard !== 0 || shape.reduce((product, length) => product * length, 4) !== size)
      throw new RangeError(
        `${variable}: type ${type}, file ${shard}, ${size} bytes (expected 32-bit numbers in one file)`,
      );
    const bytes = data.subarray(offset, offset + size);
    if (bytes.length < size) throw new RangeError(`${variable}: beyond the end of the data (the file is incomplete)`);
    if (!variable.endsWith("/kernel")) tensors.set(name, { shape, bytes });
    else tensors.set(name, { shape: [shape[1], shape[0]], bytes: turned(bytes, shape[0], shape[1]) });
  }
  if (!tensors.has("embeddings.word_embeddings.weight"))
    throw new RangeError("no bert/embeddings/word_embeddings among the variables (expected a BERT)");
  return tensors;
}

/**
 * @param {Buffer} bytes
 * @param {number} rows
 * @param {number} columns
 */
function turned(bytes, rows, columns) {
  const from = new Float32Array(new Uint8Array(bytes).buffer);
  const to = new Float32Array(rows * columns);
  for (let i = 0; i < rows; i++) for (let j = 0; j < columns; j++) to[j * rows + i] = from[i * columns + j];
  return new Uint8Array(to.buffer);
}

const SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"];

/**
 * The text of a tokenizer.json with the pieces of a vocabulary.
 *
 * @param {readonly string[]} vocabulary
 * @param {boolean} lowercase
 */
export function tokenizerJson(vocabulary, lowercase) {
  const missing = SPECIAL.filter((piece) => !vocabulary.includes(piece));
  if (missing.length > 0)
    throw new RangeError(`no ${missing.join(", ")} among the pieces (expected BERT's vocabulary)`);
  const added = SPECIAL.map((content) => ({
    id: vocabulary.indexOf(content),
    content,
    normalized: false,
    special: true,
  }));
  const piece = (/** @type {string} */ id) => ({ SpecialToken: { id, type_id: 0 } });
  return JSON.stringify({
    version: "1.0",
    added_tokens: added,
    normalizer: {
      type: "BertNormalizer",
      clean_text: true,
      handle_chinese_chars: true,
      strip_accents: null,
      lowercase,
    },
    pre_tokenizer: { type: "BertPreTokenizer" },
    post_processor: {
      type: "TemplateProcessing",
      single: [piece("[CLS]"), { Sequence: { id: "A", type_id: 0 } }, piece("[SEP]")],
    },
    model: {
      type: "WordPiece",
      unk_token: "[UNK]",
      continuing_subword_prefix: "##",
      max_input_chars_per_word: 100,
      vocab: Object.fromEntries(vocabulary.map((piece, number) => [piece, number])),
    },
  });
}
