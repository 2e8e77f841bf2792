import { describe, expect, it } from "vitest";
import { fitConfidence } from "../../src/learning/fit-confidence.js";
import { Random } from "../../src/math/random.js";
import { ModelFileError, readModel, writeModel } from "../../src/model-file/model-file.js";
import { ParserModel } from "../../src/parser/parser.js";
import type { PipelineModel } from "../../src/pipeline/pipeline-model.js";
import { SYSTEM_NAMES } from "../../src/registry/systems.js";
import type { NetworkHeader } from "../../src/scoring/network/shape.js";
import { isConfidence } from "../../src/search/confidence/confidence.js";
import { readTreebank } from "../../src/treebank/formats/reader.js";
import { randomNetwork } from "../scoring/random-network.js";
import { TAGGED } from "../toy-model.js";
import { replaceSection, sections } from "./model-sections.js";

const { model } = randomNetwork({ kinds: ["word", "upos"], dim: 3, hidden: 8 });
const good = writeModel(model);
const sentences = readTreebank(TAGGED);

const parses = (m: PipelineModel["parser"]) => {
  const parser = m.createParser();
  return sentences.map((sentence) => parser.parse(sentence));
};

/** The data of the sections. */
const dataOf = (bytes: Uint8Array) => sections(bytes).map(({ start, end }) => bytes.slice(start, end));

const withSection = (index: number, data: Uint8Array) => replaceSection(good, index, data);

const withHeader = (changes: object) =>
  withSection(0, new TextEncoder().encode(JSON.stringify({ needs: [], parser: { ...model.header, ...changes } })));
const withNetwork = (changes: object) => withHeader({ network: { ...model.header.network, ...changes } });
const altered = (bytes: Uint8Array, at: number, value: number) =>
  Uint8Array.from(bytes, (byte, i) => (i === at ? value : byte));

function errorOf(bytes: Uint8Array): string {
  try {
    readModel(bytes, { source: "m.stemma" });
  } catch (error) {
    expect(error).toBeInstanceOf(ModelFileError);
    return (error as Error).message.replace("m.stemma: ", "");
  }
  return "accepted";
}

describe("a network in the model file", () => {
  it.each(SYSTEM_NAMES)("gives the same trees after writing and reading: %s", (system) => {
    const { model: own } = randomNetwork({ layers: 2 }, { system });
    const bytes = writeModel(own);
    const again = readModel(bytes).parser;
    expect(again.header).toEqual(own.header);
    expect(again.network!.numbers).toEqual(own.network!.numbers);
    expect(again.network!.keys).toEqual(own.network!.keys);
    expect(parses(again)).toEqual(parses(own));
    expect(writeModel(again)).toEqual(bytes);
  });

  it("is read at any offset, and does not hang on the bytes it was read from", () => {
    const wide = new Uint8Array(good.length + 3);
    wide.set(good, 3);
    const read = readModel(wide.subarray(3));
    wide.fill(0);
    expect(writeModel(read)).toEqual(good);
  });

  it("says how sure the parser is", () => {
    const gold = readTreebank(TAGGED);
    for (const sentence of gold) {
      const { heads, labels } = model.createParser().parse(sentence);
      for (let i = 1; i <= sentence.length; i++) {
        sentence.setHead(i, heads[i]!);
        sentence.setDeprel(i, labels[i]!);
      }
    }
    const confidence = fitConfidence(model, gold);
    expect(isConfidence(confidence)).toBe(true);
    const own = new ParserModel({ ...model.header, confidence }, model.weights);
    expect(readModel(writeModel(own)).parser.header.confidence).toEqual(confidence);
  });
});

describe("what is no network", () => {
  const inputs = model.header.network!.inputs;
  it.each<[string, Partial<Record<keyof NetworkHeader, unknown>>, string]>([
    ["no inputs", { inputs: [] }, "network.inputs: [] (expected a list of tables)"],
    ["no list of inputs", { inputs: {} }, "network.inputs: {} (expected a list of tables)"],
    ["input", { inputs: [null] }, "network.inputs: null (expected kind, dim and rows)"],
    [
      "kind",
      { inputs: [{ ...inputs[0], kind: "smell" }] },
      'network.inputs.kind: "smell" (expected one of word, lemma',
    ],
    ["dim", { inputs: [{ ...inputs[0], dim: 0 }] }, "network.inputs.dim: 0 (expected from 1 to 2048)"],
    ["rows", { inputs: [{ ...inputs[0], rows: 1 }] }, "network.inputs.rows: 1 (expected from 2 to"],
    ["rows beyond all", { inputs: [{ ...inputs[0], rows: 2 ** 40 }] }, "network.inputs.rows: 1099511627776 (expected"],
    ["kind twice", { inputs: [inputs[0], inputs[0]] }, "network.inputs: "],
    ["layers", { layers: 9 }, "network.layers: 9 (expected from 0 to 8)"],
    ["width", { width: 12 }, "network.width: 12 (expected a multiple of 8 up to 1024)"],
    ["hidden", { hidden: 0 }, "network.hidden: 0 (expected a multiple of 8 up to 2048)"],
    ["normalization", { normalization: "local" }, 'network.normalization: "local" (expected global, or nothing)'],
    ["hidden of text", { hidden: "8" }, 'network.hidden: "8" (expected'],
  ])("a header with a bad value: %s", (_, change, reason) => {
    expect(errorOf(withNetwork(change))).toContain(`invalid header: ${reason}`);
  });

  it.each<[string, object, string]>([
    ["no network", { network: null }, "invalid header: network: not an object"],
    ["word attribute", { templates: "s0.form" }, "invalid header: a network sees words as .vector, not .form"],
    ["two values", { templates: "s0.vector b0.vector" }, "invalid header: a network's templates have one value each"],
    ["label sets", { templates: "s0.vector; s0.lset" }, "invalid header: a network has no table for .lset"],
    ["no node", { templates: "s0.label" }, "invalid header: templates: no node"],
    ["another size", { templates: "s0.vector" }, "invalid section of the parser's scales"],
    ["other labels", { labels: [...model.header.labels, "x"] }, "invalid section of the parser's scales"],
  ])("a header that does not fit: %s", (_, change, reason) => {
    expect(errorOf(withHeader(change))).toContain(reason);
  });

  it("sections that no writer writes", () => {
    const [, keys, scales, weights] = dataOf(good) as [Uint8Array, Uint8Array, Uint8Array, Uint8Array];
    const bad = (name: string) => `invalid section of the parser's ${name}`;
    expect(errorOf(withSection(1, new Uint8Array()))).toBe(bad("keys"));
    expect(errorOf(withSection(1, Uint8Array.from([...keys, 0])))).toBe(bad("keys"));
    expect(errorOf(withSection(1, keys.slice(0, -1)))).toBe(bad("keys"));
    expect(errorOf(withSection(1, new Uint8Array(keys.length).fill(255)))).toBe(bad("keys"));
    expect(errorOf(withSection(2, scales.slice(0, -4)))).toBe(bad("scales"));
    const infinite = scales.slice();
    new DataView(infinite.buffer).setFloat32(0, Number.POSITIVE_INFINITY, true);
    expect(errorOf(withSection(2, infinite))).toBe(bad("scales"));
    new DataView(infinite.buffer).setFloat32(0, Number.NaN, true);
    expect(errorOf(withSection(2, infinite))).toBe(bad("scales"));
    expect(errorOf(withSection(3, weights.slice(1)))).toBe(bad("weights"));
    expect(errorOf(withSection(3, altered(weights, 0, 0x80)))).toBe(bad("weights"));
  });
});

describe("damaged files of networks", () => {
  const random = new Random(5);
  const below = (n: number) => Math.floor(random.next() * n);

  it("none of 3,000 is accepted, none ends in another error", () => {
    for (let i = 0; i < 3000; i++) {
      let bytes = good.slice();
      if (i % 3 === 0) bytes = bytes.slice(0, below(bytes.length));
      else for (let k = 0; k <= below(4); k++) bytes[below(bytes.length)]! ^= 1 << below(8);
      if (bytes.length === good.length && bytes.every((byte, at) => byte === good[at])) continue;
      expect(errorOf(bytes), `number ${i}`).not.toBe("accepted");
    }
  });

  it("with checksums that fit: refused, or a model that parses", () => {
    const parts = dataOf(good);
    let accepted = 0;
    for (let i = 0; i < 1500; i++) {
      let data = parts[i % parts.length]!.slice();
      for (let k = 0; k <= below(3); k++) data[below(data.length)] = below(256);
      if (i % 5 === 0) data = data.slice(0, below(data.length));
      let read: PipelineModel["parser"];
      try {
        read = readModel(withSection(i % parts.length, data)).parser;
      } catch (error) {
        expect(error).toBeInstanceOf(ModelFileError);
        continue;
      }
      accepted++;
      for (const { heads } of parses(read)) expect(heads.filter((head) => head === 0)).toHaveLength(1);
    }
    expect(accepted).toBeGreaterThan(100);
  });
});
