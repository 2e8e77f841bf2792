// Proves that a corpus in a directory is whole: every part once, undamaged, from the inputs that are there, and every
// byte of these in one part.
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { FileError, fileError } from "../files/io.js";
import type { ParseCounts } from "../parsing/parse-run.js";
import { hashFile, MANIFESTS, type Manifest, mismatch, PLAN_FILE, readManifest } from "./manifest.js";
import { type Part, type Plan, partName, partsOf, planHash } from "./plan.js";

/** The findings of a check. */
export interface CorpusReport extends ParseCounts {
  complete: boolean;
  parts: number;
  /** Parts that are there and right. */
  done: number;
  problems: string[];
  /** Files that killed processes have left, which do no harm. */
  leftovers: string[];
}

export interface CheckOptions {
  /** Compare the inputs too. */
  inputs: boolean;
  onPart?: (done: number, parts: number) => void;
}

/** Checks a directory that `stemma parse --output-dir` has written. */
export async function checkCorpus(folder: string, { inputs, onPart }: CheckOptions): Promise<CorpusReport> {
  const plan = await readPlan(join(folder, MANIFESTS, PLAN_FILE));
  const parts = partsOf(plan);
  const hash = planHash(plan);
  const problems: string[] = [];
  const counts = { documents: 0, sentences: 0, words: 0, skippedDocuments: 0, skippedSentences: 0 };
  const places = new Map<string, number>();
  let done = 0;
  for (const part of parts) {
    const found = await checkPart(folder, plan, hash, part, parts.length, places, inputs);
    if ("problem" in found) problems.push(`${partName(part.number, parts.length)}: ${found.problem}`);
    else {
      done++;
      for (const name of Object.keys(counts) as (keyof ParseCounts)[]) counts[name] += found.manifest[name];
    }
    onPart?.(part.number + 1, parts.length);
  }
  if (inputs) problems.push(...(await changedInputs(plan)));
  const names = parts.map(({ number }) => partName(number, parts.length));
  const manifests = new Set([PLAN_FILE, ...names.map((name) => `${name}.json`)]);
  const outputs = new Set([MANIFESTS, ...names.map((name) => name + plan.ending)]);
  const leftovers: string[] = [];
  for (const name of await readdir(join(folder, MANIFESTS))) {
    if (name.endsWith(".tmp")) leftovers.push(join(MANIFESTS, name));
    else if (!manifests.has(name)) problems.push(`${join(MANIFESTS, name)}: is of no part of this corpus`);
  }
  for (const name of await readdir(folder)) {
    if (!outputs.has(name)) problems.push(`${name}: is no part of this corpus`);
  }
  return { complete: problems.length === 0, parts: parts.length, done, ...counts, problems, leftovers };
}

/** The plan of a corpus. */
export async function readPlan(path: string): Promise<Plan> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    throw fileError("read", path, error, " (expected a directory that stemma parse --output-dir has written)");
  }
  try {
    const plan = JSON.parse(text) as Plan;
    if (plan.version === 1 && Array.isArray(plan.inputs) && plan.partSize > 0) return plan;
  } catch {
    // Said below.
  }
  throw new FileError(`${path}: is damaged, or of another version (expected the plan of a corpus)`);
}

async function checkPart(
  folder: string,
  plan: Plan,
  hash: string,
  part: Part,
  count: number,
  places: Map<string, number>,
  withInputs: boolean,
): Promise<{ manifest: Manifest } | { problem: string }> {
  const name = partName(part.number, count);
  const manifest = await readManifest(join(folder, MANIFESTS, `${name}.json`));
  const wrong =
    manifest === undefined
      ? "is missing: there is no manifest"
      : manifest instanceof Error
        ? `its manifest is ${manifest.message}`
        : mismatch(manifest, plan, hash, part, count);
  if (wrong !== undefined) {
    // Of where the next part should begin nothing is known.
    for (const { input } of part.segments) places.set(input.file, Number.NaN);
    return { problem: wrong };
  }
  const known = manifest as Manifest;
  const misplaced = gap(known, part, places);
  if (misplaced !== undefined) return { problem: misplaced };
  const file = join(folder, name + plan.ending);
  const found = await hashFile(file).catch((error: Error) => error);
  if (found instanceof Error) return { problem: found.message };
  const { bytes, sha256 } = known.output;
  if (found.bytes !== bytes) return { problem: `is damaged: it has ${found.bytes} bytes (expected ${bytes})` };
  if (found.sha256 !== sha256) return { problem: `is damaged: its SHA-256 is ${found.sha256} (expected ${sha256})` };
  if (withInputs) {
    for (const { file, start, end, sha256 } of known.input) {
      const now = await hashFile(file, { start, end }).catch((error: Error) => error);
      if (now instanceof Error) return { problem: now.message };
      if (now.sha256 !== sha256)
        return { problem: `was made of another ${file}: bytes ${start} to ${end} have changed` };
    }
  }
  return { manifest: known };
}

/** Whether bytes of the inputs are in no part, or in two. */
function gap({ input }: Manifest, part: Part, places: Map<string, number>): string | undefined {
  if (input.length !== part.segments.length) return `has ${input.length} inputs (expected ${part.segments.length})`;
  for (const [k, { file, start, end, size }] of input.entries()) {
    const segment = part.segments[k]!;
    if (file !== segment.input.file || size !== segment.input.size)
      return `is made of ${file} (expected ${segment.input.file})`;
    const before = places.get(file) ?? 0;
    places.set(file, end);
    if (before !== start && !Number.isNaN(before)) {
      return `begins at byte ${start} of ${file} (expected ${before}, where the part before ends)`;
    }
    if (segment.end === size && end !== size) return `ends at byte ${end} of ${file} (expected its end, ${size})`;
  }
  return undefined;
}

async function changedInputs(plan: Plan): Promise<string[]> {
  const problems: string[] = [];
  for (const { file, size } of plan.inputs) {
    const info = await stat(file).catch(() => undefined);
    if (!info?.isFile()) problems.push(`${file}: the input is not there any more (--no-inputs checks without)`);
    else if (info.size !== size) problems.push(`${file}: the input has ${info.size} bytes (expected ${size})`);
  }
  return problems;
}
