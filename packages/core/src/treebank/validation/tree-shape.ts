import type { Sentence } from "../sentence/sentence.js";
import { findCycle, isTree, nonProjectiveArcs } from "../tree.js";
import { page, type Report, type Rule, relationPage } from "./violation.js";

/** Is it root, or a subtype of it? */
export function isRootLabel(label: string): boolean {
  return label === "root" || label.startsWith("root:");
}

/** One root, which alone has the label root; every word has a head; no cycle; punctuation crosses nothing. */
export function checkTree(sentence: Sentence, report: Report): void {
  const { heads, length } = sentence;
  const link = page("u/overview/syntax.html");
  const name = (i: number) => `“${sentence.form(i)}” (${i})`;
  const error = (rule: Rule, word: number, message: string, at = link) =>
    report({ rule, level: "error", word, message, link: at });
  const roots: number[] = [];
  let missing = 0;
  for (let i = 1; i <= length; i++) {
    const head = heads[i]!;
    const label = sentence.deprel(i);
    if (head === 0) roots.push(i);
    if (head < 0) missing++;
    if (head < 0 && missing <= 3) error("head", i, `${name(i)} has no head.`);
    if (head === 0 && !isRootLabel(label) && label !== "_") {
      error("root-label", i, `${name(i)} is a root, but its label is ${label}.`, relationPage("root"));
    }
    if (head > 0 && isRootLabel(label)) {
      error("root-label", i, `${name(i)} has the label ${label}, but is not a root.`, relationPage("root"));
    }
  }
  if (missing > 3) error("head", 0, `${missing} words have no head.`);
  if (roots.length > 1) {
    error("one-root", roots[1]!, `There are ${roots.length} roots: ${roots.map(name).join(", ")}.`);
  }
  if (roots.length === 0 && missing === 0 && length > 0) error("one-root", 0, "No word is the root.");
  const cycle = findCycle(heads);
  if (cycle) {
    const path = [...cycle, cycle[0]!].slice(0, 8).map((i) => sentence.form(i));
    error("cycle", cycle[0]!, `The heads form a cycle: ${path.join(" → ")}${cycle.length > 7 ? " → …" : ""}.`);
  }
  // Below several roots, arcs cross for that reason alone.
  if (roots.length !== 1 || !isTree(heads)) return;
  for (const i of nonProjectiveArcs(heads)) {
    if (sentence.deprel(i).split(":")[0] === "punct") {
      error(
        "punct-projective",
        i,
        `The arc to the punctuation mark ${name(i)} crosses another arc.`,
        relationPage("punct"),
      );
    }
  }
}
