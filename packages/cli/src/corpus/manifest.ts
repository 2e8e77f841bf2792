// The record beside each part: where it came from, what is in it, and how to know it again.
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readFile } from "node:fs/promises";
import { fileError } from "../files/io.js";
import type { ParseCounts } from "../parsing/parse-run.js";
import type { Part, Plan } from "./plan.js";

/** The folder of plan, manifests and unfinished parts: programs that read a directory of parts pass it over. */
export const MANIFESTS = "_manifests";
export const PLAN_FILE = "plan.json";

/** Where a part, or some of it, came from. */
export interface ManifestInput {
  file: string;
  /** Bytes of the file from here to before there, and their checksum. */
  start: number;
  end: number;
  size: number;
  sha256: string;
}

/** Written when the part is on the disk; the same for the same part, whoever makes it. */
export interface Manifest extends ParseCounts {
  version: 1;
  part: number;
  parts: number;
  /** SHA-256 of the plan. */
  plan: string;
  stemma: string;
  model: string;
  options: Record<string, unknown>;
  input: ManifestInput[];
  output: { file: string; bytes: number; sha256: string };
  /** Every document and sentence that was skipped. */
  problems: Problem[];
}

/** A document or sentence that was skipped. */
export interface Problem {
  /** The part that was wrong: "JSON", "HEAD". */
  kind: string;
  message: string;
}

export function manifestText(manifest: Manifest): string {
  return `${JSON.stringify(manifest, undefined, 1)}\n`;
}

/** The manifest in a file; undefined if there is none, an Error if it cannot be understood. */
export async function readManifest(path: string): Promise<Manifest | undefined | Error> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT" ? undefined : fileError("read", path, error);
  }
  try {
    const manifest = JSON.parse(text) as Manifest;
    if (manifest?.version === 1 && Array.isArray(manifest.input) && typeof manifest.output?.sha256 === "string") {
      return manifest;
    }
  } catch {
    // Said below.
  }
  return new Error("damaged: no manifest of this version");
}

/** The difference between a manifest and the expected one, in words; undefined if there is none. */
export function mismatch(manifest: Manifest, plan: Plan, hash: string, part: Part, count: number): string | undefined {
  if (manifest.model !== plan.model) return `is of another model: ${manifest.model} (expected ${plan.model})`;
  if (manifest.stemma !== plan.stemma) return `is of another version: ${manifest.stemma} (expected ${plan.stemma})`;
  if (JSON.stringify(manifest.options) !== JSON.stringify(plan.options)) return "was made with other options";
  if (manifest.part !== part.number || manifest.parts !== count) {
    return `is part ${manifest.part} of ${manifest.parts} (expected ${part.number} of ${count})`;
  }
  return manifest.plan === hash ? undefined : "is of another corpus: its plan is a different one";
}

/** SHA-256 of a file, or of a range of it, with the number of bytes. */
export async function hashFile(
  path: string,
  range: { start: number; end: number } = { start: 0, end: Number.POSITIVE_INFINITY },
): Promise<{ sha256: string; bytes: number }> {
  const hash = createHash("sha256");
  let bytes = 0;
  if (range.end > range.start) {
    try {
      const { start, end } = range;
      for await (const chunk of createReadStream(path, { start, end: end - 1, highWaterMark: 1 << 20 })) {
        hash.update(chunk);
        bytes += chunk.length;
      }
    } catch (error) {
      throw fileError("read", path, error);
    }
  }
  return { sha256: hash.digest("hex"), bytes };
}
