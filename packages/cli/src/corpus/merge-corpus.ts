// All parts of a corpus in one file.
import { join } from "node:path";
import { writeDocuments } from "../documents/annotated.js";
import { type DocumentSentence, readDocumentSentences } from "../documents/read-documents.js";
import { FileError, readBytes } from "../files/io.js";
import { type Output, openOutput } from "../files/output.js";
import { readPlan } from "./check-corpus.js";
import { hashFile, MANIFESTS, type Manifest, mismatch, PLAN_FILE, readManifest } from "./manifest.js";
import { partName, partsOf, planHash } from "./plan.js";

interface WholePart {
  path: string;
  sha256: string;
}

/**
 * Writes the parts of a corpus in their order to one file, which appears when every one of them was found as its
 * manifest says. Lines are copied; rows of tables are put together anew, so that the file is that of one run.
 */
export async function mergeCorpus(
  folder: string,
  output: string | undefined,
  onPart: (done: number, parts: number) => void,
): Promise<void> {
  const plan = await readPlan(join(folder, MANIFESTS, PLAN_FILE));
  const [parts, hash] = [partsOf(plan), planHash(plan)];
  const whole: WholePart[] = [];
  for (const part of parts) {
    const name = partName(part.number, parts.length);
    const manifest = await readManifest(join(folder, MANIFESTS, `${name}.json`));
    const wrong =
      manifest === undefined
        ? "is missing"
        : manifest instanceof Error
          ? `its manifest is ${manifest.message}`
          : mismatch(manifest, plan, hash, part, parts.length);
    const path = join(folder, name + plan.ending);
    if (wrong !== undefined) throw incomplete(path, wrong);
    whole.push({ path, sha256: (manifest as Manifest).output.sha256 });
  }
  const paths = whole.map(({ path }) => path);
  const out = await openOutput(output, paths);
  try {
    if (plan.to === "parquet") await writeDocuments(rows(whole, onPart), true, "parquet", out);
    else
      for (const [k, part] of whole.entries()) {
        await copy(part, out);
        onPart(k + 1, whole.length);
      }
  } catch (error) {
    await out.abort();
    throw error;
  }
  await out.close();
}

/** Unpacked, if it is packed: the name of the output says whether that is. */
async function copy(part: WholePart, out: Output): Promise<void> {
  await checkWhole(part);
  for await (const chunk of readBytes(part.path)) await out.write(chunk);
}

async function* rows(
  parts: readonly WholePart[],
  onPart: (done: number, parts: number) => void,
): AsyncGenerator<DocumentSentence> {
  for (const [k, part] of parts.entries()) {
    await checkWhole(part);
    yield* readDocumentSentences(part.path, "parquet", { strict: true, allowNonTrees: true });
    onPart(k + 1, parts.length);
  }
}

async function checkWhole({ path, sha256 }: WholePart): Promise<void> {
  if ((await hashFile(path)).sha256 !== sha256) throw incomplete(path, "is damaged");
}

function incomplete(path: string, wrong: string): FileError {
  return new FileError(`${path}: ${wrong} (expected a complete corpus: stemma parse --resume makes what is missing)`);
}
