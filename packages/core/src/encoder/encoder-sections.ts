import { checkRoleProbe, type RoleProbeHeader, roleProbeStorage } from "../roles/role-probe.js";
import { packNumbers, unpackNumbers } from "../scoring/network/quantization.js";
import type { EncoderData, EncoderHeader } from "./encoder-data.js";
import { checkEncoder, encoderStorage } from "./encoder-shape.js";
import { checkProbe, type EncoderProbe, type ProbeHeader, probeStorage } from "./probe-data.js";

/**
 * The sections of an encoder in a model file. Vocabulary: the pieces in UTF-8, a line each. Scales and weights: as of a
 * network.
 */
export function packEncoder({ vocabulary, numbers }: EncoderData): Uint8Array[] {
  return [new TextEncoder().encode(vocabulary.join("\n")), ...packNumbers(numbers)];
}

/** The encoder in its sections; refuses what no writer writes. No more is ever allocated than the file is long. */
export function unpackEncoder(
  header: EncoderHeader,
  [pieces, scales, weights]: readonly [Uint8Array, Uint8Array, Uint8Array],
  fail: (reason: string) => never,
): EncoderData {
  const bad = (name: string): never => fail(`invalid section of the encoder's ${name}`);
  let vocabulary: string[] = [];
  try {
    vocabulary = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(pieces).split("\n");
  } catch {
    bad("vocabulary");
  }
  try {
    checkEncoder(header, vocabulary.length);
  } catch (error) {
    fail(`invalid header: ${(error as Error).message}`);
  }
  const numbers = unpackNumbers(encoderStorage(header, vocabulary.length), scales, weights, bad);
  return { header, vocabulary, numbers };
}

/** Of parts that may have a probe: how many words it is told of at a time. */
const PROBED_WORDS: Partial<Record<string, number>> = { segmenter: 2, tagger: 1, roles: 1 };

/** The probe of a part of a pipeline, from the sections that come next. */
export function readProbe(
  part: string,
  header: ProbeHeader,
  encoder: EncoderData,
  next: (section: string) => Uint8Array,
  fail: (reason: string) => never,
): EncoderProbe {
  try {
    checkProbe(`${part}.probe`, header, (PROBED_WORDS[part] ?? 0) * encoder.header.size);
    if (part === "roles") checkRoleProbe("roles.probe", header as RoleProbeHeader);
  } catch (error) {
    fail(`invalid header: ${(error as Error).message}`);
  }
  const probe = `${part}${part.endsWith("s") ? "'" : "'s"} probe`;
  const [scales, weights] = [next(`scales of the ${probe}`), next(`weights of the ${probe}`)];
  const bad = (section: string): never => fail(`invalid section of the ${section} of the ${probe}`);
  const storage = part === "roles" ? roleProbeStorage(header as RoleProbeHeader) : probeStorage(header);
  return { header, numbers: unpackNumbers(storage, scales, weights, bad), encoder };
}
