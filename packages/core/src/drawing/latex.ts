import { check, checkOptions, STRING } from "../checks/options.js";
import { STRINGS } from "../checks/shapes.js";
import { printable, textWidth } from "./characters.js";
import { DIRECTION, type Direction, type Drawable, layout, roleRows, wordCount } from "./layout.js";

/** Options of `toLatex`. */
export interface LatexOptions {
  /** `rtl` lays the words out from right to left. */
  readonly direction?: Direction | undefined;
}

/** Characters that a backslash does not show. */
const ESCAPES: Record<string, string> = {
  "\\": "\\textbackslash{}",
  // `\&` separates the cells of deptext.
  "&": "\\symbol{38}",
  "~": "\\textasciitilde{}",
  "^": "\\textasciicircum{}",
  "<": "\\textless{}",
  ">": "\\textgreater{}",
  "|": "\\textbar{}",
  // After the end of a row these two would be read as its arguments.
  "[": "{[}",
  "*": "{*}",
  "\ufffd": "{?}",
};

/** Text as LaTeX shows it: special characters escaped, ligatures of repeated punctuation (`--`, `''`) prevented. */
export function escapeLatex(text: string): string {
  check("text", text, STRING);
  return printable(text)
    .replace(/[\\{}$#%_&~^<>|[*\ufffd]/g, (char) => ESCAPES[char] ?? `\\${char}`)
    .replace(/([-'`,!?])(?=[-'`,])/g, "$1{}");
}

// Sizes in pt of a 10pt document and of tikz-dependency's labels with their frames.
const FORM_SIZE = 10;
const LABEL_SIZE = 7;
const LABEL_FRAME = 6;
const COLUMN_SEP = 8;
const LEVEL_HEIGHT = 16;

/**
 * The tree as a `dependency` environment of the LaTeX package tikz-dependency; without words, a comment instead.
 * Columns are widened where a label needs it, and the arcs have the heights of the other drawings: the package's own,
 * by distance, let labels overlap and grow too tall for long sentences.
 * @param tree forms, heads and labels
 * @param options the direction
 */
export function toLatex(tree: Drawable, options: LatexOptions = {}): string {
  checkOptions("toLatex", options, { direction: DIRECTION });
  const n = wordCount(tree);
  if (n === 0) return "% empty sentence\n";
  const rows: ArrayLike<string | undefined>[] = [
    ...[tree.forms, tree.lemmas, tree.tags].filter((values) => values !== undefined),
    ...roleRows(tree.predicates ?? [], n),
  ];
  const at = (i: number) => (options.direction === "rtl" ? n + 1 - i : i);
  const width = (text: string | undefined, size: number) => Math.ceil(textWidth(printable(text ?? ""), size));
  const widths = Array.from({ length: n + 1 }, (_, i) => Math.max(0, ...rows.map((row) => width(row[i], FORM_SIZE))));
  const labels = Array.from({ length: n + 1 }, (_, d) => {
    const label = tree.heads[d]! >= 0 ? (tree.labels?.[d] ?? "") : "";
    return label === "" ? 0 : width(label, LABEL_SIZE) + LABEL_FRAME;
  });
  const { centers, levels } = layout(
    tree,
    { word: (i) => widths[i]!, label: (d) => labels[d]!, gap: COLUMN_SEP, labelPadding: 5, pitch: [0, 0] },
    options.direction,
  );
  const separator = (i: number) => {
    const natural = (widths[at(i)]! + widths[at(i + 1)]!) / 2 + COLUMN_SEP;
    const extra = Math.floor(centers[at(i + 1)]! - centers[at(i)]! - natural);
    return extra > 0 ? ` \\&[${extra}pt] ` : " \\& ";
  };

  let latex = `\\begin{dependency}\n  \\begin{deptext}[column sep=${COLUMN_SEP}pt]\n`;
  rows.forEach((values, row) => {
    let line = "";
    for (let i = 1; i <= n; i++) {
      // An empty cell would have no node for an arc to end at. Only the first row may set the space between columns.
      line += escapeLatex(values[at(i)] ?? "") || "{}";
      if (i < n) line += row === 0 ? separator(i) : " \\& ";
    }
    latex += `    ${line} \\\\\n`;
  });
  latex += "  \\end{deptext}\n";
  for (let d = 1; d <= n; d++) {
    const head = tree.heads[d]!;
    if (head < 0) continue;
    const label = escapeLatex(tree.labels?.[d] ?? "");
    const height = `[edge height=${levels[d]! * LEVEL_HEIGHT}pt]`;
    latex +=
      head === 0
        ? `  \\deproot${height}{${at(d)}}{${label}}\n`
        : `  \\depedge${height}{${at(head)}}{${at(d)}}{${label}}\n`;
  }
  return `${latex}\\end{dependency}\n`;
}

/**
 * A document around some `dependency` environments, each on a page of its own size; for pdfLaTeX, XeLaTeX, LuaLaTeX.
 */
export function latexDocument(environments: readonly string[]): string {
  check("environments", environments, STRINGS);
  return `\\documentclass[multi=dependency,border=4pt]{standalone}
\\usepackage{iftex}
\\ifPDFTeX
  \\usepackage[T1]{fontenc}
  \\usepackage[utf8]{inputenc}
\\else
  \\usepackage{fontspec}
\\fi
\\usepackage{tikz-dependency}
\\begin{document}
${environments.join("\n")}\\end{document}
`;
}
