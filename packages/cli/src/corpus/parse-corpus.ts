// `stemma parse --output-dir`: a corpus, or a share of it, part by part.
import { createHash, type Hash } from "node:crypto";
import { existsSync, readdirSync } from "node:fs";
import { constants, copyFile, link, mkdir, readdir, readFile, rm, stat } from "node:fs/promises";
import { hostname } from "node:os";
import { basename, join } from "node:path";
import type { PipelineModel } from "@stemma/core";
import type { DocumentFields } from "@stemma/server/annotation";
import type { Input } from "../documents/inputs.js";
import { FileError, fileError, ReadReport } from "../files/io.js";
import { modelFile } from "../files/model.js";
import { openPart, writeBytes } from "../files/output.js";
import { VERSION } from "../files/version.js";
import { type ParseCounts, ParseRun, type ParseRunOptions } from "../parsing/parse-run.js";
import type { OutputFormat } from "../parsing/text-writer.js";
import { note, warn } from "../terminal/messages.js";
import { ParseProgress } from "../terminal/parse-progress.js";
import type { ParserPool } from "../workers/pool.js";
import { atCuts, weigh } from "./cuts.js";
import {
  hashFile,
  MANIFESTS,
  type Manifest,
  manifestText,
  mismatch,
  PLAN_FILE,
  type Problem,
  readManifest,
} from "./manifest.js";
import {
  inputOf,
  type Part,
  type Plan,
  type PlannedInput,
  partName,
  partsOf,
  planHash,
  planText,
  shardOf,
  usualPartSize,
} from "./plan.js";
import type { Shard } from "./shard-option.js";

export interface CorpusOptions extends Omit<ParseRunOptions, "terminal" | "onProblem" | "onRead" | "corpus"> {
  outputDir: string;
  /** The models, of which the one that ships is undefined, and how much each counts. */
  models: readonly (string | undefined)[];
  weights?: readonly number[] | undefined;
  shard?: Shard | undefined;
  partSize?: number | undefined;
  resume?: boolean | undefined;
  gzip?: boolean | undefined;
  beam: number;
  merge: string | undefined;
  fields: DocumentFields;
}

/** Parses what is asked for of a corpus, and says how it went. */
export async function parseCorpus(
  inputs: readonly Input[],
  model: PipelineModel,
  openPool: () => ParserPool,
  options: CorpusOptions,
): Promise<void> {
  const plan = await makePlan(inputs, options);
  await keepPlan(plan, options.outputDir);
  const all = partsOf(plan);
  const own = options.shard ? shardOf(all, options.shard) : all;
  const pool = openPool();
  try {
    await new CorpusRun(plan, all.length, model, pool, options).parse(own);
  } finally {
    await pool.close();
  }
}

async function makePlan(inputs: readonly Input[], options: CorpusOptions): Promise<Plan> {
  const planned: PlannedInput[] = [];
  const seen = new Set<string>();
  for (const { path = "-", format, text } of inputs) {
    const info = text === undefined && path !== "-" ? await stat(path) : undefined;
    if (!info?.isFile() || format === undefined || format === "parquet") {
      const what = text === undefined ? (path === "-" ? "<stdin>" : path) : JSON.stringify(text);
      throw new FileError(
        `${what}: cannot be parsed into --output-dir (expected files of text, documents or sentences)`,
      );
    }
    if (seen.has(path)) throw new FileError(`${path}: is given twice (expected every file of a corpus once)`);
    seen.add(path);
    planned.push({ file: path, size: info.size, format, ...(await weigh(path, info.size)) });
  }
  const to = options.to ?? usualTarget(planned);
  const { scores, offsets, retag, keep, fluent, kBest, beam, merge, fields, errorField } = options;
  const hasDocuments = planned.some(({ format }) => format === "jsonl");
  return {
    version: 1,
    stemma: VERSION,
    model: await hashOfModels(options),
    to,
    ending: `.${to}${options.gzip ? ".gz" : ""}`,
    options: {
      ...{ to, scores, offsets, retag, keep, fluent, kBest, beam, merge },
      ...(hasDocuments ? { fields, errorField } : {}),
    },
    partSize: options.partSize ?? usualPartSize(planned),
    inputs: planned,
  };
}

/** The hash of the model, or of the hashes of several and their weights. */
async function hashOfModels({ models, weights = models.map(() => 1) }: CorpusOptions): Promise<string> {
  const hashes: string[] = [];
  for (const model of models) hashes.push((await hashFile(modelFile(model))).sha256);
  if (hashes.length === 1) return hashes[0]!;
  return createHash("sha256")
    .update(JSON.stringify([hashes, weights]))
    .digest("hex");
}

function usualTarget(inputs: readonly PlannedInput[]): OutputFormat {
  const documents = inputs.filter(({ format }) => format === "jsonl").length;
  if (documents > 0 && documents < inputs.length) {
    throw new FileError(
      "documents and other files cannot be told what to become (expected --to jsonl, conllu or parquet)",
    );
  }
  return documents > 0 ? "jsonl" : "conllu";
}

/** Writes the plan into the directory, or compares it with the one that another shard has written. */
async function keepPlan(plan: Plan, folder: string): Promise<void> {
  const path = join(folder, MANIFESTS, PLAN_FILE);
  const text = planText(plan);
  const draft = path + ownEnding();
  try {
    await mkdir(join(folder, MANIFESTS), { recursive: true });
    await writeBytes(draft, Buffer.from(text), draft);
    // Whole from the moment that it has its name, and the first one stays.
    await link(draft, path).catch(async (error: NodeJS.ErrnoException) => {
      // Not every file system has links.
      if (error.code !== "EEXIST") await copyFile(draft, path, constants.COPYFILE_EXCL).catch(ignoreExisting);
    });
  } catch (error) {
    throw error instanceof FileError ? error : fileError("write", path, error);
  } finally {
    await rm(draft, { force: true });
  }
  const there = await readFile(path, "utf8").catch((error) => {
    throw fileError("read", path, error);
  });
  if (there !== text)
    throw new FileError(`${path}: ${difference(there, plan)} (expected the same, or another --output-dir)`);
}

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== "EEXIST") throw error;
}

function difference(text: string, plan: Plan): string {
  let other: Plan;
  try {
    other = JSON.parse(text) as Plan;
  } catch {
    return "is damaged";
  }
  for (const [name, what] of Object.entries({ model: "model", stemma: "version of stemma", partSize: "--part-size" })) {
    const [before, now] = [other[name as "model"], plan[name as "model"]];
    if (before !== now) return `is of another ${what}: ${before}, not ${now}`;
  }
  if (JSON.stringify(other.options) !== JSON.stringify(plan.options) || other.ending !== plan.ending) {
    return `is of other options: ${JSON.stringify(other.options)}, not ${JSON.stringify(plan.options)}`;
  }
  const files = new Map(other.inputs?.map((input) => [input.file, input]));
  for (const input of plan.inputs) {
    const before = files.get(input.file);
    if (!before) return `is of other inputs, without ${input.file}`;
    if (before.size !== input.size) return `is of another ${input.file}, with ${before.size} bytes, not ${input.size}`;
  }
  return "is of other inputs";
}

/** The parts of a shard, one after the other. */
class CorpusRun {
  private readonly hash: string;
  private readonly report = new ReadReport();
  private failed = 0;

  constructor(
    private readonly plan: Plan,
    private readonly count: number,
    private readonly model: PipelineModel,
    private readonly pool: ParserPool,
    private readonly options: CorpusOptions,
  ) {
    this.hash = planHash(plan);
  }

  async parse(parts: readonly Part[]): Promise<void> {
    await this.removeLeftovers(parts);
    const todo: Part[] = [];
    for (const part of parts) {
      const done = this.options.resume ? await this.finished(part) : undefined;
      if (done) this.add(done);
      else todo.push(part);
    }
    const bytes = todo.flatMap(({ segments }) => segments).reduce((sum, { start, end }) => sum + end - start, 0);
    const progress = new ParseProgress(true, bytes);
    for (const part of todo) {
      try {
        this.add(await this.parsePart(part, progress));
      } catch (error) {
        // A file that cannot be read costs its own part; a disk that cannot be written costs all.
        if (!(error instanceof FileError) || error.action === "write") throw error;
        this.failed++;
        warn(`${error.message}: ${partName(part.number, this.count)} is not there`);
      }
    }
    progress.finish();
    const done = parts.length - this.failed;
    const before = parts.length - todo.length;
    note(`${done} of ${parts.length} parts done${before > 0 ? `, ${before} of them before` : ""}`);
    this.report.finish();
    if (this.failed > 0) process.exitCode = 2;
  }

  private add(counts: ParseCounts): void {
    this.report.read += counts.sentences;
    this.report.documents += counts.documents;
    this.report.skipped += counts.skippedSentences;
    this.report.skippedDocuments += counts.skippedDocuments;
  }

  private pathOf(part: Part): string {
    return join(this.options.outputDir, partName(part.number, this.count) + this.plan.ending);
  }

  private manifestOf(part: Part): string {
    return join(this.options.outputDir, MANIFESTS, `${partName(part.number, this.count)}.json`);
  }

  /** The manifest of a part that is there, undamaged, and made of inputs that are still the same. */
  private async finished(part: Part): Promise<Manifest | undefined> {
    const manifest = await readManifest(this.manifestOf(part));
    if (manifest === undefined || manifest instanceof Error) return undefined;
    if (mismatch(manifest, this.plan, this.hash, part, this.count) !== undefined) return undefined;
    const found = await hashFile(this.pathOf(part)).catch(() => undefined);
    if (found?.sha256 !== manifest.output.sha256) return undefined;
    for (const { file, start, end, sha256 } of manifest.input) {
      if ((await hashFile(file, { start, end })).sha256 !== sha256) return undefined;
    }
    return manifest;
  }

  private async parsePart(part: Part, progress: ParseProgress): Promise<Manifest> {
    const { plan, model, pool, options } = this;
    const path = this.pathOf(part);
    const segments = await Promise.all(part.segments.map(atCuts));
    const inputs = segments.map(inputOf);
    const hashes = new Map<Input, Hash>(inputs.map((input) => [input, createHash("sha256")]));
    const output = createHash("sha256");
    const problems: Problem[] = [];
    let bytes = 0;
    const out = await openPart(path, join(options.outputDir, MANIFESTS, basename(path) + ownEnding()), (written) => {
      output.update(written);
      bytes += written.length;
    });
    const run = new ParseRun(
      pool,
      out,
      inputs,
      model,
      {
        ...options,
        to: plan.to as OutputFormat,
        terminal: false,
        corpus: true,
        onRead: (input, read) => hashes.get(input)!.update(read),
        onProblem: ({ what, message }) => problems.push({ kind: what, message }),
      },
      progress,
    );
    try {
      await run.parse();
    } catch (error) {
      await out.abort();
      throw error;
    }
    await out.close();
    run.reportLosses();
    const manifest: Manifest = {
      version: 1,
      part: part.number,
      parts: this.count,
      plan: this.hash,
      stemma: plan.stemma,
      model: plan.model,
      options: plan.options,
      input: segments.map(({ input: { file, size }, start, end }, k) => {
        return { file, start, end, size, sha256: hashes.get(inputs[k]!)!.digest("hex") };
      }),
      output: { file: partName(part.number, this.count) + plan.ending, bytes, sha256: output.digest("hex") },
      ...run.counts,
      problems,
    };
    const target = this.manifestOf(part);
    await writeBytes(target, Buffer.from(manifestText(manifest)), `${target}${ownEnding()}`);
    return manifest;
  }

  /** Deletes what killed processes have left of these parts, and of the plan. */
  private async removeLeftovers(parts: readonly Part[]): Promise<void> {
    const folder = join(this.options.outputDir, MANIFESTS);
    const own = new Set(parts.map(({ number }) => partName(number, this.count)));
    for (const name of await readdir(folder)) {
      const isOurs = own.has(name.split(".")[0]!) || name.startsWith(`${PLAN_FILE}.`);
      if (isOurs && (await isLeftover(folder, name))) {
        await rm(join(folder, name), { force: true });
      }
    }
  }
}

/** After this nobody writes a part any more. */
const ABANDONED = 24 * 60 * 60 * 1000;

/** A temporary name says who writes under it: other processes may be at the same part, on other machines too. */
function ownEnding(): string {
  return `.${hostname()}.${process.pid}.tmp`;
}

/** Whether a file is one that nobody will finish. */
async function isLeftover(folder: string, name: string): Promise<boolean> {
  if (!name.endsWith(".tmp")) return false;
  const [, host, pid] = new RegExp(`\\.(${escaped(hostname())})\\.(\\d+)\\.tmp$`).exec(name) ?? [];
  if (host !== undefined) return Number(pid) === process.pid || !isAlive(Number(pid));
  const info = await stat(join(folder, name)).catch(() => undefined);
  return info !== undefined && Date.now() - info.mtimeMs > ABANDONED;
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // Linux also says so of threads of other processes, which /proc does not list.
    return !existsSync("/proc/self") || readdirSync("/proc").includes(String(pid));
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}
