import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { type PlotSeries, plotSVG } from "@stemma/core/evaluation";
import { fileError } from "../files/io.js";
import { writeBytes } from "../files/output.js";
import { METRICS, type Metric, mean } from "./scores.js";
import { type Comparison, type Configuration, columnsOf, type Entry, pairsOf, type Summary } from "./summary.js";

const METRIC_TITLES: Readonly<Record<Metric, string>> = {
  las: "LAS: words with the right head and label",
  uas: "UAS: words with the right head",
  uem: "UEM: sentences with all heads right (unlabelled exact match)",
  wordLas: "LAS without punctuation",
  wordUas: "UAS without punctuation",
};

/** Writes report.md, report.json and the plots into a folder, and returns the names of the files. */
export async function writeReport(summary: Summary, folder: string): Promise<string[]> {
  const plots = plotsOf(summary);
  const files: [name: string, text: string][] = [
    ["report.md", markdownOf(summary, plots)],
    ["report.json", `${JSON.stringify(summary, null, 1)}\n`],
    ...plots.map(({ file, svg }) => [file, svg] as [string, string]),
  ];
  try {
    await mkdir(folder, { recursive: true });
  } catch (error) {
    throw fileError("make the folder of the report", folder, error);
  }
  for (const [name, text] of files) await writeBytes(join(folder, name), new TextEncoder().encode(text));
  return files.map(([name]) => name);
}

interface ReportPlot {
  file: string;
  title: string;
  svg: string;
  /** Over all treebanks, or there is only one. */
  overview: boolean;
}

/**
 * LAS after each epoch: for each system one plot for each treebank, and one of the means over all, a curve for each
 * oracle. If each system has one oracle only, the systems are the curves of one plot.
 */
function plotsOf({ treebanks, systems, entries }: Summary): ReportPlot[] {
  const plots: ReportPlot[] = [];
  const add = (file: string, title: string, series: PlotSeries[], overview: boolean) => {
    const drawn = series.filter(({ points }) => points.length > 0);
    if (drawn.length === 0) return;
    const plot = { title, x: { label: "epoch" }, y: { label: "LAS" }, series: drawn };
    plots.push({ file, title, svg: plotSVG(plot, { standalone: true }), overview });
  };
  const curve = (found: readonly Entry[]) =>
    (found.every((entry) => entry.curve.length > 0) ? found[0]!.curve : []).map(({ epoch }, e) => ({
      x: epoch,
      y: 100 * mean(found.map((entry) => entry.curve[e]!.las)),
    }));
  if (systems.length > 1 && systems.every(({ oracles }) => oracles.length === 1)) {
    const names = treebanks.map(({ name }) => name);
    for (const treebank of names.length > 1 ? [undefined, ...names] : names) {
      const series = systems.map(({ name }) => ({
        name,
        points: curve(
          entries.filter(
            ({ system, treebank: own }) => system === name && (treebank ?? own) === own && names.includes(own),
          ),
        ),
      }));
      const isOverview = treebank === undefined || names.length === 1;
      const title = treebank ?? `mean of ${names.length} treebanks`;
      add(isOverview ? "las.svg" : `las@${treebank}.svg`, title, series, isOverview);
    }
    return plots;
  }
  for (const { name: system, oracles } of systems) {
    const of = (oracle: string, treebank?: string) =>
      entries.filter(
        (entry) =>
          entry.system === system &&
          entry.oracle === oracle &&
          (treebank === undefined
            ? treebanks.some(({ name }) => name === entry.treebank)
            : entry.treebank === treebank),
      );
    if (treebanks.length > 1) {
      const series = oracles.map((oracle) => ({ name: oracle, points: curve(of(oracle)) }));
      add(`las-${system}.svg`, `${system}, mean of ${treebanks.length} treebanks`, series, true);
    }
    for (const { name } of treebanks) {
      const series = oracles.map((oracle) => ({ name: oracle, points: curve(of(oracle, name)) }));
      add(`las-${system}@${name}.svg`, `${system}, ${name}`, series, treebanks.length === 1);
    }
  }
  return plots;
}

function markdownOf(summary: Summary, plots: readonly ReportPlot[]): string {
  const { title, about, verdict, seeds, treebanks, systems, entries, comparisons, missing, cells, reported } = summary;
  const names = treebanks.map(({ name }) => name);
  const columns = treebanks.flatMap(({ name, sets }) => columnsOf(name, sets).map((column) => column.name));
  const configurations = systems.flatMap(({ name, oracles }) => oracles.map((oracle) => ({ system: name, oracle })));
  const parts = [`# ${title}`];
  if (about !== undefined) parts.push(about);
  if (verdict !== undefined) parts.push(`**Verdict:** ${verdict}`);
  if (missing > 0)
    parts.push(
      `**Not finished: ${missing} of ${cells} training runs are missing.** Their places show –; [which ones](#missing).`,
    );
  const epoch = reported === "last" ? "after the last epoch" : "of the epoch with the best LAS on the tested sentences";
  const over = seeds.length > 1 ? `mean ± standard deviation over ${seeds.length} seeds` : `seed ${seeds[0]}`;
  parts.push(
    `Scores in percent ${epoch}, ${over}; gold words, gold tags except in pipelines, full labels, punctuation included if nothing else is said. The best of each treebank is bold.`,
    publishedTables(summary),
  );
  for (const metric of METRICS) {
    parts.push(`## ${METRIC_TITLES[metric]}`, scoreTable(metric, names, columns, configurations, entries));
  }
  if (comparisons.length > 0) {
    parts.push(
      "## Differences",
      "The second minus the first, in points: \\* p < 0.05, \\*\\* p < 0.01, \\*\\*\\* p < 0.001, two-sided paired approximate randomisation by sentences with 10,000 samples. " +
        "The counts of a sentence are summed over the seeds and exchanged together. p is not corrected for the number of comparisons. " +
        "_all_: the sentences of all treebanks together, so that large ones count more. In parentheses after LAS: by how many percent there are fewer wrong words. " +
        "UAS and every p are in report.json.",
    );
    const pairs = pairsOf(systems, summary.baseline);
    const isOracles = ([first, second]: readonly [Configuration, Configuration]) => first.system === second.system;
    const compared = names.length > 1 ? [...columns, "all"] : columns;
    for (const [metric, name] of [["las", "LAS"] as const, ["uem", "UEM"] as const]) {
      for (const [title, own] of [
        [`### ${name}, between oracles of a system`, pairs.filter(isOracles)] as const,
        [`### ${name}, between systems`, pairs.filter((pair) => !isOracles(pair))] as const,
      ])
        if (own.length > 0) parts.push(title, differenceTable(metric, own, compared, comparisons));
    }
  }
  if (plots.length > 0) {
    parts.push("## LAS after each epoch");
    // Means wait for all treebanks; until then those that are there are shown.
    const isShown = plots.some(({ overview }) => overview) ? ({ overview }: ReportPlot) => overview : () => true;
    for (const { title, file } of plots.filter(isShown)) parts.push(`![${title}](${file})`);
    const single = plots.filter((plot) => !isShown(plot));
    if (single.length > 0) parts.push(single.map(({ title, file }) => `[${title}](${file})`).join(" · "));
  }
  if (missing > 0) parts.push("## Missing", missingTable(names, configurations, entries));
  parts.push("## Training", trainingTable(names, configurations, entries), setup(summary));
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

/** Aligned, as a formatter leaves it: the first columns to the left, the others to the right. */
function table(header: readonly string[], rows: readonly (readonly string[])[], left: number): string {
  const widths = header.map((title, i) => Math.max(3, title.length, ...rows.map((row) => row[i]!.length)));
  const line = (row: readonly string[]) =>
    `| ${row.map((text, i) => (i < left ? text.padEnd(widths[i]!) : text.padStart(widths[i]!))).join(" | ")} |`;
  const rule = widths.map((width, i) => (i < left ? "-".repeat(width) : `${"-".repeat(width - 1)}:`));
  return [line(header), line(rule), ...rows.map(line)].join("\n");
}

/** The scores that others have published, beside the score here. */
function publishedTables({ published, systems, treebanks, entries }: Summary): string {
  if (published.length === 0) return "";
  const tables = published.map(({ source, metric, treebank, scores }) => {
    const names = treebank === undefined ? treebanks.map(({ name }) => name) : [treebank];
    const rows = systems.flatMap(({ name: system, oracles }) =>
      oracles.flatMap((oracle) => {
        const score = scores[system]?.[oracle];
        if (score === undefined) return [];
        const own = names.map((name) => find(entries, name, { system, oracle }));
        const means = own.map((entry) => entry[metric]?.mean);
        const here = means.every((value) => value !== undefined) ? (100 * mean(means as number[])).toFixed(2) : "–";
        const seeds = own.map(({ seeds }) => seeds.length).sort((a, b) => a - b);
        return [[system, oracle, score.toFixed(2), here, here === "–" ? "" : [...new Set(seeds)].join("–")]];
      }),
    );
    const here = `here: ${treebank ?? (names.length > 1 ? `mean of ${names.length} treebanks` : names[0])}`;
    return `${source}; ${METRIC_TITLES[metric].split(":")[0]}:\n\n${table(["system", "oracle", "published", here, "seeds here"], rows, 2)}`;
  });
  return ["## Published figures, and those here", ...tables].join("\n\n");
}

/** How many seeds are missing where. */
function missingTable(
  treebanks: readonly string[],
  configurations: readonly Configuration[],
  entries: readonly Entry[],
): string {
  const rows = configurations.flatMap((configuration) => {
    const own = treebanks.map((treebank) => find(entries, treebank, configuration));
    if (own.every(({ missing }) => missing === 0)) return [];
    const cells = own.map(({ missing, seeds }) => (missing === 0 ? "" : `${missing} of ${missing + seeds.length}`));
    return [[configuration.system, configuration.oracle, ...cells]];
  });
  return `Seeds that are not finished, of all:\n\n${table(["system", "oracle", ...treebanks], rows, 2)}`;
}

/** `columns`: treebanks and their test sets. */
function scoreTable(
  metric: Metric,
  treebanks: readonly string[],
  columns: readonly string[],
  configurations: readonly Configuration[],
  entries: readonly Entry[],
): string {
  const several = treebanks.length > 1;
  const values = configurations.map((configuration) => {
    const own = columns.map((column) => find(entries, column, configuration));
    const means = own.map((entry) => entry[metric]?.mean);
    const ofTreebanks = means.filter((_, i) => treebanks.includes(columns[i]!));
    const whole = ofTreebanks.every((value) => value !== undefined);
    return { own, means: several ? [...means, whole ? mean(ofTreebanks as number[]) : undefined] : means };
  });
  // Results that are printed alike are equally good.
  const shown = (value: number | undefined) => (value === undefined ? -1 : Number((100 * value).toFixed(2)));
  const best = values[0]!.means.map((_, i) => Math.max(...values.map(({ means }) => shown(means[i]))));
  const rows = values.map(({ own, means }, r) => {
    const cells = means.map((value, i) => {
      if (value === undefined) return "–";
      const text = (100 * value).toFixed(2);
      const entry = own[i];
      const spread = entry?.[metric]?.deviation;
      return (
        (configurations.length > 1 && shown(value) === best[i] ? `**${text}**` : text) +
        (spread === undefined ? "" : ` ± ${(100 * spread).toFixed(2)}`) +
        (entry?.missing ? ` (${entry.seeds.length} of ${entry.seeds.length + entry.missing})` : "")
      );
    });
    return [configurations[r]!.system, configurations[r]!.oracle, ...cells];
  });
  return table(["system", "oracle", ...columns, ...(several ? ["mean"] : [])], rows, 2);
}

function find(entries: readonly Entry[], treebank: string, { system, oracle }: Configuration): Entry {
  return entries.find((entry) => entry.treebank === treebank && entry.system === system && entry.oracle === oracle)!;
}

function differenceTable(
  metric: "las" | "uem",
  pairs: readonly [Configuration, Configuration][],
  columns: readonly string[],
  comparisons: readonly Comparison[],
): string {
  const same = (a: Configuration, b: Configuration) => a.system === b.system && a.oracle === b.oracle;
  const rows = pairs.map(([first, second]) => {
    const ofOracles = first.system === second.system;
    const cells = columns.map((treebank) => {
      const found = comparisons.find(
        (one) => one.treebank === treebank && same(one.first, first) && same(one.second, second),
      );
      if (!found) return "–";
      const { difference, p } = found[metric];
      const stars = p < 0.001 ? "\\*\\*\\*" : p < 0.01 ? "\\*\\*" : p < 0.05 ? "\\*" : "";
      const points = Math.abs(100 * difference).toFixed(2);
      const reduction = metric === "las" ? ` (${signed((100 * found.errorReduction).toFixed(1))})` : "";
      return `${signed((difference < 0 ? "-" : "") + points)}${stars}${reduction}`;
    });
    return ofOracles
      ? [first.system, `${first.oracle} → ${second.oracle}`, ...cells]
      : [
          first.oracle,
          `${first.system} → ${second.system}${[first.oracle, "none"].includes(second.oracle) ? "" : `, ${second.oracle}`}`,
          ...cells,
        ];
  });
  const isOracles = pairs[0]![0].system === pairs[0]![1].system;
  return table([isOracles ? "system" : "oracle", isOracles ? "oracles" : "systems", ...columns], rows, 2);
}

/** With a sign, if it is not 0. */
function signed(number: string): string {
  const size = number.replace("-", "");
  return (Number(size) === 0 ? "" : number.startsWith("-") ? "−" : "+") + size;
}

/** Seconds depend on the machine and on what else it did; trees left out on the system. */
function trainingTable(
  treebanks: readonly string[],
  configurations: readonly Configuration[],
  entries: readonly Entry[],
): string {
  const rows = configurations.map((configuration) => {
    const cells = treebanks.map((treebank) => {
      const { seconds, skipped } = find(entries, treebank, configuration);
      return seconds === undefined ? "–" : `${seconds.toFixed(seconds < 10 ? 1 : 0)} s${skipped ? `, ${skipped}` : ""}`;
    });
    return [configuration.system, configuration.oracle, ...cells];
  });
  return `Training time for one seed in seconds, on the machine of the experiment, including the effect of other work; then the number of trees left out of training because the system cannot build them, if any. Folds are added up.\n\n${table(["system", "oracle", ...treebanks], rows, 2)}`;
}

function setup({ treebanks, systems, seeds, program, computed }: Summary): string {
  const rows = treebanks.map(({ name, train, silver, test }) => {
    const sizeOf = ({ sentences, words }: { sentences: number; words: number }) => `${sentences} / ${words}`;
    const on =
      "files" in test
        ? test.files.map((file) => `${file.name === undefined ? "" : `${file.name} `}${sizeOf(file)}`).join(", ")
        : "folds" in test
          ? `${test.folds}-fold cross-validation`
          : "holdOut" in test
            ? `one sentence in ${test.holdOut}, held out`
            : `each of ${test.groups} groups, left out of training`;
    return [name, sizeOf(train) + (silver ? ` + silver ${sizeOf(silver)}` : ""), on];
  });
  const options = systems.map(({ name, settings }) => {
    const { system, ...rest } = settings;
    const list = Object.entries(rest).map(([option, value]) => `${option} ${value}`);
    return `- ${name}${name === system ? "" : ` (${system})`}: ${list.join(", ")}`;
  });
  return [
    table(["treebank", "training: sentences / words", "test: sentences / words"], rows, 3),
    `Seeds: ${seeds.join(", ")}. Options (exploration: dynamic oracle only):`,
    options.join("\n"),
    computed === undefined
      ? `Stemma ${program.version}, build ${program.build}: nothing is computed yet.`
      : `Stemma ${program.version}. Computed by \`${computed.command}\` (build ${computed.builds.join(", ")}) from ${minute(computed.first)} to ${minute(computed.last)}, ${computed.seconds} seconds of training and parsing in all.`,
  ].join("\n\n");
}

/** A time in ISO's form, to the minute. */
function minute(time: string): string {
  return `${time.slice(0, 16).replace("T", " ")} UTC`;
}
