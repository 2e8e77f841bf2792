// The model file (docs/model-file.md): magic bytes, version, length, then a header and three sections for each part of
// the pipeline, each section with its length and checksum.

import { check, STRING } from "../checks/options.js";
import { holding } from "../checks/shapes.js";
import type { EncoderData, EncoderHeader } from "../encoder/encoder-data.js";
import { encoderProgram } from "../encoder/encoders.js";
import type { EncoderProbe, ProbeHeader, StoredProbe } from "../encoder/probe-data.js";
import { parseTemplates } from "../features/templates.js";
import { GRAPH, type GraphHeader, isGraph } from "../graph/graph-header.js";
import type { GraphModel } from "../graph/graph-model.js";
import { graphProgram } from "../graph/graphs.js";
import { jointOf } from "../joint-tagging/joint-header.js";
import { parserClasses, parserModel } from "../joint-tagging/joint-model.js";
import { crc32 } from "../math/crc32.js";
import { type ModelHeader, systemOf } from "../parser/model-header.js";
import type { ParserModel } from "../parser/parser.js";
import { checkLemmatizerHeader, LemmatizerModel } from "../pipeline/lemmatizer/lemmatizer.js";
import { PARTS, type PartName, PipelineModel, type PipelineParts } from "../pipeline/pipeline-model.js";
import { checkSegmenterHeader, SegmenterModel } from "../pipeline/segmenter/segmenter.js";
import { Analyses } from "../pipeline/tagger/analyses.js";
import { checkTaggerHeader } from "../pipeline/tagger/tagger-header.js";
import { TaggerModel } from "../pipeline/tagger/tagger-model.js";
import { describeSystem, systemNames } from "../registry/systems.js";
import { checkRolesHeader, RolesModel, roleClasses } from "../roles/roles-model.js";
import { LinearModel } from "../scoring/linear/linear-model.js";
import type { Entries } from "../scoring/linear/quantized-weights.js";
import { checkNetwork } from "../scoring/network/network-header.js";
import { NeuralModel } from "../scoring/network/neural-model.js";
import { packNumbers, unpackNumbers } from "../scoring/network/quantization.js";
import { networkView } from "../scoring/network/shape.js";
import { isConfidence } from "../search/confidence/confidence.js";
import { ROOT_POSITIONS } from "../systems/configuration.js";
import { SCHEMES } from "../treebank/pseudo-projective.js";
import { type Fail, packNetwork, unpackNetwork } from "./network-sections.js";
import { Packer, Unpacker } from "./packer.js";

/**
 * The newest version of the format. Parsers that find roles along with trees have it, which older programs would parse
 * with as if they did not; networks that learnt with a beam have GLOBAL_VERSION, whose scores older programs would take
 * for what they are not; for all others, which older programs can read, nothing has changed since GRAPH_VERSION,
 * ENCODER_VERSION, NETWORK_VERSION or, without a network, LINEAR_VERSION.
 */
export const MODEL_FORMAT_VERSION = 7;
const GLOBAL_VERSION = 6;
const GRAPH_VERSION = 5;
const ENCODER_VERSION = 4;
const NETWORK_VERSION = 3;
const LINEAR_VERSION = 2;

/** A byte that is not ASCII, a name, and line ends that a transfer as text would change (as in PNG). */
const MAGIC = [0x89, 0x53, 0x54, 0x45, 0x4d, 0x0d, 0x0a, 0x1a];
const PREAMBLE = 16;
/** Before a section: its length and its checksum. */
const SECTION = 8;
const MOST_CLASSES = 1 << 15;
/** With this many bits for the places or more, the bucket and the mark of a feature give it back. */
const FEWEST_BITS = 18;
/** More places than for the fewest bits are only needed for more features: so small a file takes no large table. */
const MOST_PLACES_EACH = 64;

/** A file that is not a model, or not a whole one, with the reason. */
export class ModelFileError extends Error {
  constructor(source: string, reason: string) {
    super(`${source}: ${reason}`);
    this.name = "ModelFileError";
  }
}

/** The bytes of the file of a model: the same for the same model. */
export function writeModel(model: PipelineModel | ParserModel | GraphModel): Uint8Array {
  check(
    "model",
    model,
    holding("a PipelineModel or a ParserModel", "createParser" in Object(model) ? "header" : "parser"),
  );
  const pipeline = "createParser" in model ? new PipelineModel({ parser: model }) : model;
  const headers: Record<string, unknown> = {};
  const sections: Uint8Array[] = [];
  const { network } = pipeline.parser;
  if (network?.encoder) {
    headers.encoder = network.encoder.header;
    sections.push(...encoderProgram().pack(network.encoder));
  }
  for (const name of PARTS) {
    const part = pipeline[name];
    if (!part) continue;
    headers[name] = part.header;
    if ("network" in part && part.network) {
      sections.push(...packNetwork(part.network));
      continue;
    }
    const entries = part.linear.entries();
    sections.push(
      packFeatures(entries),
      packClasses(entries, classCountOf(name, pipeline)),
      packWeights(entries.weights),
    );
    const probe = "probe" in part ? part.probe : undefined;
    if (!probe) continue;
    headers[name] = { ...part.header, probe: probe.header };
    sections.push(...packNumbers(probe.numbers));
  }
  sections.unshift(new TextEncoder().encode(JSON.stringify(headers)));
  const length = sections.reduce((sum, section) => sum + SECTION + section.length, PREAMBLE);
  const bytes = new Uint8Array(length);
  const view = new DataView(bytes.buffer);
  bytes.set(MAGIC);
  view.setUint32(8, versionOf(headers), true);
  view.setUint32(12, length, true);
  let at = PREAMBLE;
  for (const section of sections) {
    view.setUint32(at, section.length, true);
    view.setUint32(at + 4, crc32(section), true);
    bytes.set(section, at + SECTION);
    at += SECTION + section.length;
  }
  return bytes;
}

function versionOf({ parser, encoder }: Headers): number {
  if (isGraph(parser as object)) return GRAPH_VERSION;
  const { network, roles } = Object(parser) as ModelHeader;
  if (roles) return MODEL_FORMAT_VERSION;
  if (network?.normalization === "global") return GLOBAL_VERSION;
  if (encoder !== undefined) return ENCODER_VERSION;
  return network !== undefined ? NETWORK_VERSION : LINEAR_VERSION;
}

/** What each version has that those before it have not, for errors. */
const NEW_IN: Readonly<Record<number, string>> = {
  [NETWORK_VERSION]: "a network",
  [ENCODER_VERSION]: "an encoder",
  [GRAPH_VERSION]: "a graph-based parser",
  [GLOBAL_VERSION]: "a network that learned with a beam",
  [MODEL_FORMAT_VERSION]: "trees and roles together",
};

/**
 * What the model in the bytes of a file needs besides, as far as can be told from its beginning: the programs of
 * encoders and of graph-based parsers.
 */
export function needsOf(bytes: Uint8Array): { encoder: boolean; graph: boolean } {
  const version = bytes[0] === MAGIC[0] ? bytes[8] : undefined;
  const graph = version === GRAPH_VERSION;
  // That of an encoder is the first of the headers.
  const begin = String.fromCharCode(...bytes.subarray(PREAMBLE + SECTION, PREAMBLE + SECTION + 10));
  return { encoder: (version ?? 0) >= ENCODER_VERSION && begin === '{"encoder"', graph };
}

/** The model in the bytes of a file; `source` is its name for errors, which are ModelFileErrors. */
export function readModel(bytes: Uint8Array, source = "model"): PipelineModel {
  if (!ArrayBuffer.isView(bytes)) throw new TypeError(`invalid model: ${shown(bytes)} (expected a Uint8Array)`);
  check("name of the model", source, STRING);
  const fail = (reason: string): never => {
    throw new ModelFileError(source, reason);
  };
  const { version, next } = sectionReader(bytes, fail);
  const headers = readHeaders(next("header"), fail);
  const hasNetwork = (headers.parser as ModelHeader | null)?.network !== undefined;
  const hasEncoder = headers.encoder !== undefined;
  if (hasEncoder && !hasNetwork) fail("invalid header: an encoder without a network");
  const due = versionOf(headers);
  if (version !== due) {
    const isThere = due > version;
    fail(`altered: format version ${version} ${isThere ? "with" : "without"} ${NEW_IN[Math.max(due, version)]}`);
  }
  // That the program is missing is no fault of the file.
  if (isGraph(headers.parser as object)) graphProgram();
  const encoder = hasEncoder
    ? encoderProgram().unpack(
        headers.encoder as EncoderHeader,
        [next("encoder's vocabulary"), next("encoder's scales"), next("encoder's weights")],
        fail,
      )
    : undefined;
  const parts: Partial<PipelineParts> = {};
  for (const name of PARTS) {
    if (headers[name] === undefined) continue;
    if (name === "parser" && hasNetwork) {
      parts.parser = readNetwork(headers.parser, encoder, next, fail);
      continue;
    }
    const [features, classes, weights] = [
      next(`${name}'s features`),
      next(`${name}'s classes`),
      next(`${name}'s weights`),
    ];
    const make = partMaker(name, headers[name], fail);
    const entries = unpack(features, classes, weights, make.classCount, name, fail);
    const linear = LinearModel.build(entries) ?? fail(`invalid section of the ${name}'s features`);
    const { probe } = headers[name] as { probe?: ProbeHeader };
    let read: StoredProbe | undefined;
    if (probe !== undefined && encoder) read = encoderProgram().readProbe(name, probe, encoder, next, fail);
    else if (probe && name === "roles") {
      // How many numbers they have to be is checked by the program of roles, which comes later.
      const [scales, weights] = [next("probe's scales"), next("probe's weights")];
      const size = { floats: scales.length >> 2, integers: weights.length };
      read = {
        header: probe,
        numbers: unpackNumbers(size, scales, weights, () => fail("invalid section of the probe")),
      };
    }
    parts[name] = make.part(linear, read) as never;
  }
  next();
  try {
    return new PipelineModel(parts as PipelineParts);
  } catch (error) {
    return fail(`invalid header: ${(error as Error).message}`);
  }
}

/** The parser of a header with a network. */
function readNetwork(
  value: unknown,
  encoder: EncoderData | undefined,
  next: SectionReader,
  fail: Fail,
): PipelineModel["parser"] {
  const sections = [next("parser's keys"), next("parser's scales"), next("parser's weights")] as const;
  const header = checkParserHeader(value, fail);
  const network = header.network!;
  const view = checked(() => {
    checkNetwork(network);
    if (isGraph(header)) return graphProgram().viewOf();
    const { templates, system, labels } = header as ModelHeader;
    return networkView(parseTemplates(templates, "templates", describeSystem(system).context), labels.length);
  }, fail);
  const classes = checked(() => (isGraph(header) ? header.labels.length : parserClasses(header as ModelHeader)), fail);
  if (view.nodes.length === 0) fail("invalid header: templates: no node (expected .vector of at least one)");
  checkClassCount(classes, fail);
  const data = { ...unpackNetwork(network, view, classes, sections, fail), encoder };
  const weights = checked(() => new NeuralModel(data), fail);
  return isGraph(header)
    ? graphProgram().create(header as GraphHeader, weights)
    : parserModel(header as ModelHeader, weights);
}

/** What a function gives; what it throws is an error in the header. */
function checked<Result>(make: () => Result, fail: Fail): Result {
  try {
    return make();
  } catch (error) {
    if (error instanceof ModelFileError) throw error;
    return fail(`invalid header: ${(error as Error).message}`);
  }
}

function checkClassCount(count: number, fail: Fail): void {
  if (count > MOST_CLASSES) fail(`invalid header: ${count} classes (expected at most ${MOST_CLASSES})`);
}

function classCountOf(name: PartName, { tagger, lemmatizer, parser, roles }: PipelineModel): number {
  if (name === "roles") return roleClasses(roles!.header);
  if (name === "tagger") return tagger!.analyses.classes;
  if (name === "lemmatizer") return lemmatizer!.header.scripts.length;
  return name === "parser" ? parser.classCount : 1;
}

/** Check the header of a part: how many classes it has, and what makes the part once there are weights. */
function partMaker(
  name: PartName,
  header: unknown,
  fail: Fail,
): { classCount: number; part: (linear: LinearModel, probe?: StoredProbe) => unknown } {
  let classCount: number;
  let part: (linear: LinearModel, probe?: StoredProbe) => unknown;
  try {
    if (name === "segmenter") {
      const checked = checkSegmenterHeader(header);
      classCount = 1;
      part = (linear, probe) => new SegmenterModel(checked, linear, probe as EncoderProbe);
    } else if (name === "tagger") {
      const checked = checkTaggerHeader(header);
      classCount = new Analyses(checked).classes;
      part = (linear, probe) => new TaggerModel(checked, linear, probe as EncoderProbe);
    } else if (name === "lemmatizer") {
      const checked = checkLemmatizerHeader(header);
      classCount = checked.scripts.length;
      part = (linear) => new LemmatizerModel(checked, linear);
    } else if (name === "roles") {
      const checked = checkRolesHeader(header);
      classCount = roleClasses(checked);
      part = (linear, probe) => new RolesModel(checked, linear, probe as RolesModel["probe"]);
    } else if (isGraph(header as object)) {
      const checked = checkParserHeader(header, fail) as GraphHeader;
      classCount = checked.labels.length + 1;
      part = (linear) => graphProgram().create(checked, linear);
    } else {
      const checked = checkParserHeader(header, fail) as ModelHeader;
      parseTemplates(checked.templates, "templates", describeSystem(checked.system).context);
      classCount = parserClasses(checked);
      part = (linear) => parserModel(checked, linear);
    }
  } catch (error) {
    if (error instanceof ModelFileError) throw error;
    return fail(`invalid header: ${(error as Error).message}`);
  }
  checkClassCount(classCount, fail);
  return { classCount, part };
}

/** Gives the data of the sections, one after the other, their checksums checked; without a name it expects the end. */
type SectionReader = (name?: string) => Uint8Array;

function sectionReader(bytes: Uint8Array, fail: Fail): { version: number; next: SectionReader } {
  const known = Math.min(bytes.length, MAGIC.length);
  for (let i = 0; i < known; i++) {
    if (bytes[i] !== MAGIC[i]) fail("not a Stemma model: it does not begin like one");
  }
  if (bytes.length === 0) fail("not a Stemma model: it is empty");
  if (bytes.length < PREAMBLE) fail(`truncated: ${bytes.length} bytes (expected at least ${PREAMBLE})`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const version = view.getUint32(8, true);
  if (version === 0) fail("altered: format version 0");
  if (version < LINEAR_VERSION || version > MODEL_FORMAT_VERSION) {
    fail(`format version ${version}, but this program reads version ${MODEL_FORMAT_VERSION} (train the model again)`);
  }
  const length = view.getUint32(12, true);
  if (bytes.length < length) fail(`truncated: ${thousands(bytes.length)} of ${thousands(length)} bytes`);
  if (bytes.length > length) fail(`${thousands(bytes.length - length)} bytes after the end of the model`);
  let at = PREAMBLE;
  const next: SectionReader = (name) => {
    if (name === undefined) {
      if (at !== length) fail(`altered: ${thousands(length - at)} bytes after the last section`);
      return new Uint8Array();
    }
    if (at + SECTION > length) fail(`altered: the section of the ${name} is missing`);
    const size = view.getUint32(at, true);
    const start = at + SECTION;
    at = start + size;
    if (at > length) fail(`altered: the section of the ${name} does not fit in the file`);
    if (crc32(bytes, start, at) !== view.getUint32(start - 4, true)) {
      fail(`altered: the checksum of the ${name} does not match`);
    }
    return bytes.subarray(start, at);
  };
  return { version, next };
}

// toLocaleString would depend on the machine.
function thousands(value: number): string {
  return String(value).replace(/\B(?=(\d{3})+$)/g, ",");
}

type Headers = Partial<Record<PartName | "encoder", unknown>>;

function readHeaders(bytes: Uint8Array, fail: Fail): Headers {
  let headers: Headers;
  try {
    headers = JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch (error) {
    return fail(`invalid header: ${(error as Error).message}`);
  }
  if (typeof headers !== "object" || headers === null || Array.isArray(headers)) fail("invalid header: not an object");
  const known = ["encoder", ...PARTS];
  const unknown = Object.keys(headers).find((name) => !known.includes(name));
  if (unknown !== undefined) fail(`invalid header: ${shown(unknown)} (expected ${known.join(", ")})`);
  if (headers.parser === undefined) fail("invalid header: no parser");
  return headers;
}

function checkParserHeader(value: unknown, fail: Fail): ModelHeader | GraphHeader {
  const header = value as ModelHeader;
  if (typeof header !== "object" || header === null) fail("invalid header: parser: not an object");
  const check = (name: keyof ModelHeader | "joint", valid: boolean, expected: string) => {
    if (!valid) fail(`invalid header: ${name}: ${shown(Reflect.get(header, name))} (expected ${expected})`);
  };
  const { labels, origin } = header;
  check("labels", isList(labels, isLabel) && labels.length > 0, "distinct labels without white space");
  check("origin", typeof origin === "object" && origin !== null && !Array.isArray(origin), "an object");
  if (isGraph(header)) return checked(() => graphProgram().checkHeader(header), fail);
  const { system, root, singleRoot, templates, projectivized, logUnit, beam, confidence } = header;
  const joint = jointOf(header);
  check("system", systemNames().includes(system), `one of ${[...systemNames(), GRAPH].join(", ")}`);
  check("root", ROOT_POSITIONS.includes(root), `one of ${ROOT_POSITIONS.join(", ")}`);
  check("singleRoot", singleRoot === undefined || typeof singleRoot === "boolean", "true or false");
  checked(() => systemOf(header), fail);
  check("templates", typeof templates === "string", "text");
  for (const name of ["leftLabels", "rightLabels"] as const) {
    const isIndex = (label: unknown) =>
      Number.isInteger(label) && (label as number) >= 0 && (label as number) < labels.length;
    check(name, isList(header[name], isIndex), `distinct label numbers below ${labels.length}`);
  }
  check("projectivized", projectivized === undefined || SCHEMES.includes(projectivized), SCHEMES.join(", "));
  check("joint", joint === undefined || isJoint(joint), "tags, perWord and margin; parts and variants");
  check("logUnit", logUnit === undefined || (Number.isFinite(logUnit) && logUnit > 0), "a number above 0");
  check("beam", beam === undefined || (Number.isInteger(beam) && beam > 0), "a whole number above 0");
  check("confidence", confidence === undefined || isConfidence(confidence), "offset, low, high and temperature");
  return header;
}

function isJoint(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const { tags, perWord, margin, parts = 1, variants = 1 } = value as Record<string, unknown>;
  const isCount = (count: unknown) =>
    Number.isInteger(count) && (count as number) > 0 && (count as number) <= MOST_CLASSES;
  return [tags, perWord, parts, variants].every(isCount) && Number.isFinite(margin) && (margin as number) >= 0;
}

function isLabel(value: unknown): boolean {
  return typeof value === "string" && /^\S+$/.test(value);
}

function isList(list: unknown, valid: (value: unknown) => boolean): boolean {
  return Array.isArray(list) && list.every(valid) && new Set(list).size === list.length;
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

/**
 * How many places the table has, as a power of two, how many features there are, then the difference of each to the one
 * before (the first: to -1), less 1.
 */
function packFeatures({ bits, features }: Entries): Uint8Array {
  const out = new Packer();
  out.number(bits);
  out.number(features.length);
  let previous = -1;
  for (const feature of features) {
    out.number(feature - previous - 1);
    previous = feature;
  }
  return out.done();
}

/** For each feature how many classes, less 1, then the classes: a byte each, two if there are more than 256. */
function packClasses({ from, classes }: Entries, size: number): Uint8Array {
  const out = new Packer();
  for (let f = 0; f + 1 < from.length; f++) {
    out.number(from[f + 1]! - from[f]! - 1);
    for (let e = from[f]!; e < from[f + 1]!; e++) {
      out.byte(classes[e]! & 255);
      if (size > 256) out.byte(classes[e]! >>> 8);
    }
  }
  return out.done();
}

/** 0, 1, 2, 3, … for 1, -1, 2, -2, …: small weights take one byte. */
function packWeights(weights: Int16Array): Uint8Array {
  const out = new Packer();
  for (const weight of weights) out.number(weight > 0 ? 2 * weight - 2 : -2 * weight - 1);
  return out.done();
}

/** Checksums find accidents; this refuses what no writer writes, so that parsing never leaves the arrays. */
function unpack(
  featureBytes: Uint8Array,
  classBytes: Uint8Array,
  weightBytes: Uint8Array,
  size: number,
  part: string,
  fail: Fail,
): Entries {
  const bad = (name: string): never => fail(`invalid section of the ${part}'s ${name}`);
  const input = new Unpacker(featureBytes);
  const bits = input.number();
  const count = input.number();
  // Every feature takes a byte, and so does every class: no more is ever allocated than the file is long.
  if (!(count <= featureBytes.length)) bad("features");
  if (!(bits === FEWEST_BITS || (bits > FEWEST_BITS && 2 ** bits <= MOST_PLACES_EACH * count))) bad("features");
  const features = new Uint32Array(count);
  let previous = -1;
  for (let f = 0; f < count; f++) {
    previous += input.number() + 1;
    if (!(previous < 2 ** 32)) bad("features");
    features[f] = previous;
  }
  if (!input.atEnd) bad("features");

  const wide = size > 256;
  const from = new Uint32Array(count + 1);
  const classes = new Uint16Array(classBytes.length);
  const rows = new Unpacker(classBytes);
  let end = 0;
  for (let f = 0; f < count; f++) {
    const last = end + rows.number() + 1;
    if (!(last - end <= size)) bad("classes");
    let before = -1;
    while (end < last) {
      const low = classBytes[rows.at++]!;
      const cls = wide ? low | (classBytes[rows.at++]! << 8) : low;
      if (!(cls > before && cls < size)) bad("classes");
      classes[end++] = before = cls;
    }
    from[f + 1] = end;
  }
  if (!rows.atEnd) bad("classes");

  const weights = new Int16Array(end);
  const values = new Unpacker(weightBytes);
  for (let e = 0; e < end; e++) {
    const value = values.number();
    // 0xfffe would be 32768.
    if (!(value <= 0xffff && value !== 0xfffe)) bad("weights");
    weights[e] = value & 1 ? -((value + 1) >> 1) : (value >> 1) + 1;
  }
  if (!values.atEnd) bad("weights");
  return { bits, features, from, classes: classes.subarray(0, end), weights };
}
