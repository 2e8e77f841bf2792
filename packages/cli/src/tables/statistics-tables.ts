import { basename } from "node:path";
import { cellWidth, printable } from "@stemma/core";
import { byCount, type Distribution, type StatisticsWithDisfluencies } from "@stemma/core/treebank";

/** A row: its name, a cell for each column, and how long its bar is, from 0 to 1. */
interface Row {
  name: string;
  cells: string[];
  bar?: number;
}

const BAR = 24;

/** Bounds of the rows of a histogram; the last row is open. */
const DEGREES = [0, 1, 2, 3, 4];
const DEPTHS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 16];
const SENTENCE_LENGTHS = [1, 2, 6, 11, 21, 31, 41, 61, 101];
const ARC_LENGTHS = [1, 2, 3, 4, 5, 6, 11, 21, 41];

type Part = [part: number, whole: number];

/**
 * The statistics as text: a column for each file, and one for the total if there are several; bars show the last one.
 */
export function statisticsTables(
  files: readonly { file: string; statistics: StatisticsWithDisfluencies }[],
  total: StatisticsWithDisfluencies,
  top: number,
): string {
  const columns = files.map(({ statistics }) => statistics);
  const names = files.map(({ file }) =>
    printable(basename(file).replace(/(\.(conllu|conllx?|conll09|json|gz))+$/, "")),
  );
  if (files.length > 1) {
    columns.push(total);
    names.push("total");
  }
  const last = columns.at(-1)!;

  const row = (name: string, cell: (of: StatisticsWithDisfluencies) => string): Row => ({
    name,
    cells: columns.map(cell),
  });
  const count = (name: string, value: (of: StatisticsWithDisfluencies) => number) =>
    row(name, (of) => number(value(of)));
  const part = (name: string, value: (of: StatisticsWithDisfluencies) => Part, digits = 1): Row =>
    row(name, (of) => `${number(value(of)[0])} ${percent(value(of), digits)}`);
  const barred = (name: string, value: (of: StatisticsWithDisfluencies) => Part): Row => {
    const [some, all] = value(last);
    return { ...part(name, value), bar: all === 0 ? 0 : some / all };
  };

  const histogram = (measure: (of: StatisticsWithDisfluencies) => Distribution, bounds: number[]): Row[] => {
    const rows: Row[] = [];
    bounds.forEach((low, i) => {
      if (columns.every((of) => measure(of).max < low)) return;
      const high = i + 1 < bounds.length ? bounds[i + 1]! - 1 : Number.POSITIVE_INFINITY;
      const name = high === low ? `${low}` : high === Number.POSITIVE_INFINITY ? `${low} or more` : `${low} to ${high}`;
      rows.push(barred(name, (of) => [measure(of).between(low, high), measure(of).total]));
    });
    const summary = row("mean, median, max", (of) => {
      const { mean, median, max } = measure(of);
      return `${mean.toFixed(2)}, ${number(median)}, ${number(max)}`;
    });
    return [...rows, summary];
  };

  const inventory = (
    title: string,
    of: (statistics: StatisticsWithDisfluencies) => ReadonlyMap<string, number>,
  ): Section[] => {
    const entries = byCount(of(total));
    if (entries.length === 0) return [];
    const rows = entries
      .slice(0, top)
      .map(([name]) => barred(printable(name), (column) => [of(column).get(name) ?? 0, column.words]));
    const rest = entries.length - rows.length;
    if (rest > 0) rows.push({ name: `… ${number(rest)} more`, cells: [] });
    return [{ title, rows: [count("distinct", (column) => of(column).size), ...rows] }];
  };

  const coverage = [...total.built.keys()].map((name) =>
    part(name, (of) => [of.built.get(name) ?? 0, of.trees - of.notJudged], 2),
  );
  if (total.notJudged > 0) coverage.push(count("left out: more than 500 words", (of) => of.notJudged));
  const sections: Section[] = [
    {
      title: "Size",
      rows: [
        count("sentences", (of) => of.sentences),
        count("words", (of) => of.words),
        count("distinct forms", (of) => of.forms.size),
        part("sentences that are not trees", (of) => [of.sentences - of.trees, of.sentences], 2),
        part("trees with several roots", (of) => [of.treesWithSeveralRoots, of.trees], 2),
      ],
    },
    {
      title: "Non-projectivity",
      rows: [
        part("sentences", (of) => [of.nonProjectiveSentences, of.sentences], 2),
        part("arcs", (of) => [of.nonProjectiveArcs, of.words], 2),
        part("well-nested trees", (of) => [of.wellNestedTrees, of.trees], 2),
      ],
    },
    ...(total.disfluencies.sentences > 0
      ? [
          {
            title: "Disfluent words",
            rows: [
              part("sentences with any", (of) => [of.disfluencies.sentences, of.trees]),
              part("interjections", (of) => [of.disfluencies.words[1]!, of.words]),
              part("discourse markers", (of) => [of.disfluencies.words[2]!, of.words]),
              part("reparanda", (of) => [of.disfluencies.words[3]!, of.words]),
              row("99 % of them in runs of at most", (of) => `${number(of.disfluencies.spanLength(0.99))} words`),
              count("words with such a label", (of) => of.disfluencies.labelled),
              part("  below another", (of) => [of.disfluencies.nested, of.disfluencies.labelled]),
              part("  with a gap in what is below them", (of) => [
                of.disfluencies.discontinuous,
                of.disfluencies.labelled,
              ]),
              part("heads that removal does not keep", (of) => [
                of.disfluencies.otherHeads,
                of.disfluencies.words.reduce((sum, words) => sum + words),
              ]),
            ],
          },
        ]
      : []),
    ...(coverage.length > 0 ? [{ title: "Trees that a transition system can build", rows: coverage }] : []),
    { title: "Gap degree of trees", rows: histogram((of) => of.gapDegree, DEGREES) },
    { title: "Edge degree of trees", rows: histogram((of) => of.edgeDegree, DEGREES) },
    { title: "Depth of trees", rows: histogram((of) => of.depth, DEPTHS) },
    { title: "Words in a sentence", rows: histogram((of) => of.sentenceLength, SENTENCE_LENGTHS) },
    {
      title: "Length of arcs between words",
      rows: [
        ...histogram((of) => of.arcLength, ARC_LENGTHS),
        part("dependent on the left", (of) => [of.leftArcs, of.arcLength.total]),
      ],
    },
    ...inventory("UPOS", (of) => of.upos),
    ...inventory("XPOS", (of) => of.xpos),
    ...inventory("FEATS", (of) => of.feats),
    ...inventory("DEPREL", (of) => of.deprel),
  ];
  return render(names, sections);
}

interface Section {
  title: string;
  rows: Row[];
}

function render(names: readonly string[], sections: readonly Section[]): string {
  const rows = sections.flatMap((section) => section.rows);
  const nameWidth = Math.max(
    ...rows.map((row) => cellWidth(row.name) + 2),
    ...sections.map(({ title }) => cellWidth(title)),
  );
  const widths = names.map((name, i) => Math.max(cellWidth(name), ...rows.map((row) => cellWidth(row.cells[i] ?? ""))));
  const line = (name: string, cells: readonly string[], bar = "") =>
    [
      name + " ".repeat(nameWidth - cellWidth(name)),
      ...cells.map((cell, i) => " ".repeat(widths[i]! - cellWidth(cell)) + cell),
      bar,
    ]
      .join("  ")
      .trimEnd();
  const lines = [line("", names)];
  for (const { title, rows } of sections) {
    lines.push("", title);
    for (const { name, cells, bar = 0 } of rows) lines.push(line(`  ${name}`, cells, barOf(bar)));
  }
  return `${lines.join("\n")}\n`;
}

/** A bar of whole and half blocks, at least a thin one for anything above 0. */
function barOf(share: number): string {
  const halves = Math.round(2 * BAR * share);
  if (halves === 0) return share > 0 ? "▏" : "";
  return "█".repeat(halves >> 1) + (halves % 2 === 1 ? "▌" : "");
}

function number(value: number): string {
  return value.toLocaleString("en-US");
}

function percent([part, whole]: Part, digits: number): string {
  return `${(whole === 0 ? 0 : (100 * part) / whole).toFixed(digits).padStart(4 + digits)} %`;
}
