import { escapeLatex, printable, type Sentence } from "@stemma/core";
import type { Snapshot, Trace } from "@stemma/core/systems";
import { alignedLines } from "../terminal/text-table.js";

export interface TableOptions {
  numbers?: boolean;
  full?: boolean;
}

/** How many nodes of a stack or buffer are shown at most. */
const SHOWN = 5;

interface Row {
  transition: string;
  label: string;
  /** Stack, what some systems have besides, buffer. */
  configuration: string[];
  arc: string;
  remarks: string;
}

interface Signs {
  text(word: string): string;
  to: string;
  from: string;
  dots: string;
}

const PLAIN: Signs = { text: printable, to: "→", from: "←", dots: "…" };
const LATEX: Signs = { text: escapeLatex, to: "$\\to$", from: "$\\leftarrow$", dots: "\\dots{}" };

/** A derivation as a table of text. */
export function traceToText(trace: Trace, sentence: Sentence, options: TableOptions = {}): string {
  const table = rowsOf(trace, sentence, options, PLAIN);
  const header = ["step", ...titlesOf(trace), remarksTitle(trace)];
  const lines = [
    header,
    ...table.map((row, i) => [
      String(i).padStart(4),
      row.label === "" ? row.transition : `${row.transition} ${row.label}`,
      ...row.configuration,
      row.arc,
      row.remarks,
    ]),
  ];
  return `${[...alignedLines(lines, "left"), ...footnotes(trace, sentence, options)].join("\n")}\n`;
}

/** A derivation as a LaTeX table; needs the package booktabs. */
export function traceToLatex(trace: Trace, sentence: Sentence, options: TableOptions = {}): string {
  const remarks = remarksTitle(trace);
  const cells = (row: string[]) => `  ${(remarks === "" ? row.slice(0, -1) : row).join(" & ")} \\\\`;
  const titles = titlesOf(trace);
  const lines = rowsOf(trace, sentence, options, LATEX).map(({ transition, label, configuration, arc, remarks }, i) => {
    const name = `\\textsc{${transition.toLowerCase()}}${label === "" ? "" : `\\textsubscript{${label}}`}`;
    return cells([String(i), transition === "" ? "" : name, ...configuration, arc, remarks]);
  });
  return [
    `\\begin{tabular}{r${"l".repeat(titles.length)}${remarks === "" ? "" : "l"}}`,
    "  \\toprule",
    cells(["", ...titles.map((title) => title.replace(/λ(\d)/, "$\\lambda_$1$$")), remarks]),
    "  \\midrule",
    ...lines,
    "  \\bottomrule",
    "\\end{tabular}",
    ...footnotes(trace, sentence, options).map((note) => `% ${note}`),
    "",
  ].join("\n");
}

function titlesOf({ initial }: Trace): string[] {
  return ["transition", "stack", ...Object.keys(initial.lists ?? {}), "buffer", "new arc"];
}

function remarksTitle({ steps }: Trace): string {
  return steps[0]?.costs ? "costs" : steps[0]?.correct ? "correct" : "";
}

function rowsOf(trace: Trace, sentence: Sentence, options: TableOptions, signs: Signs): Row[] {
  const node = (i: number) => signs.text(nodeName(i, sentence, options));
  const front = (nodes: number[]) => {
    const unseen = options.full ? 0 : hiddenOf(nodes.length);
    const words = nodes.slice(0, nodes.length - unseen).map(node);
    if (unseen > 0) words.push(`${signs.dots} ${unseen} more`);
    return `[${words.join(" ")}]`;
  };
  const configuration = ({ stack, spines, lists = {}, buffer }: Snapshot) => {
    const elements = stack.map((root, i) => {
      if (!spines) return node(root);
      const { left, right } = spines[i]!;
      const leftward = left
        .slice(1)
        .reverse()
        .map((d) => node(d) + signs.from);
      const rightward = right.slice(1).map((d) => signs.to + node(d));
      return leftward.join("") + node(root) + rightward.join("");
    });
    const hidden = options.full ? 0 : hiddenOf(elements.length);
    const below = hidden > 0 ? [`${hidden} more ${signs.dots}`, ...elements.slice(hidden)] : elements;
    return [`[${below.join(" ")}]`, ...Object.values(lists).map(front), front(buffer)];
  };
  const rows: Row[] = [
    { transition: "", label: "", arc: "", remarks: "", configuration: configuration(trace.initial) },
  ];
  for (const { transition, arc, label, correct, costs, ...after } of trace.steps) {
    const own = label === undefined ? undefined : signs.text(label);
    rows.push({
      transition,
      label: own ?? (arc && sentence.heads[arc[1]] === arc[0] ? signs.text(sentence.deprel(arc[1])) : ""),
      arc: arc ? `${node(arc[0])} ${signs.to} ${node(arc[1])}` : "",
      remarks: correct
        ? correct.join(", ")
        : Object.entries(costs ?? {})
            .map(([name, cost]) => `${name} ${cost}`)
            .join(", "),
      configuration: configuration(after),
    });
  }
  return rows;
}

/** One node is never replaced by "1 more". */
function hiddenOf(length: number): number {
  return length > SHOWN + 1 ? length - SHOWN : 0;
}

function nodeName(i: number, sentence: Sentence, { numbers }: TableOptions): string {
  const word = i === 0 ? "ROOT" : sentence.form(i);
  return numbers ? `${word}-${i}` : word;
}

function footnotes({ headless, wrong, steps }: Trace, sentence: Sentence, options: TableOptions): string[] {
  const names = (words: number[]) => words.map((i) => printable(nodeName(i, sentence, options))).join(", ");
  const notes: string[] = [];
  if (headless.length > 0) notes.push(`attached to the root at the end: ${names(headless)}`);
  if (wrong.length > 0) notes.push(`with a head other than in the gold tree: ${names(wrong)}`);
  if (steps.some(({ exact }) => exact === false))
    notes.push("costs are not exact everywhere: some are differences of bounds");
  return notes;
}
