import { describe, expect, it } from "vitest";
import { fitConfidence } from "../../src/learning/fit-confidence.js";
import { crc32 } from "../../src/math/crc32.js";
import { Random } from "../../src/math/random.js";
import { MODEL_FORMAT_VERSION, ModelFileError, readModel, writeModel } from "../../src/model-file/model-file.js";
import type { ModelHeader } from "../../src/parser/model-header.js";
import { ParserModel } from "../../src/parser/parser.js";
import type { PipelineModel } from "../../src/pipeline/pipeline-model.js";
import { SYSTEM_NAMES } from "../../src/registry/systems.js";
import { LinearModel } from "../../src/scoring/linear/linear-model.js";
import { arcProbability } from "../../src/search/confidence/confidence.js";
import { ROOT_POSITIONS } from "../../src/systems/configuration.js";
import { readTreebank } from "../../src/treebank/formats/reader.js";
import { SCHEMES } from "../../src/treebank/pseudo-projective.js";
import { findCycle } from "../../src/treebank/tree.js";
import { TAGGED, toyModel } from "../toy-model.js";
import { PREAMBLE, replaceSection, sections } from "./model-sections.js";

const model = toyModel();
const good = writeModel(model);
const sentences = readTreebank(TAGGED);

const parses = (m: PipelineModel["parser"]) => {
  const parser = m.createParser();
  return sentences.map((sentence) => parser.parse(sentence));
};

const withSection = (index: number, data: Uint8Array) => replaceSection(good, index, data);

const withHeaders = (headers: unknown) => withSection(0, new TextEncoder().encode(JSON.stringify(headers)));
const withHeader = (parser: unknown) => withHeaders({ needs: [], parser });

function errorOf(bytes: Uint8Array): string {
  try {
    readModel(bytes, { source: "m.stemma" });
  } catch (error) {
    expect(error).toBeInstanceOf(ModelFileError);
    return (error as Error).message;
  }
  return "accepted";
}

describe("the model file", () => {
  it("has the checksum of gzip and PNG", () => {
    expect(crc32(new TextEncoder().encode("123456789"))).toBe(0xcbf43926);
  });

  it.each(SYSTEM_NAMES)("gives the same trees after writing and reading: %s", (system) => {
    const templates = system === "lr-spines" ? "s1.upos s2.upos; q1.form; s1l.label" : model.header.templates;
    const own = toyModel({ system, templates });
    const bytes = writeModel(own);
    const again = readModel(bytes).parser;
    expect(again.header).toEqual(own.header);
    expect(again.linear.entries()).toEqual(own.linear.entries());
    expect(parses(again)).toEqual(parses(own));
    expect(writeModel(again)).toEqual(bytes);
  });

  it("is read at any offset of its memory", () => {
    const wide = new Uint8Array(good.length + 3);
    wide.set(good, 3);
    expect(writeModel(readModel(wide.subarray(3)))).toEqual(good);
  });

  it("holds more than 256 classes, and no weights at all", () => {
    const labels = Array.from({ length: 300 }, (_, i) => `label${i}`);
    const indices = labels.map((_, i) => i);
    const wide = toyModel({ labels, leftLabels: indices, rightLabels: indices });
    expect(wide.classes.size).toBeGreaterThan(256);
    expect(readModel(writeModel(wide)).parser.linear.entries()).toEqual(wide.linear.entries());
    const none = new ParserModel(
      model.header,
      LinearModel.from(() => {}),
    );
    expect(readModel(writeModel(none)).parser.linear.entries().weights).toHaveLength(0);
    expect(parses(readModel(writeModel(none)).parser)).toHaveLength(sentences.length);
  });

  it("keeps all features of a table that is nearly too small for them", () => {
    const random = new Random(3);
    const many = new Set(Array.from({ length: 165_000 }, () => (random.next() * 2 ** 32) | 0));
    const linear = LinearModel.from((visit) => {
      for (const feature of many) visit(feature, 1, 7);
    });
    const own = new ParserModel(model.header, linear);
    const bytes = writeModel(own);
    const again = readModel(bytes).parser;
    expect(again.linear.size).toBe(linear.size);
    expect(writeModel(again)).toEqual(bytes);
  });
});

describe("what is not a model", () => {
  const altered = (at: number, value: number) => Uint8Array.from(good, (byte, i) => (i === at ? value : byte));

  it.each<[string, Uint8Array, string]>([
    ["an empty file", new Uint8Array(0), "not a Stemma model: it is empty"],
    ["text", new TextEncoder().encode("# sent_id = 1\n"), "not a Stemma model: it does not begin like one"],
    ["another version", altered(8, 8), `format version 8, but this program reads version ${MODEL_FORMAT_VERSION}`],
    ["the beginning of one", good.subarray(0, 12), "truncated: 12 bytes (expected at least 16)"],
    [
      "all but the last byte",
      good.subarray(0, -1),
      `truncated: ${short(good.length - 1)} of ${short(good.length)} bytes`,
    ],
    ["one with more after it", Uint8Array.from([...good, 0, 0]), "2 bytes after the end of the model"],
    ["another header", altered(PREAMBLE + 8, 32), "altered: the checksum of the header does not match"],
    ["other weights", altered(good.length - 1, 0x55), "altered: the checksum of the parser's weights does not match"],
  ])("%s", (_, bytes, reason) => {
    expect(errorOf(bytes)).toBe(`m.stemma: ${reason}`);
  });

  it.each<[string, Partial<Record<keyof ModelHeader, unknown>>, string]>([
    ["system", { system: "arc-magic" }, 'system: "arc-magic" (expected one of arc-eager, arc-hybrid'],
    ["prototype", { system: "constructor" }, 'system: "constructor" (expected one of'],
    ["root", { root: "middle" }, 'root: "middle" (expected one of first, last, none)'],
    [
      "degree",
      { system: "attardi", systemSettings: { degree: 99 } },
      "invalid degree of attardi: 99 (expected a whole number from 2 to 32)",
    ],
    [
      "lazy",
      { system: "swap", systemSettings: { lazy: "yes" } },
      'invalid lazy of swap: "yes" (expected true or false)',
    ],
    [
      "setting",
      { systemSettings: { lazy: true } },
      "unknown option of arc-hybrid: lazy (expected one of root, singleRoot)",
    ],
    ["no templates", { templates: "" }, "templates:1: invalid templates: none (expected at least one template)"],
    ["templates", { templates: "s0.form\ns0.shoe" }, "templates:2: invalid attribute: shoe (expected one of"],
    ["template type", { templates: 3 }, "templates: 3 (expected text)"],
    ["no labels", { labels: [] }, "labels: [] (expected"],
    ["label with tab", { labels: ["a\tb"] }, 'labels: ["a\\tb"] (expected'],
    ["label twice", { labels: ["a", "a"] }, 'labels: ["a","a"] (expected'],
    ["left label out of range", { leftLabels: [5] }, "leftLabels: [5] (expected distinct label numbers below 5)"],
    ["right label not whole", { rightLabels: [0.5] }, "rightLabels: [0.5] (expected"],
    ["right labels missing", { rightLabels: undefined }, "rightLabels: nothing (expected"],
    ["scheme", { projectivized: "tail" }, 'projectivized: "tail" (expected baseline, head, path, head+path)'],
    ["confidence", { confidence: { offset: 0, slope: null } }, "confidence: "],
    ["origin", { origin: [] }, "origin: [] (expected an object)"],
    ["beam", { beam: 1e8 }, "beam: 100000000 (expected a whole number from 1 to 100000)"],
  ])("a header with a bad value: %s", (_, change, reason) => {
    expect(errorOf(withHeader({ ...model.header, ...change }))).toContain(`m.stemma: invalid header: ${reason}`);
  });

  it("a header that is no object, or no JSON", () => {
    expect(errorOf(withHeader(null))).toBe("m.stemma: invalid header: parser: not an object");
    expect(errorOf(withHeaders(null))).toBe("m.stemma: invalid header: not an object");
    expect(errorOf(withHeaders({}))).toBe("m.stemma: invalid header: needs (expected names of programs)");
    expect(errorOf(withHeaders({ needs: ["../x"], parser: model.header }))).toContain("invalid header: needs");
    expect(errorOf(withHeaders({ needs: [] }))).toMatch(/^m.stemma: invalid header: .*parser/);
    expect(errorOf(withHeaders({ needs: [], parser: model.header, oracle: {} }))).toContain(
      'invalid header: "oracle" (expected segmenter, tagger',
    );
    expect(errorOf(withSection(0, new Uint8Array([0xff])))).toContain("m.stemma: invalid header: ");
  });

  it.each<[string, number, number[]]>([
    ["features", 1, [18, 200]],
    ["features", 1, [18, 2, 255, 255, 255, 255, 15, 0]],
    ["features", 1, [18, 1, 255, 255, 255, 255, 255, 255]],
    ["features", 1, [17, 0]],
    ["features", 1, [30, 1, 0]],
    ["classes", 2, []],
    ["classes", 2, [1, 3, 3]],
    ["classes", 2, [0, 255]],
    ["weights", 3, []],
    ["weights", 3, [254, 255, 3]],
  ])("a section of the %s that no writer writes", (name, index, data) => {
    expect(errorOf(withSection(index, Uint8Array.from(data)))).toBe(
      `m.stemma: invalid section of the parser's ${name}`,
    );
  });

  it("features that do not fit into their table", () => {
    const features = Uint32Array.from({ length: 9 }, (_, k) => k << 24);
    const from = Uint32Array.from({ length: 10 }, (_, k) => k);
    const entries = { features, from, classes: new Uint16Array(9), weights: new Int16Array(9).fill(1) };
    expect(LinearModel.build({ bits: 18, ...entries })).toBeUndefined();
  });

  function short(value: number): string {
    return value.toLocaleString("en");
  }
});

describe("10,000 damaged files", () => {
  const random = new Random(7);
  const below = (n: number) => Math.floor(random.next() * n);
  const damages: Record<string, () => Uint8Array> = {
    flipped() {
      const bytes = good.slice();
      for (let i = 0; i <= below(4); i++) bytes[below(bytes.length)]! ^= 1 << below(8);
      return bytes;
    },
    overwritten() {
      const bytes = good.slice();
      const at = below(bytes.length);
      bytes.fill(below(256), at, at + 1 + below(64));
      return bytes;
    },
    cut: () => good.slice(0, below(good.length)),
    "cut out"() {
      const at = below(good.length);
      return Uint8Array.from([...good.subarray(0, at), ...good.subarray(at + 1 + below(16))]);
    },
    swapped() {
      const bytes = good.slice();
      const size = 1 + below(32);
      const a = below(bytes.length - size);
      const b = below(bytes.length - size);
      bytes.set(good.subarray(a, a + size), b);
      bytes.set(good.subarray(b, b + size), a);
      return bytes;
    },
    inserted() {
      const at = below(good.length + 1);
      const more = Array.from({ length: 1 + below(16) }, () => below(256));
      return Uint8Array.from([...good.subarray(0, at), ...more, ...good.subarray(at)]);
    },
  };

  it("none is accepted, none ends in another error", () => {
    const names = Object.keys(damages);
    let damaged = 0;
    for (let i = 0; damaged < 10_000; i++) {
      const bytes = damages[names[i % names.length]!]!();
      if (bytes.length === good.length && bytes.every((byte, at) => byte === good[at])) continue;
      damaged++;
      expect(errorOf(bytes), `${names[i % names.length]}, number ${i}`).not.toBe("accepted");
    }
  });

  it("with checksums that fit: refused, or a model that parses", () => {
    const parts = sections(good);
    let accepted = 0;
    for (let i = 0; i < 3000; i++) {
      const { start, end } = parts[i % parts.length]!;
      let data = good.slice(start, end);
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

describe("every model", () => {
  it.each(
    SYSTEM_NAMES.flatMap((system) => ROOT_POSITIONS.flatMap((root) => SCHEMES.map((s) => [system, root, s] as const))),
  )("gives trees with one root: %s, root %s, scheme %s", (system, root, projectivized) => {
    const templates = system === "lr-spines" ? "s1.upos s2.upos; q1.form; s1l.label" : model.header.templates;
    const labels = ["root", "root↑dep", "dep", "dep↓", "dep↑dep", "dep↑", "root↓", "dep↑dep↓"];
    const all = labels.map((_, i) => i);
    const own = toyModel({ system, root, templates, labels, leftLabels: all, rightLabels: all, projectivized });
    for (const { heads, labels } of parses(own)) {
      expect(heads.filter((head) => head === 0)).toHaveLength(1);
      expect(findCycle(heads)).toBeNull();
      if (projectivized !== "baseline") expect(labels.join()).not.toMatch(/[↑↓]/);
    }
  });
});

describe("how sure the parser is", () => {
  it("falls with the doubt and fits what was right", () => {
    const parser = model.createParser();
    const gold = readTreebank(TAGGED);
    for (const sentence of gold) {
      const { heads, labels } = parser.parse(sentence);
      for (let i = 1; i <= sentence.length; i++) {
        sentence.setHead(i, heads[i]!);
        sentence.setDeprel(i, labels[i]!);
      }
    }
    const sure = fitConfidence(model, gold);
    expect(arcProbability(3, sure)).toBeLessThan(arcProbability(0.01, sure));
    expect(arcProbability(0, sure)).toBeLessThanOrEqual(1);
    expect(
      readModel(writeModel(new ParserModel({ ...model.header, confidence: sure }, model.linear))).parser.header
        .confidence,
    ).toEqual(sure);
  });
});
