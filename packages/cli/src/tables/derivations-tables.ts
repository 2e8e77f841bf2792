import { printable } from "@stemma/core";
import { alignedLines } from "../terminal/text-table.js";

/** How many derivations a sentence has in each system; undefined where they were not counted. */
export interface Counted {
  number: number;
  id: string | undefined;
  words: number;
  counts: readonly (bigint | undefined)[];
  /** The limit that was reached where they were not, or why there is no number. */
  limits: readonly (string | undefined)[];
}

export interface DerivationsSummary {
  sentences: number;
  notCounted: number;
  /** Counted, with at least one derivation; what follows is about these. */
  buildable: number;
  unambiguous: number;
  meanLog10: number | null;
  /** Of an even number the lower of the two in the middle. */
  median: bigint | null;
  max: bigint | null;
}

export function summarize(counts: readonly (bigint | undefined)[]): DerivationsSummary {
  const counted = counts.filter((count) => count !== undefined);
  const positive = counted.filter((count) => count > 0n).sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  const sum = positive.reduce((total, count) => total + log10(count), 0);
  return {
    sentences: counts.length,
    notCounted: counts.length - counted.length,
    buildable: positive.length,
    unambiguous: positive.filter((count) => count === 1n).length,
    meanLog10: positive.length === 0 ? null : sum / positive.length,
    median: positive[(positive.length - 1) >> 1] ?? null,
    max: positive.at(-1) ?? null,
  };
}

function log10(count: bigint): number {
  const digits = count.toString();
  return Math.log10(Number(digits.slice(0, 15))) + Math.max(0, digits.length - 15);
}

/** Limits are numbers of something. */
function isLimit(reason: string | undefined): boolean {
  return reason !== undefined && /^\d/.test(reason);
}

/** A row for each sentence and the summary, with a column for each system. */
export function derivationsTables(
  names: readonly string[],
  counted: readonly Counted[],
  summaryOnly: boolean,
  limit: number,
): string {
  const summaries = names.map((_, k) => summarize(counted.map(({ counts }) => counts[k])));
  const row = (title: string, cell: (summary: DerivationsSummary) => unknown) => [
    title,
    "",
    ...summaries.map((summary) => String(cell(summary) ?? "–")),
  ];
  const sentences = counted.map(({ number, id, words, counts }) => [
    `${number}${id === undefined ? "" : ` ${printable(id)}`}`,
    String(words),
    ...counts.map((count) => count?.toString() ?? "?"),
  ]);
  const missing = summaries.some(({ notCounted }) => notCounted > 0);
  const summary = [
    row("sentences", ({ sentences }) => sentences),
    ...(missing ? [row("not counted", ({ notCounted }) => notCounted)] : []),
    row("buildable", ({ buildable }) => buildable),
    row("one derivation", ({ unambiguous }) => unambiguous),
    row("mean of log10", ({ meanLog10 }) => meanLog10?.toFixed(2)),
    row("median", ({ median }) => median),
    row("maximum", ({ max }) => max),
  ];
  // Of one sentence there is nothing to sum up.
  const single = counted.length === 1 && !summaryOnly;
  const lines = [
    ["", summaryOnly ? "" : "words", ...names],
    ...(summaryOnly ? [] : sentences),
    ...(summaryOnly || single ? [] : [[]]),
    ...(single ? [] : summary),
  ];
  const text = alignedLines(lines);
  if (missing) text.push("");
  const below = single ? "" : ", left out of the rows below it";
  const reasons = counted.flatMap(({ limits }) => limits.map((reason, k) => ({ name: names[k]!, reason })));
  if (reasons.some(({ reason }) => isLimit(reason))) text.push(`? not counted: over --limit ${limit}${below}`);
  const endless = reasons.filter(({ reason }) => reason !== undefined && !isLimit(reason));
  for (const line of new Set(endless.map(({ name, reason }) => `? not counted: in ${name} ${reason}`))) text.push(line);
  return `${text.join("\n")}\n`;
}
