import type { Derivation } from "../../protocol/derivation.js";
import { capitalized, stackTitle } from "../derivation/names.js";

/** Nodes of a stack or buffer that are written out. */
const MOST_NODES = 5;

/**
 * A derivation as a table, as in the papers: step, transition, stack, buffer and the arc that is new. Needs no package.
 */
export function derivationLatex({ configurations, system }: Derivation, forms: readonly string[]): string {
  const name = (node: number) => (node === 0 ? "\\textsc{root}" : escaped(forms[node]!));
  const nodes = (all: readonly number[], fromEnd: boolean) => {
    const cut = all.length > MOST_NODES;
    const kept = cut ? (fromEnd ? all.slice(1 - MOST_NODES) : all.slice(0, MOST_NODES - 1)) : all;
    const words = kept.map(name);
    if (cut) fromEnd ? words.unshift("\\ldots") : words.push("\\ldots");
    return `[${words.join(", ")}]`;
  };
  const lists = Object.keys(configurations[0]!.lists);
  const rows = configurations.map((configuration, i) => {
    const { stack, buffer } = configuration;
    const before = configurations[i - 1];
    const choice = before?.choices[before.taken];
    const arc =
      choice && choice.dependent > 0
        ? `${name(choice.head)} $\\rightarrow$ ${name(choice.dependent)}${choice.label ? ` (${escaped(choice.label)})` : ""}`
        : "";
    const move = choice ? `\\textsc{${escaped(choice.move.toLowerCase())}}` : "";
    return `  ${[i, move, nodes(stack, true), ...lists.map((list) => nodes(configuration.lists[list]!, false)), nodes(buffer, false), arc].join(" & ")} \\\\`;
  });
  return [
    `% ${system.name}, root ${system.root}`,
    `\\begin{tabular}{rllll${"l".repeat(lists.length)}}`,
    "  \\hline",
    `  ${["Step", "Transition", ...[stackTitle(system.name), ...lists].map(listTitle), "Buffer", "Arc"].join(" & ")} \\\\`,
    "  \\hline",
    ...rows,
    "  \\hline",
    "\\end{tabular}",
    "",
  ].join("\n");
}

/** Letters of the notation that LaTeX has in formulas only. */
function listTitle(list: string): string {
  return capitalized(list).replace(/λ(\d)/i, "$\\lambda_$1$$");
}

const SPECIAL: Readonly<Record<string, string>> = {
  "\\": "\\textbackslash{}",
  "~": "\\textasciitilde{}",
  "^": "\\textasciicircum{}",
};

function escaped(text: string): string {
  return text.replace(/[\\~^]|[#$%&_{}]/g, (character) => SPECIAL[character] ?? `\\${character}`);
}
