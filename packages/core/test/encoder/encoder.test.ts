import { describe, expect, test } from "vitest";
import { Encoder } from "../../src/encoder/encoder.js";
import { readEncoder } from "../../src/encoder/learning/read-encoder.js";
import { readTokenizer } from "../../src/encoder/learning/tokenizer-json.js";
import { windowsOver } from "../../src/encoder/windows.js";
import { WordPieces } from "../../src/encoder/word-pieces.js";
import { Random } from "../../src/math/random.js";
import { TINY_VOCABULARY, type TinyEncoder, type TinyFiles, tinyEncoder } from "./tiny-encoder.js";

function dataOf(shape: TinyEncoder = {}, options: { layers?: number; mixed?: number } = {}) {
  const { safetensors: weights, tokenizer, config } = tinyEncoder(shape);
  return readEncoder({ weights, tokenizer, config }, options);
}

const WORDS = ["the", "old", "mill", "boats", "undoing", ",", "中文", "Café", "zzz", "don't", "…", "\u200b"];

function sentences(count: number, longest: number, seed: number): string[][] {
  const random = new Random(seed);
  return Array.from({ length: count }, () =>
    Array.from({ length: Math.floor(random.next() * (longest + 1)) }, () => {
      return WORDS[Math.floor(random.next() * WORDS.length)]!;
    }),
  );
}

/** BERT as it is in the books, in 64-bit numbers: the vectors of the pieces after the last layer. */
function reference({ weights }: TinyFiles, ids: readonly number[], layers: number, heads: number): number[][] {
  const tensor = (name: string) => weights.get(name)!;
  const [, size] = tensor("embeddings.word_embeddings.weight").shape as [number, number];
  const rowOf = (name: string, row: number) => [...tensor(name).values.subarray(row * size, (row + 1) * size)];
  const plus = (a: number[], b: ArrayLike<number>) => a.map((value, j) => value + b[j]!);
  const norm = (x: number[], name: string) => {
    const mean = x.reduce((sum, value) => sum + value, 0) / x.length;
    const variance = x.reduce((sum, value) => sum + (value - mean) ** 2, 0) / x.length;
    const [factor, bias] = [tensor(`${name}.weight`).values, tensor(`${name}.bias`).values];
    return x.map((value, j) => ((value - mean) / Math.sqrt(variance + 1e-12)) * factor[j]! + bias[j]!);
  };
  const dense = (x: number[], name: string) => {
    const { shape, values } = tensor(`${name}.weight`);
    const bias = tensor(`${name}.bias`).values;
    return Array.from({ length: shape[0]! }, (_, i) =>
      x.reduce((sum, value, j) => sum + value * values[i * x.length + j]!, bias[i]!),
    );
  };
  let rows = ids.map((id, position) => {
    const x = plus(
      rowOf("embeddings.word_embeddings.weight", id),
      rowOf("embeddings.position_embeddings.weight", position),
    );
    return norm(plus(x, rowOf("embeddings.token_type_embeddings.weight", 0)), "embeddings.LayerNorm");
  });
  const head = size / heads;
  for (let k = 0; k < layers; k++) {
    const layer = `encoder.layer.${k}`;
    const [queries, keys, values] = ["query", "key", "value"].map((part) =>
      rows.map((x) => dense(x, `${layer}.attention.self.${part}`)),
    ) as [number[][], number[][], number[][]];
    rows = rows.map((x, i) => {
      const context: number[] = [];
      for (let h = 0; h < heads; h++) {
        const part = (v: number[]) => v.slice(h * head, (h + 1) * head);
        const scores = keys.map((key) =>
          Math.exp(part(queries[i]!).reduce((sum, q, d) => sum + q * part(key)[d]!, 0) / Math.sqrt(head)),
        );
        const total = scores.reduce((sum, score) => sum + score, 0);
        for (let d = 0; d < head; d++)
          context.push(values.reduce((sum, value, j) => sum + (scores[j]! / total) * value[h * head + d]!, 0));
      }
      return norm(plus(x, dense(context, `${layer}.attention.output.dense`)), `${layer}.attention.output.LayerNorm`);
    });
    rows = rows.map((x) => {
      const inner = dense(x, `${layer}.intermediate.dense`).map((value) => 0.5 * value * (1 + erf(value / Math.SQRT2)));
      return norm(plus(x, dense(inner, `${layer}.output.dense`)), `${layer}.output.LayerNorm`);
    });
  }
  return rows;
}

/** By its series, which is exact where it is needed here. */
function erf(x: number): number {
  if (Math.abs(x) > 5) return Math.sign(x);
  let [term, sum] = [x, x];
  for (let n = 1; n < 120; n++) {
    term *= (-x * x) / n;
    sum += term / (2 * n + 1);
  }
  return (2 / Math.sqrt(Math.PI)) * sum;
}

describe("reading", () => {
  test("an ONNX file and a safetensors file of the same weights give the same encoder", () => {
    const files = tinyEncoder();
    const read = (weights: Uint8Array, config?: string) =>
      readEncoder({ weights, tokenizer: files.tokenizer, config }, { mixed: 2 });
    // Only the ONNX file tells the number of heads itself.
    const [one, other] = [read(files.onnx), read(files.safetensors, files.config)];
    expect(one.header).toEqual(other.header);
    expect(one.header).toMatchObject({ size: 32, heads: 2, inner: 64, layers: 2, mixed: 2, window: 32 });
    expect(one.vocabulary).toEqual(other.vocabulary);
    expect(Buffer.from(one.numbers.integers).equals(Buffer.from(other.numbers.integers))).toBe(true);
    expect(one.numbers.floats).toEqual(other.numbers.floats);
    expect(() => read(files.safetensors)).toThrow("number of heads (expected a config.json beside them)");
  });

  test("the first layers are those of the whole", () => {
    const whole = dataOf({ layers: 3 }, { mixed: 3 });
    const first = dataOf({ layers: 3 }, { layers: 2, mixed: 1 });
    const forms = ["the", "old", "mill"];
    const [all, some] = [new Encoder(whole).encode(forms), new Encoder(first).encode(forms)];
    for (let word = 0; word < forms.length; word++) {
      expect(some.subarray(32 * word, 32 * (word + 1))).toEqual(all.subarray(32 * (3 * word + 1), 32 * (3 * word + 2)));
    }
    expect(() => dataOf({}, { layers: 3 })).toThrow("invalid number of layers: 3 (expected 1 to 2");
  });

  test("pieces that no text has are left out", () => {
    const vocabulary = [...TINY_VOCABULARY, "[unused1]", "##.", "##中", "É", "ok", "##ok", "a b", "한"];
    const { onnx: weights, tokenizer } = tinyEncoder({ vocabulary });
    const read = readEncoder({ weights, tokenizer });
    const left = vocabulary.filter((piece) => !read.vocabulary.includes(piece));
    for (const piece of ["[unused1]", "##.", "##中", "É", "a b", "한", "##文", "A"]) expect(left).toContain(piece);
    for (const piece of ["[PAD]", "[MASK]", "ok", "##ok", "中", ".", "##s"]) expect(left).not.toContain(piece);
    const { header, vocabulary: kept } = read;
    expect(kept[header.pieces.begin]).toBe("[CLS]");
    expect(kept[header.pieces.end]).toBe("[SEP]");
    expect(kept[header.pieces.unknown]).toBe("[UNK]");
    expect(header.pieces.special.map((piece) => kept[piece])).toContain("[MASK]");
    // The rest is cut as before.
    const texts = ["unbelievable [MASK] boats", "it's 中文", "okok"];
    const all = readTokenizer(tokenizer);
    for (const text of texts) {
      const names = ({ pieces, vocabulary }: ReturnType<typeof readTokenizer>) =>
        new WordPieces(pieces, vocabulary).of(text).map((piece) => vocabulary[piece]);
      expect(names({ pieces: header.pieces, vocabulary: [...kept] })).toEqual(names(all));
    }
  });

  test("what is not a BERT-like encoder is refused with the reason", () => {
    const files = tinyEncoder();
    const { safetensors, onnx, tokenizer, config } = files;
    const read =
      (weights: Uint8Array, text = tokenizer, settings = config) =>
      () =>
        readEncoder({ weights, tokenizer: text, config: settings });
    expect(read(new TextEncoder().encode("notes about boats"))).toThrow(/ONNX/);
    expect(read(onnx.subarray(0, onnx.length - 100))).toThrow("not a whole one");
    expect(read(safetensors.subarray(0, safetensors.length - 4))).toThrow("the file is incomplete");
    expect(read(onnx, "{}")).toThrow("tokenizer.json: not a tokenizer.json: no model");
    expect(read(onnx, tokenizer.replace("BertNormalizer", "NFC"))).toThrow(
      "tokenizer.json: normalizer: NFC (expected BertNormalizer",
    );
    expect(read(onnx, tokenizer.replace('"WordPiece","unk', '"BPE","unk'))).toThrow("model: BPE (expected WordPiece");
    expect(read(onnx, tokenizer, '{"hidden_act":"relu"}')).toThrow("config.json: hidden_act: relu (expected gelu)");
    const fewer = tinyEncoder({ vocabulary: ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"] });
    expect(read(fewer.onnx)).toThrow("weights and tokenizer are not of one encoder");
    const other = tinyEncoder();
    other.weights.delete("encoder.layer.0.output.dense.weight");
    const named = new TextDecoder("latin1")
      .decode(safetensors)
      .replace("layer.1.output.dense.w", "layer.1.output.sense.w");
    expect(read(new Uint8Array(Buffer.from(named, "latin1")))).toThrow("no encoder.layer.1.output.dense.weight among");
  });
});

describe("vectors", () => {
  test("are those of BERT, up to the rounding of the weights", () => {
    const shape = { size: 48, heads: 3, inner: 96, layers: 2, window: 64 };
    const files = tinyEncoder(shape);
    const data = readEncoder({ weights: files.onnx, tokenizer: files.tokenizer }, { mixed: 1 });
    const encoder = new Encoder(data);
    const pieces = new WordPieces(data.header.pieces, data.vocabulary);
    for (const forms of sentences(12, 14, 3)) {
      const cut = forms.map((form) => {
        const found = pieces.of(form);
        return found.length > 0 ? found : [data.header.pieces.unknown];
      });
      // Pieces that no text has are left out, so that others have other numbers there.
      const ids = cut.flat().map((piece) => TINY_VOCABULARY.lastIndexOf(data.vocabulary[piece]!));
      const rows = reference(files, [2, ...ids, 3], 2, 3);
      const vectors = encoder.encode(forms);
      let at = 1;
      cut.forEach(({ length }, word) => {
        for (let j = 0; j < 48; j++) {
          let mean = 0;
          for (let k = 0; k < length; k++) mean += rows[at + k]![j]! / length;
          expect(Math.abs(vectors[word * 48 + j]! - mean)).toBeLessThan(0.06);
        }
        at += length;
      });
    }
  });

  test("are the same bits with WebAssembly and without, alone and together", () => {
    for (const shape of [{}, { size: 64, heads: 4, inner: 32, layers: 1, window: 24 }]) {
      const data = dataOf(shape, { mixed: 1 });
      const [fast, plain] = [new Encoder(data), new Encoder(data, true)];
      const given = [...sentences(10, 9, 5), ...sentences(3, 60, 6)];
      const together = new Encoder(data).encodeAll(given);
      given.forEach((forms, s) => {
        const vectors = fast.encode(forms);
        expect(vectors.length).toBe(forms.length * data.header.size);
        expect(vectors.every(Number.isFinite)).toBe(true);
        expect(plain.encode(forms)).toEqual(vectors);
        expect(together[s]).toEqual(vectors);
      });
    }
  });

  test("of a sentence stay until the next is asked for, and the same sentence costs nothing", () => {
    const encoder = new Encoder(dataOf());
    const vectors = encoder.encode(["the", "mill"]);
    expect(encoder.encode(["the", "mill"])).toBe(vectors);
    expect(encoder.encode(["the", "boat"])).not.toBe(vectors);
  });

  test("of a sentence that is longer than the window do not depend on what is far away", () => {
    const encoder = new Encoder(dataOf({ window: 16 }));
    const forms = Array.from({ length: 100 }, (_, i) => ["the", "old", "mill", "boat"][i % 4]!);
    const vectors = Float32Array.from(encoder.encode(forms));
    const size = vectors.length / 100;
    const changed = encoder.encode(["un", ...forms.slice(1)]);
    expect(changed.subarray(0, size)).not.toEqual(vectors.subarray(0, size));
    expect(changed.subarray(50 * size)).toEqual(vectors.subarray(50 * size));
  });

  test("of a text that is skimmed are those of the first layer that is given, the same without WebAssembly", () => {
    const { onnx: weights, tokenizer } = tinyEncoder({ layers: 3, window: 200 });
    const data = readEncoder({ weights, tokenizer }, { mixed: 2 });
    const encoder = new Encoder(data);
    const forms = sentences(1, 20, 8)[0]!;
    const { size } = data.header;
    const both = encoder.encode(forms);
    const skimmed = encoder.skim(forms);
    expect(skimmed).toHaveLength(forms.length * size);
    forms.forEach((_, word) => {
      const first = both.subarray(2 * word * size, (2 * word + 1) * size);
      expect(skimmed.subarray(word * size, (word + 1) * size)).toEqual(first);
    });
    expect(encoder.encode(forms)).toEqual(both);
    // A long text is read in windows: what is far away does not matter.
    const long = sentences(40, 30, 9).flat();
    const whole = encoder.skim(long);
    expect(new Encoder(data, true).skim(long)).toEqual(whole);
    const beginning = encoder.skim(long.slice(0, 300));
    expect(beginning.subarray(0, 100 * size)).toEqual(whole.subarray(0, 100 * size));
  });

  test("a word of no pieces and one of very many have vectors", () => {
    const encoder = new Encoder(dataOf({ window: 16 }));
    for (const form of ["\u200b", "-".repeat(5000), "a".repeat(5000), "", "\ud800", "[CLS]"]) {
      expect(encoder.encode([form, "mill"]).every(Number.isFinite)).toBe(true);
    }
    expect(encoder.encode([]).length).toBe(0);
  });
});

test("windows hold what they can, overlap, and every word belongs to one", () => {
  const random = new Random(4);
  for (let run = 0; run < 300; run++) {
    const room = 4 + Math.floor(random.next() * 30);
    const counts = Array.from({ length: Math.floor(random.next() * 80) }, () => 1 + Math.floor(random.next() * room));
    const windows = windowsOver(counts, room);
    let next = 0;
    for (const { first, end, from, to } of windows) {
      expect(counts.slice(first, end).reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(room);
      expect(from).toBe(next);
      expect(first <= from && from <= to && to <= end).toBe(true);
      next = to;
    }
    expect(next).toBe(counts.length);
    if (counts.reduce((sum, count) => sum + count, 0) <= room) expect(windows.length).toBe(1);
  }
  // Words of one piece: half of a window is read again by the next, and a word in the middle of it has a quarter on
  // either side at least.
  const windows = windowsOver(new Array(100).fill(1), 20);
  expect(windows[1]).toEqual({ first: 10, end: 30, from: 15, to: 25 });
});
