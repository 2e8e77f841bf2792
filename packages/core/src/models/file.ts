// The model file (docs/model-file.md): magic bytes, version, length, then four sections, each with its length and checksum.

import { parseTemplates } from "../features/templates.js";
import { ROOT_POSITIONS } from "../systems/configuration.js";
import { createSystem, SYSTEM_NAMES } from "../systems/index.js";
import { SCHEMES } from "../treebank/pseudo-projective.js";
import { Classes } from "./classes.js";
import { isConfidence } from "./confidence.js";
import { crc32 } from "./crc32.js";
import type { Entries } from "./entries.js";
import { LinearModel } from "./linear.js";
import { type ModelHeader, ParserModel } from "./parser-model.js";

/** The version of the format that is written, and the newest that is read. */
export const MODEL_FORMAT_VERSION = 1;

/** A byte that is not ASCII, a name, and line ends that a transfer as text would change (as in PNG). */
const MAGIC = [0x89, 0x53, 0x54, 0x45, 0x4d, 0x0d, 0x0a, 0x1a];
const PREAMBLE = 16;
/** Before a section: its length and its checksum. */
const SECTION = 8;
const SECTIONS = ["header", "features", "classes", "weights"] as const;
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
export function writeModel(model: ParserModel): Uint8Array {
  const entries = model.linear.entries();
  const sections = [
    new TextEncoder().encode(JSON.stringify(model.header)),
    packFeatures(entries),
    packClasses(entries, model.classes.size),
    packWeights(entries.weights),
  ];
  const length = sections.reduce((sum, section) => sum + SECTION + section.length, PREAMBLE);
  const bytes = new Uint8Array(length);
  const view = new DataView(bytes.buffer);
  bytes.set(MAGIC);
  view.setUint32(8, MODEL_FORMAT_VERSION, true);
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

/** The model in the bytes of a file; `source` is its name for errors, which are ModelFileErrors. */
export function readModel(bytes: Uint8Array, source = "model"): ParserModel {
  const fail = (reason: string): never => {
    throw new ModelFileError(source, reason);
  };
  const [headerBytes, features, classes, weights] = readSections(bytes, fail);
  const header = readHeader(headerBytes!, fail);
  let size: number;
  try {
    const { system, root, degree, lazy, labels, leftLabels, rightLabels, templates } = header;
    const options = { root, ...(degree === undefined ? {} : { degree }), ...(lazy === undefined ? {} : { lazy }) };
    size = new Classes(createSystem(system, options), labels.length, leftLabels, rightLabels).size;
    parseTemplates(templates, "templates", system === "lr-spines");
  } catch (error) {
    return fail(`invalid header: ${(error as Error).message}`);
  }
  if (size > MOST_CLASSES) fail(`invalid header: ${size} classes (expected at most ${MOST_CLASSES})`);
  const linear = LinearModel.build(unpack(features!, classes!, weights!, size, fail));
  return new ParserModel(header, linear ?? fail("invalid section of the features"));
}

type Fail = (reason: string) => never;

function readSections(bytes: Uint8Array, fail: Fail): Uint8Array[] {
  const known = Math.min(bytes.length, MAGIC.length);
  for (let i = 0; i < known; i++) {
    if (bytes[i] !== MAGIC[i]) fail("not a Stemma model: it does not begin like one");
  }
  if (bytes.length === 0) fail("not a Stemma model: it is empty");
  if (bytes.length < PREAMBLE) fail(`truncated: ${bytes.length} bytes (expected at least ${PREAMBLE})`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const version = view.getUint32(8, true);
  if (version === 0) fail("altered: format version 0");
  if (version > MODEL_FORMAT_VERSION) {
    fail(`format version ${version}, this program reads up to ${MODEL_FORMAT_VERSION}`);
  }
  const length = view.getUint32(12, true);
  if (bytes.length < length) fail(`truncated: ${thousands(bytes.length)} of ${thousands(length)} bytes`);
  if (bytes.length > length) fail(`${thousands(bytes.length - length)} bytes after the end of the model`);
  let at = PREAMBLE;
  const sections = SECTIONS.map((name) => {
    if (at + SECTION > length) fail(`altered: the section of the ${name} is missing`);
    const size = view.getUint32(at, true);
    const start = at + SECTION;
    at = start + size;
    if (at > length) fail(`altered: the section of the ${name} does not fit in the file`);
    if (crc32(bytes, start, at) !== view.getUint32(start - 4, true)) {
      fail(`altered: the checksum of the ${name} does not match`);
    }
    return bytes.subarray(start, at);
  });
  if (at !== length) fail(`altered: ${thousands(length - at)} bytes after the last section`);
  return sections;
}

// toLocaleString would depend on the machine.
function thousands(value: number): string {
  return String(value).replace(/\B(?=(\d{3})+$)/g, ",");
}

function readHeader(bytes: Uint8Array, fail: Fail): ModelHeader {
  let header: ModelHeader;
  try {
    header = JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes)) as ModelHeader;
  } catch (error) {
    return fail(`invalid header: ${(error as Error).message}`);
  }
  if (typeof header !== "object" || header === null) fail("invalid header: not an object");
  const check = (name: keyof ModelHeader, valid: boolean, expected: string) => {
    if (!valid) fail(`invalid header: ${name}: ${shown(header[name])} (expected ${expected})`);
  };
  const { system, root, degree, lazy, templates, labels, projectivized, confidence, origin } = header;
  check("system", SYSTEM_NAMES.includes(system as never), `one of ${SYSTEM_NAMES.join(", ")}`);
  check("root", ROOT_POSITIONS.includes(root), `one of ${ROOT_POSITIONS.join(", ")}`);
  check("degree", degree === undefined || degree === 2 || degree === 3, "2 or 3");
  check("lazy", lazy === undefined || typeof lazy === "boolean", "true or false");
  check("templates", typeof templates === "string", "text");
  check("labels", isList(labels, isLabel) && labels.length > 0, "labels, each once, without white space");
  for (const name of ["leftLabels", "rightLabels"] as const) {
    const isIndex = (label: unknown) =>
      Number.isInteger(label) && (label as number) >= 0 && (label as number) < labels.length;
    check(name, isList(header[name], isIndex), `numbers of labels, each once, below ${labels.length}`);
  }
  check("projectivized", projectivized === undefined || SCHEMES.includes(projectivized), SCHEMES.join(", "));
  check("confidence", confidence === undefined || isConfidence(confidence), "offset, slope and scale");
  check("origin", typeof origin === "object" && origin !== null && !Array.isArray(origin), "an object");
  return header;
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

// A number of 7 bits a byte, the lowest first; the high bit says that more follow (LEB128).
class Packer {
  private bytes = new Uint8Array(1 << 16);
  private end = 0;

  byte(value: number): void {
    if (this.end === this.bytes.length) {
      const wider = new Uint8Array(2 * this.end);
      wider.set(this.bytes);
      this.bytes = wider;
    }
    this.bytes[this.end++] = value;
  }

  number(value: number): void {
    for (; value > 127; value = Math.floor(value / 128)) this.byte((value & 127) | 128);
    this.byte(value);
  }

  done(): Uint8Array {
    return this.bytes.subarray(0, this.end);
  }
}

/** How many places the table has, as a power of two, how many features there are, then the difference of each to the one before (the first: to -1), less 1. */
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

/** Takes numbers out of a section. Beyond its end every byte is 0 and `at` runs on, which the caller checks at the end. */
class Unpacker {
  at = 0;

  constructor(private readonly bytes: Uint8Array) {}

  number(): number {
    const { bytes } = this;
    let byte = bytes[this.at++]!;
    if (byte < 128) return byte;
    let value = byte & 127;
    for (let factor = 128; factor < 2 ** 35; factor *= 128) {
      byte = bytes[this.at++]!;
      value += (byte & 127) * factor;
      if (!(byte > 127)) return value;
    }
    return Number.NaN;
  }

  get atEnd(): boolean {
    return this.at === this.bytes.length;
  }
}

/** Checksums find accidents; this refuses what no writer writes, so that parsing never leaves the arrays. */
function unpack(
  featureBytes: Uint8Array,
  classBytes: Uint8Array,
  weightBytes: Uint8Array,
  size: number,
  fail: Fail,
): Entries {
  const bad = (name: string): never => fail(`invalid section of the ${name}`);
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
