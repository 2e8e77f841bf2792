import { basename } from "node:path";
import { compareSystems, type SentenceCounts, type Significance } from "@stemma/core/evaluation";
import type { Cell, CellResult } from "./cell.js";
import type { FileData, Grid } from "./grid.js";
import { deviation, METRICS, type Metric, mean, type Scores, type SentenceRights, scoresOf, sum } from "./scores.js";
import type { OracleChoice, Published, Reported, SystemSpec } from "./spec.js";

/** A row of the tables. */
export interface Configuration {
  system: string;
  oracle: OracleChoice;
}

export interface Spread {
  mean: number;
  /** Standard deviation over the seeds, undefined for one. */
  deviation?: number;
}

/** A configuration on a treebank, or on one of its test sets ("treebank/set"), over its finished seeds. */
export interface Entry extends Configuration, Partial<Record<Metric, Spread>> {
  treebank: string;
  seeds: ({ seed: number; epoch: number | undefined } & Scores)[];
  /** Seeds that are not finished. */
  missing: number;
  /** Trees that the system cannot build and training left out, of all; of all folds together. */
  skipped?: number;
  /** Seconds of training for one seed, of all folds together. */
  seconds?: number;
  /** Mean scores after each epoch. */
  curve: ({ epoch: number } & Scores)[];
}

/** Two configurations on one treebank, or on all of them ("all"): the second minus the first. */
export interface Comparison {
  treebank: string;
  first: Configuration;
  second: Configuration;
  seeds: number;
  uas: Significance;
  las: Significance;
  uem: Significance;
  /** The share of the words with a wrong head or label that are right with the second; below 0 there are more. */
  errorReduction: number;
}

/** The report as data. Scores and differences are shares from 0 to 1. */
export interface Summary {
  title: string;
  about?: string;
  verdict?: string;
  published: Published[];
  baseline?: string;
  program: { version: string; build: string };
  /** The builds by which the results were computed, when, and the seconds of training and parsing. */
  computed?: { command: string; builds: string[]; first: string; last: string; seconds: number };
  reported: Reported;
  seeds: number[];
  treebanks: { name: string; sets: string[]; train: FileData; silver?: FileData; test: Tested }[];
  systems: { name: string; oracles: OracleChoice[]; settings: { system: string; features?: string | undefined } }[];
  entries: Entry[];
  comparisons: Comparison[];
  /** Cells that are not finished, of all cells. */
  missing: number;
  cells: number;
}

type Tested =
  | { files: ({ name?: string } & FileData)[] }
  | { folds: number }
  | { holdOut: number }
  | { groups: number };

/** A system with what its runs have in common; what only some oracles make use of, too. */
function systemSummary({ name, runs }: SystemSpec): Summary["systems"][number] {
  const { oracle: _, systemSettings, ...settings } = Object.assign({}, ...runs.map((run) => run.settings));
  const features = settings.features && { features: basename(settings.features) };
  return { name, oracles: runs.map(({ oracle }) => oracle), settings: { ...settings, ...systemSettings, ...features } };
}

/** One seed of a configuration, its folds put together: each sentence is tested once. */
interface Run extends SentenceRights {
  seed: number;
  epoch: number | undefined;
  curve: ({ epoch: number } & Scores)[];
  skipped: number;
  seconds: number;
}

/** Makes the report from the results that are there. */
export function summarize(grid: Grid, results: ReadonlyMap<Cell, CellResult>): Summary {
  const { spec, treebanks } = grid;
  const runs = new Map<string, Run[]>();
  const entries: Entry[] = [];
  treebanks.forEach(({ spec: treebank, parts, sets }, t) => {
    spec.systems.forEach(({ name: system, runs: ways }, s) => {
      for (const { oracle } of ways) {
        const finished: Run[] = [];
        for (const seed of spec.seeds) {
          const own = grid.cells.filter(
            (cell) => cell.treebank === t && cell.system === s && cell.oracle === oracle && cell.seed === seed,
          );
          const found = own.map((cell) => results.get(cell)).filter((result) => result !== undefined);
          if (found.length === parts.length) finished.push(runOf(seed, found, spec.report));
        }
        for (const column of columnsOf(treebank.name, sets)) {
          const own = finished.map((run) => (column.set === undefined ? run : restricted(run, sets!, column.set)));
          runs.set(keyOf(column.name, { system, oracle }), own);
          entries.push(entryOf(column.name, { system, oracle }, own, spec.seeds.length));
        }
      }
    });
  });
  return {
    title: spec.title,
    ...(spec.about === undefined ? {} : { about: spec.about }),
    ...(spec.verdict === undefined ? {} : { verdict: spec.verdict }),
    published: spec.published,
    ...(spec.baseline === undefined ? {} : { baseline: spec.baseline }),
    program: { version: grid.version, build: grid.build },
    ...(results.size === 0 ? {} : { computed: computedBy(grid.command, new Set(results.values())) }),
    reported: spec.report,
    seeds: spec.seeds,
    treebanks: treebanks.map(({ spec: { name, train, silver, tests, folds, holdOut }, parts, ...data }) => ({
      name,
      sets: [...new Set(data.sets)],
      train: { file: basename(train), ...data.train },
      ...(silver === undefined ? {} : { silver: { file: basename(silver), ...data.silver! } }),
      test: tests
        ? { files: tests.map((test, i) => ({ ...test, ...data.tests![i]!, file: basename(test.file) })) }
        : folds
          ? { folds }
          : holdOut
            ? { holdOut }
            : { groups: parts.length },
    })),
    systems: spec.systems.map(systemSummary),
    entries,
    comparisons: compareAll(grid, runs),
    missing: grid.cells.length - results.size,
    cells: grid.cells.length,
  };
}

/** The whole treebank, and each of its test sets. */
export function columnsOf(treebank: string, sets: readonly string[] = []): { name: string; set?: string }[] {
  return [{ name: treebank }, ...[...new Set(sets)].map((set) => ({ name: `${treebank}/${set}`, set }))];
}

/** The part of a run that was tested on one set. Curves and times are those of whole runs. */
function restricted(run: Run, sets: readonly string[], set: string): Run {
  const own = (counts: readonly number[]) => counts.filter((_, i) => sets[i] === set);
  return { ...run, ...mapped((name) => own(run[name])), curve: [] };
}

const COUNTED = ["gold", "uas", "las", "goldWords", "wordUas", "wordLas"] as const;

function mapped(of: (name: (typeof COUNTED)[number]) => number[]): SentenceRights {
  return Object.fromEntries(COUNTED.map((name) => [name, of(name)])) as unknown as SentenceRights;
}

function computedBy(command: string, results: ReadonlySet<CellResult>): NonNullable<Summary["computed"]> {
  const all = [...results];
  const times = all.map(({ time }) => time).sort();
  return {
    command,
    builds: [...new Set(all.map(({ build }) => build))].sort(),
    first: times[0]!,
    last: times.at(-1)!,
    seconds: Math.round(sum(all.map(({ seconds }) => seconds.training + seconds.parsing))),
  };
}

function keyOf(treebank: string, { system, oracle }: Configuration): string {
  return `${treebank} ${system} ${oracle}`;
}

function runOf(seed: number, parts: readonly CellResult[], reported: Reported): Run {
  const chosen = parts.map(({ best, last }) => (reported === "best" ? (best ?? last) : last));
  const weights = parts.map(({ gold, goldWords }) => ({
    ...{ uas: sum(gold), las: sum(gold), uem: gold.length },
    ...{ wordUas: sum(goldWords), wordLas: sum(goldWords) },
  }));
  return {
    seed,
    // Folds may have their best epochs at different places.
    epoch: chosen.every(({ epoch }) => epoch === chosen[0]!.epoch) ? chosen[0]!.epoch : undefined,
    ...mapped((name) =>
      name === "gold" || name === "goldWords"
        ? parts.flatMap((part) => part[name])
        : chosen.flatMap((counts) => counts[name]),
    ),
    curve: parts[0]!.epochs.map(({ epoch }, e) => ({
      epoch,
      ...scored((metric) => {
        const own = weights.map((weight) => weight[metric]);
        return sum(parts.map((part, i) => part.epochs[e]![metric] * own[i]!)) / Math.max(1, sum(own));
      }),
    })),
    skipped: sum(parts.map((part) => part.data.skipped)),
    seconds: sum(parts.map((part) => part.seconds.training)),
  };
}

function entryOf(treebank: string, configuration: Configuration, runs: readonly Run[], seeds: number): Entry {
  const scores = runs.map((run) => ({ seed: run.seed, epoch: run.epoch, ...scoresOf(run) }));
  const entry: Entry = { treebank, ...configuration, seeds: scores, missing: seeds - runs.length, curve: [] };
  if (runs.length === 0) return entry;
  for (const metric of METRICS) {
    const values = scores.map((score) => score[metric]);
    const spread = deviation(values);
    entry[metric] = { mean: mean(values), ...(spread === undefined ? {} : { deviation: spread }) };
  }
  entry.skipped = runs[0]!.skipped;
  entry.seconds = mean(runs.map((run) => run.seconds));
  entry.curve = runs[0]!.curve.map(({ epoch }, e) => ({
    epoch,
    ...scored((metric) => mean(runs.map((run) => run.curve[e]![metric]))),
  }));
  return entry;
}

function scored(of: (metric: Metric) => number): Scores {
  return Object.fromEntries(METRICS.map((metric) => [metric, of(metric)])) as unknown as Scores;
}

/**
 * Pairs of oracles of one system, then of parsers without one with all others, then of systems with one oracle, each on
 * every treebank and on all together. With a baseline, only pairs of it with another.
 */
export function pairsOf(
  systems: readonly { name: string; oracles: readonly OracleChoice[] }[],
  baseline?: string,
): [Configuration, Configuration][] {
  const pairs: [Configuration, Configuration][] = [];
  if (baseline !== undefined) {
    const first = systems.find(({ name }) => name === baseline)!;
    for (const oracle of first.oracles) {
      for (const { name: system, oracles } of systems) {
        // A baseline with one oracle only, or a parser without one, stands beside all others.
        for (const other of oracles) {
          const isBeside = first.oracles.length === 1 || other === oracle || other === "none";
          if (system !== baseline && isBeside)
            pairs.push([
              { system: baseline, oracle },
              { system, oracle: other },
            ]);
        }
      }
    }
    return pairs;
  }
  for (const { name: system, oracles } of systems) {
    oracles.forEach((first, i) => {
      for (const second of oracles.slice(i + 1))
        pairs.push([
          { system, oracle: first },
          { system, oracle: second },
        ]);
    });
  }
  const oracles = new Set(systems.flatMap((system) => system.oracles));
  oracles.delete("none");
  // A parser that has none is compared with every other configuration.
  const graphs = systems.filter((system) => system.oracles.includes("none"));
  graphs.forEach((second, i) => {
    for (const first of graphs.slice(0, i))
      pairs.push([
        { system: first.name, oracle: "none" },
        { system: second.name, oracle: "none" },
      ]);
    for (const { name: system, oracles } of systems) {
      for (const oracle of oracles) {
        if (oracle !== "none")
          pairs.push([
            { system, oracle },
            { system: second.name, oracle: "none" },
          ]);
      }
    }
  });
  for (const oracle of oracles) {
    const able = systems.filter((system) => system.oracles.includes(oracle));
    able.forEach((first, i) => {
      for (const second of able.slice(i + 1)) {
        pairs.push([
          { system: first.name, oracle },
          { system: second.name, oracle },
        ]);
      }
    });
  }
  return pairs;
}

function compareAll({ spec, treebanks }: Grid, runs: ReadonlyMap<string, readonly Run[]>): Comparison[] {
  const comparisons: Comparison[] = [];
  for (const [first, second] of pairsOf(spec.systems.map(systemSummary), spec.baseline)) {
    const pooled: [Pooled[], Pooled[]] = [[], []];
    let fewest = spec.seeds.length;
    for (const { name: treebank, set } of treebanks.flatMap(({ spec, sets }) => columnsOf(spec.name, sets))) {
      const a = runs.get(keyOf(treebank, first))!;
      const b = runs.get(keyOf(treebank, second))!;
      const seeds = a.map((run) => run.seed).filter((seed) => b.some((run) => run.seed === seed));
      fewest = Math.min(fewest, seeds.length);
      if (seeds.length === 0) continue;
      const one = pool(a.filter((run) => seeds.includes(run.seed)));
      const other = pool(b.filter((run) => seeds.includes(run.seed)));
      if (set === undefined) {
        pooled[0].push(one);
        pooled[1].push(other);
      }
      comparisons.push({ treebank, first, second, seeds: seeds.length, ...test(one, other) });
    }
    if (spec.treebanks.length > 1 && fewest === spec.seeds.length) {
      const [one, other] = pooled.map(joined) as [Pooled, Pooled];
      comparisons.push({ treebank: "all", first, second, seeds: fewest, ...test(one, other) });
    }
  }
  return comparisons;
}

function test(first: Pooled, second: Pooled): Pick<Comparison, "uas" | "las" | "uem" | "errorReduction"> {
  const wrong = sum(first.words.gold) - sum(first.words.las);
  return {
    uas: compareSystems(first.words, second.words, "uas"),
    las: compareSystems(first.words, second.words, "las"),
    uem: compareSystems(first.sentences, second.sentences, "uas"),
    errorReduction: wrong === 0 ? 0 : (sum(second.words.las) - sum(first.words.las)) / wrong,
  };
}

/** The input of a test: counts of words, and of sentences as if each were a word. */
interface Pooled {
  words: SentenceCounts;
  sentences: SentenceCounts;
}

/**
 * The counts of each sentence summed over the seeds. The sentence stays the unit of the test: its outputs with all
 * seeds are exchanged together, because seeds do not make more sentences.
 */
function pool(runs: readonly Run[]): Pooled {
  const total = (of: (run: Run, i: number) => number) =>
    runs[0]!.gold.map((_, i) => sum(runs.map((run) => of(run, i))));
  const counts = (gold: number[], uas: number[], las: number[]) => ({ gold, system: gold, uas, las });
  const exact = total((run, i) => Number(run.uas[i] === run.gold[i]));
  return {
    words: counts(
      total(({ gold }, i) => gold[i]!),
      total(({ uas }, i) => uas[i]!),
      total(({ las }, i) => las[i]!),
    ),
    sentences: counts(
      total(() => 1),
      exact,
      exact,
    ),
  };
}

function joined(counts: readonly Pooled[]): Pooled {
  const all = (kind: keyof Pooled) => {
    const of = (name: keyof SentenceCounts) => counts.flatMap((one) => one[kind][name]);
    return { gold: of("gold"), system: of("system"), uas: of("uas"), las: of("las") };
  };
  return { words: all("words"), sentences: all("sentences") };
}
