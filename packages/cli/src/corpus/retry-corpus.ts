import { join } from "node:path";
import { readPlan } from "./check-corpus.js";
import { MANIFESTS, PLAN_FILE } from "./manifest.js";

/** Options of `stemma parse` as the plan of a corpus keeps them. */
const FLAGS = { scores: "--scores", offsets: "--offsets", retag: "--retag", keep: "--keep", fluent: "--fluent" };
const VALUES = { kBest: "--k-best", beam: "--beam", merge: "--merge", errorField: "--error-field" };

/** The arguments of `stemma parse` that make what is missing in a corpus; which model, only its hash is known of. */
export async function retryArguments(folder: string): Promise<string[]> {
  const { inputs, to, ending, partSize, options } = await readPlan(join(folder, MANIFESTS, PLAN_FILE));
  const args = ["--output-dir", folder, "--resume", "--to", to, "--part-size", String(partSize)];
  for (const [name, flag] of Object.entries(FLAGS)) if (options[name] === true) args.push(flag);
  for (const [name, flag] of Object.entries(VALUES)) {
    if (options[name] !== undefined) args.push(flag, String(options[name]));
  }
  const { text, id, needsId } = (options.fields ?? {}) as { text?: string; id?: string; needsId?: boolean };
  if (text !== undefined) args.push("--text-field", text);
  if (needsId && id !== undefined) args.push("--id-field", id);
  if (ending.endsWith(".gz")) args.push("--gzip");
  const formats = new Set(inputs.map(({ format }) => format));
  // Formats that differ were found out by looking, and are again.
  if (formats.size === 1) args.push("--from", [...formats][0]!);
  return [...args, "--", ...inputs.map(({ file }) => file)];
}
