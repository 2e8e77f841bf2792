import { basename } from "node:path";
import { compareSystems, type SentenceCounts, type Significance } from "@stemma/core/evaluation";
import type { Cell, CellResult } from "./cell.js";
import type { Grid } from "./grid.js";
import { deviation, METRICS, type Metric, mean, type Scores, scoresOf, sum } from "./scores.js";
import type { OracleChoice, Reported, SystemSpec } from "./spec.js";

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

/** A configuration on a treebank, over its finished seeds. */
export interface Entry extends Configuration {
  treebank: string;
  seeds: ({ seed: number; epoch: number | undefined } & Scores)[];
  /** Seeds that are not finished. */
  missing: number;
  uas?: Spread;
  las?: Spread;
  uem?: Spread;
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
}

/** The report as data. Scores and differences are shares from 0 to 1. */
export interface Summary {
  title: string;
  program: { version: string; build: string };
  reported: Reported;
  seeds: number[];
  treebanks: { name: string; train: object; silver?: object; test: object }[];
  systems: { name: string; oracles: OracleChoice[]; settings: { system: string; features?: string | undefined } }[];
  entries: Entry[];
  comparisons: Comparison[];
  /** Cells that are not finished, of all cells. */
  missing: number;
  cells: number;
}

/** A system with what its runs have in common; what only some oracles make use of, too. */
function systemSummary({ name, runs }: SystemSpec): Summary["systems"][number] {
  const { oracle: _, systemSettings, ...settings } = Object.assign({}, ...runs.map((run) => run.settings));
  const features = settings.features && { features: basename(settings.features) };
  return { name, oracles: runs.map(({ oracle }) => oracle), settings: { ...settings, ...systemSettings, ...features } };
}

/** One seed of a configuration, its folds put together: each sentence is tested once. */
interface Run extends Pick<SentenceCounts, "gold" | "uas" | "las"> {
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
  treebanks.forEach(({ spec: treebank, parts }, t) => {
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
        runs.set(keyOf(treebank.name, { system, oracle }), finished);
        entries.push(entryOf(treebank.name, { system, oracle }, finished, spec.seeds.length));
      }
    });
  });
  return {
    title: spec.title,
    program: { version: grid.version, build: grid.build },
    reported: spec.report,
    seeds: spec.seeds,
    treebanks: treebanks.map(({ spec: { name, train, silver, dev, folds, holdOut }, ...data }) => ({
      name,
      train: { file: basename(train), ...data.train },
      ...(silver === undefined ? {} : { silver: { file: basename(silver), ...data.silver } }),
      test: dev === undefined ? (folds ? { folds } : { holdOut }) : { file: basename(dev), ...data.dev },
    })),
    systems: spec.systems.map(systemSummary),
    entries,
    comparisons: compareAll(grid, runs),
    missing: grid.cells.length - results.size,
    cells: grid.cells.length,
  };
}

function keyOf(treebank: string, { system, oracle }: Configuration): string {
  return `${treebank} ${system} ${oracle}`;
}

function runOf(seed: number, parts: readonly CellResult[], reported: Reported): Run {
  const gold = parts.flatMap((part) => part.gold);
  const words = parts.map((part) => sum(part.gold));
  const sentences = parts.map((part) => part.gold.length);
  const average = (values: readonly number[], weights: readonly number[]) =>
    sum(values.map((value, i) => value * weights[i]!)) / sum(weights);
  return {
    seed,
    // Folds may have their best epochs at different places.
    epoch: parts.every((part) => part[reported].epoch === parts[0]![reported].epoch)
      ? parts[0]![reported].epoch
      : undefined,
    gold,
    uas: parts.flatMap((part) => part[reported].uas),
    las: parts.flatMap((part) => part[reported].las),
    curve: parts[0]!.epochs.map(({ epoch }, e) => {
      const at = (metric: Metric) => parts.map((part) => part.epochs[e]![metric]);
      return {
        epoch,
        uas: average(at("uas"), words),
        las: average(at("las"), words),
        uem: average(at("uem"), sentences),
      };
    }),
    skipped: sum(parts.map((part) => part.data.skipped)),
    seconds: sum(parts.map((part) => part.seconds.training)),
  };
}

function entryOf(treebank: string, configuration: Configuration, runs: readonly Run[], seeds: number): Entry {
  const scores = runs.map((run) => ({ seed: run.seed, epoch: run.epoch, ...scoresOf(run, run.gold) }));
  const entry: Entry = { treebank, ...configuration, seeds: scores, missing: seeds - runs.length, curve: [] };
  if (runs.length === 0) return entry;
  for (const metric of METRICS) {
    const values = scores.map((score) => score[metric]);
    const spread = deviation(values);
    entry[metric] = { mean: mean(values), ...(spread === undefined ? {} : { deviation: spread }) };
  }
  entry.skipped = runs[0]!.skipped;
  entry.seconds = mean(runs.map((run) => run.seconds));
  entry.curve = runs[0]!.curve.map(({ epoch }, e) => {
    const at = (metric: Metric) => mean(runs.map((run) => run.curve[e]![metric]));
    return { epoch, uas: at("uas"), las: at("las"), uem: at("uem") };
  });
  return entry;
}

/**
 * Pairs of oracles of one system, then of parsers without one with all others, then of systems with one oracle, each on
 * every treebank and on all together.
 */
export function pairsOf(
  systems: readonly { name: string; oracles: readonly OracleChoice[] }[],
): [Configuration, Configuration][] {
  const pairs: [Configuration, Configuration][] = [];
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

function compareAll({ spec }: Grid, runs: ReadonlyMap<string, readonly Run[]>): Comparison[] {
  const comparisons: Comparison[] = [];
  for (const [first, second] of pairsOf(spec.systems.map(systemSummary))) {
    const pooled: [SentenceCounts[], SentenceCounts[]] = [[], []];
    let fewest = spec.seeds.length;
    for (const { name: treebank } of spec.treebanks) {
      const a = runs.get(keyOf(treebank, first))!;
      const b = runs.get(keyOf(treebank, second))!;
      const seeds = a.map((run) => run.seed).filter((seed) => b.some((run) => run.seed === seed));
      fewest = Math.min(fewest, seeds.length);
      if (seeds.length === 0) continue;
      const one = pool(a.filter((run) => seeds.includes(run.seed)));
      const other = pool(b.filter((run) => seeds.includes(run.seed)));
      pooled[0].push(one);
      pooled[1].push(other);
      comparisons.push({ treebank, first, second, seeds: seeds.length, ...test(one, other) });
    }
    if (spec.treebanks.length > 1 && fewest === spec.seeds.length) {
      const [one, other] = pooled.map(joined) as [SentenceCounts, SentenceCounts];
      comparisons.push({ treebank: "all", first, second, seeds: fewest, ...test(one, other) });
    }
  }
  return comparisons;
}

function test(first: SentenceCounts, second: SentenceCounts): Pick<Comparison, "uas" | "las"> {
  return { uas: compareSystems(first, second, "uas"), las: compareSystems(first, second, "las") };
}

/**
 * The counts of each sentence summed over the seeds. The sentence stays the unit of the test: its outputs with all
 * seeds are exchanged together, because seeds do not make more sentences.
 */
function pool(runs: readonly Run[]): SentenceCounts {
  const total = (of: (run: Run) => readonly number[]) =>
    of(runs[0]!).map((_, i) => sum(runs.map((run) => of(run)[i]!)));
  const gold = total((run) => run.gold);
  return { gold, system: gold, uas: total((run) => run.uas), las: total((run) => run.las) };
}

function joined(counts: readonly SentenceCounts[]): SentenceCounts {
  const all = (name: keyof SentenceCounts) => counts.flatMap((one) => one[name]);
  return { gold: all("gold"), system: all("system"), uas: all("uas"), las: all("las") };
}
