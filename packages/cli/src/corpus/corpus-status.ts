// How far a corpus is, all shards together, as its manifests say: nothing but them is read.
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { ParseCounts } from "../parsing/parse-run.js";
import { readPlan } from "./check-corpus.js";
import { MANIFESTS, mismatch, PLAN_FILE, readManifest } from "./manifest.js";
import { partName, partsOf, planHash } from "./plan.js";

/** The last parts, whose times say how fast all shards are together now. */
const RECENT = 100;

export interface CorpusStatus extends ParseCounts {
  parts: number;
  done: number;
  /** Manifests that are damaged, or of another corpus. */
  wrong: number;
  /** Files that processes write at this moment, or have left when they were killed. */
  unfinished: number;
  /** The share of the inputs, by their bytes, that is done. */
  share: number;
  /** Of the last parts; undefined before there are two. */
  wordsPerSecond: number | undefined;
  secondsLeft: number | undefined;
  /** How many documents and sentences were skipped for each reason. */
  failures: Record<string, number>;
}

export async function corpusStatus(folder: string): Promise<CorpusStatus> {
  const plan = await readPlan(join(folder, MANIFESTS, PLAN_FILE));
  const [parts, hash] = [partsOf(plan), planHash(plan)];
  const counts = { documents: 0, sentences: 0, words: 0, skippedDocuments: 0, skippedSentences: 0 };
  const failures: Record<string, number> = {};
  const times: { at: number; weight: number; words: number }[] = [];
  let wrong = 0;
  for (const part of parts) {
    const path = join(folder, MANIFESTS, `${partName(part.number, parts.length)}.json`);
    const manifest = await readManifest(path);
    if (manifest === undefined) continue;
    if (manifest instanceof Error || mismatch(manifest, plan, hash, part, parts.length) !== undefined) {
      wrong++;
      continue;
    }
    for (const name of Object.keys(counts) as (keyof ParseCounts)[]) counts[name] += manifest[name];
    for (const { kind } of manifest.problems) failures[kind] = (failures[kind] ?? 0) + 1;
    times.push({ at: (await stat(path)).mtimeMs, weight: part.weight, words: manifest.words });
  }
  const sum = (list: readonly { weight: number }[]) => list.reduce((all, { weight }) => all + weight, 0);
  const [all, done] = [sum(parts), sum(times)];
  const recent = times.sort((a, b) => a.at - b.at).slice(-RECENT);
  const seconds = recent.length < 2 ? 0 : (recent.at(-1)!.at - recent[0]!.at) / 1000;
  // The first of them says when the others began.
  const others = recent.slice(1);
  const words = others.reduce((total, part) => total + part.words, 0);
  const unfinished = (await readdir(join(folder, MANIFESTS))).filter((name) => name.endsWith(".tmp")).length;
  return {
    parts: parts.length,
    done: times.length,
    wrong,
    unfinished,
    share: all === 0 ? 1 : done / all,
    wordsPerSecond: seconds > 0 ? words / seconds : undefined,
    secondsLeft: done === all ? 0 : seconds > 0 ? ((all - done) * seconds) / sum(others) : undefined,
    ...counts,
    failures,
  };
}
