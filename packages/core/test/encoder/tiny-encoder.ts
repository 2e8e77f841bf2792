// A BERT-like encoder of random numbers as files: safetensors, ONNX, tokenizer.json, config.json.
import { Random } from "../../src/math/random.js";

export interface TinyEncoder {
  size?: number;
  heads?: number;
  inner?: number;
  layers?: number;
  window?: number;
  lowercase?: boolean;
  seed?: number;
  vocabulary?: readonly string[];
}

interface Weight {
  shape: number[];
  /** As programs that train encoders keep it: matrices have a row for each output. */
  values: Float32Array;
}

export interface TinyFiles {
  weights: Map<string, Weight>;
  safetensors: Uint8Array;
  onnx: Uint8Array;
  tokenizer: string;
  config: string;
}

const SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"];
const LETTERS = Array.from("abcdefghijklmnopqrstuvwxyz");
/** Letters alone and within words, some longer pieces, punctuation, and some of other scripts. */
export const TINY_VOCABULARY: readonly string[] = [
  ...SPECIAL,
  ...LETTERS,
  ...LETTERS.map((letter) => `##${letter}`),
  ...["the", "##ing", "un", "##able", "##s", "old", "mill", "do", "##n", "boat", "2", "##2", "ı", "ß", "##ß"],
  ...["A", "##B", "é", "##é", "σ", "##ς", "中", "文", "##文", "한", "が", "ก", "##็", "ا", "##ل"],
  ...Array.from(".,;:!?'\"()-–…¿`$%&/[]{}#_*+=~^|<>@\\"),
];

export function tinyEncoder(shape: TinyEncoder = {}): TinyFiles {
  const { size = 32, heads = 2, inner = 64, layers = 2, window = 32, lowercase = true, seed = 1 } = shape;
  const vocabulary = shape.vocabulary ?? TINY_VOCABULARY;
  const random = new Random(seed);
  const weights = new Map<string, Weight>();
  const add = (name: string, shape: number[], scale: number, mean = 0) => {
    const values = Float32Array.from(
      { length: shape.reduce((product, n) => product * n, 1) },
      () => mean + scale * (2 * random.next() - 1),
    );
    weights.set(name, { shape, values });
  };
  const norm = (name: string) => {
    add(`${name}.weight`, [size], 0.3, 1);
    add(`${name}.bias`, [size], 0.2);
  };
  const dense = (name: string, from: number, to: number) => {
    add(`${name}.weight`, [to, from], Math.sqrt(3 / from));
    add(`${name}.bias`, [to], 0.1);
  };
  add("embeddings.word_embeddings.weight", [vocabulary.length, size], 0.5);
  add("embeddings.position_embeddings.weight", [window, size], 0.2);
  add("embeddings.token_type_embeddings.weight", [2, size], 0.2);
  norm("embeddings.LayerNorm");
  for (let k = 0; k < layers; k++) {
    const layer = `encoder.layer.${k}`;
    for (const part of ["query", "key", "value"]) dense(`${layer}.attention.self.${part}`, size, size);
    dense(`${layer}.attention.output.dense`, size, size);
    norm(`${layer}.attention.output.LayerNorm`);
    dense(`${layer}.intermediate.dense`, size, inner);
    dense(`${layer}.output.dense`, inner, size);
    norm(`${layer}.output.LayerNorm`);
  }
  return {
    weights,
    safetensors: safetensorsOf(weights),
    onnx: onnxOf(weights, size / heads),
    tokenizer: tokenizerOf(vocabulary, lowercase),
    config: JSON.stringify({ num_attention_heads: heads, layer_norm_eps: 1e-12, hidden_act: "gelu" }),
  };
}

/** The text of a tokenizer.json with this vocabulary. */
export function tokenizerOf(vocabulary: readonly string[], lowercase: boolean): string {
  const special = (content: string) => ({ SpecialToken: { id: content, type_id: 0 } });
  const known = SPECIAL.map((content) => ({
    id: vocabulary.indexOf(content),
    content,
    single_word: false,
    lstrip: false,
    rstrip: false,
    normalized: false,
    special: true,
  }));
  const ids = Object.fromEntries(
    ["[CLS]", "[SEP]"].map((id) => [id, { id, ids: [vocabulary.indexOf(id)], tokens: [id] }]),
  );
  return JSON.stringify({
    version: "1.0",
    truncation: null,
    padding: null,
    added_tokens: known,
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
      single: [special("[CLS]"), { Sequence: { id: "A", type_id: 0 } }, special("[SEP]")],
      pair: [special("[CLS]"), { Sequence: { id: "A", type_id: 0 } }, special("[SEP]")],
      special_tokens: ids,
    },
    decoder: { type: "WordPiece", prefix: "##", cleanup: true },
    model: {
      type: "WordPiece",
      unk_token: "[UNK]",
      continuing_subword_prefix: "##",
      max_input_chars_per_word: 100,
      vocab: Object.fromEntries(vocabulary.map((piece, number) => [piece, number])),
    },
  });
}

function safetensorsOf(weights: TinyFiles["weights"]): Uint8Array {
  let end = 0;
  const header: Record<string, unknown> = { __metadata__: { format: "pt" } };
  for (const [name, { shape, values }] of weights) {
    header[`bert.${name}`] = { dtype: "F32", shape, data_offsets: [end, end + values.byteLength] };
    end += values.byteLength;
  }
  const text = Buffer.from(JSON.stringify(header));
  const length = Buffer.alloc(8);
  length.writeUInt32LE(text.length, 0);
  const data = [...weights.values()].map(({ values }) => Buffer.from(values.buffer, 0, values.byteLength));
  return new Uint8Array(Buffer.concat([length, text, ...data]));
}

/** A message of Protocol Buffers: numbers, texts and messages by the number of their field. */
function message(...fields: [number, number | string | Uint8Array][]): Buffer {
  return Buffer.concat(
    fields.map(([number, value]) => {
      if (typeof value === "number") return Buffer.concat([varint(8 * number), varint(value)]);
      const bytes = typeof value === "string" ? Buffer.from(value) : value;
      return Buffer.concat([varint(8 * number + 2), varint(bytes.length), bytes]);
    }),
  );
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  for (; value > 127; value = Math.floor(value / 128)) bytes.push((value % 128) | 128);
  return Buffer.from([...bytes, value]);
}

/** As exports have it: matrices are turned and have no names, and the size of a head is in a division. */
function onnxOf(weights: TinyFiles["weights"], head: number): Uint8Array {
  const tensor = (name: string, shape: readonly number[], values: Float32Array) =>
    message(
      ...shape.map((n): [number, number] => [1, n]),
      [2, 1],
      [8, name],
      [9, Buffer.from(values.buffer, values.byteOffset, values.byteLength)],
    );
  const parts: [number, Buffer][] = [];
  let number = 100;
  for (const [name, { shape, values }] of weights) {
    if (!/(query|key|value|dense)\.weight$/.test(name)) {
      parts.push([5, tensor(name, shape, values)]);
      continue;
    }
    const [rows, columns] = shape as [number, number];
    const turned = new Float32Array(values.length);
    values.forEach((value, k) => {
      turned[(k % columns) * rows + Math.floor(k / columns)] = value;
    });
    const own = `onnx::MatMul_${number++}`;
    const out = `${own}_output`;
    parts.push([5, tensor(own, [columns, rows], turned)]);
    parts.push([1, message([1, "x"], [1, own], [2, out], [4, "MatMul"])]);
    const bias = name.replace(/weight$/, "bias");
    parts.push([1, message([1, bias], [1, out], [2, `${out}_sum`], [4, "Add"])]);
  }
  const root = message([5, message([1, "value"], [5, tensor("", [], Float32Array.of(Math.sqrt(head)))])]);
  parts.push([1, Buffer.concat([message([2, "root"], [4, "Constant"]), root])]);
  parts.push([1, message([1, "q"], [1, "k"], [2, "scores"], [4, "MatMul"])]);
  parts.push([1, message([1, "scores"], [1, "root"], [2, "scaled"], [4, "Div"])]);
  return new Uint8Array(message([1, 8], [2, "pytorch"], [7, message(...parts)]));
}
