// Repairs of what can be repaired in one way only. None of them chooses between two readings of a treebank.

import { check, STRING } from "../../checks/options.js";
import { arcsOf } from "./rows/arcs.js";
import { DEPREL, DEPS, FEATS, FORM, HEAD, ID, LEMMA, MISC } from "./rows/rows.js";
import { trimmed } from "./rows/white-space.js";
import type { Rule } from "./violation.js";

/** The rules whose violations `repairedLines` repairs. */
export const FIXABLE: ReadonlySet<Rule> = new Set<Rule>([
  "empty-column",
  "empty-node-nonempty-field",
  "extra-empty-line",
  "leading-whitespace",
  "misplaced-comment",
  "missing-empty-line",
  "mwt-nonempty-field",
  "non-unix-newline",
  "nospaceafter-yes",
  "pseudo-empty-line",
  "repeated-deps",
  "repeated-feature-value",
  "repeated-whitespace",
  "spaceafter-empty-node",
  "spaceafter-mwt-node",
  "text-trailing-whitespace",
  "trailing-whitespace",
  "unicode-normalization",
  "unsorted-deps",
  "unsorted-deps-2",
  "unsorted-feature-values",
  "unsorted-features",
]);

/**
 * The lines of a sentence, in CoNLL-U, with everything repaired that can be in one way only (`FIXABLE`); lines that
 * need nothing keep their bytes. What has no words is left as it is.
 *
 * @param text a treebank in CoNLL-U
 * @example
 * ```ts
 * import { repairedLines } from "@stemma/core/treebank";
 *
 * console.log(repairedLines("1\tbooks\tbook\tNOUN\t_\tNumber=Plur|Case=Nom\t0\troot\t_\t_\n"));
 * ```
 */
export function repairedLines(text: string): string {
  check("text", text, STRING);
  const lines = text.replaceAll("\r\n", "\n").normalize("NFC").split("\n");
  const comments: string[] = [];
  const rows: string[] = [];
  // Last word of the multiword token that was read.
  let inside = 0;
  for (const line of lines) {
    if (line.startsWith("#")) comments.push(/^#\s*text\s*=/.test(line) ? trimmed(line) : line);
    else if (line.trim() !== "") {
      const columns = line.split("\t");
      if (columns.length !== 10) rows.push(line);
      else {
        const [, to] = /^\d+-(\d+)$/.exec(columns[ID]!) ?? [];
        if (to !== undefined) inside = Number(to);
        rows.push(repairedColumns(columns, Number(columns[ID]) <= inside).join("\t"));
      }
    }
  }
  return rows.length === 0 ? text : `${[...comments, ...rows].join("\n")}\n\n`;
}

function repairedColumns(columns: string[], isPart: boolean): string[] {
  const own = columns.map((value) => value || "_");
  const isToken = own[ID]!.includes("-");
  const isEmpty = own[ID]!.includes(".");
  for (const c of [FORM, LEMMA, MISC]) own[c] = trimmed(own[c]!).replace(/\p{White_Space}{2,}/gu, " ") || "_";
  if (isToken) {
    const typo = own[FEATS] === "Typo=Yes" ? "Typo=Yes" : "_";
    own.fill("_", LEMMA, MISC);
    own[FEATS] = typo;
  }
  if (isEmpty) own[HEAD] = own[DEPREL] = "_";
  if (own[FEATS] !== "_") own[FEATS] = sortedFeatures(own[FEATS]!);
  if (own[DEPS]!.includes("|")) own[DEPS] = sortedArcs(own[DEPS]!);
  if (own[MISC]!.includes("SpaceAfter=")) {
    const items = own[MISC]!.split("|").map((item) => (item === "NoSpaceAfter=Yes" ? "SpaceAfter=No" : item));
    const kept = isPart || isEmpty ? items.filter((item) => item !== "SpaceAfter=No") : items;
    own[MISC] = [...new Set(kept)].join("|") || "_";
  }
  return own;
}

const lower = (a: string, b: string) => order(a.toLowerCase(), b.toLowerCase());

function order<T extends string | number>(a: T, b: T): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function sortedFeatures(feats: string): string {
  const features = feats.split("|").map((feature) => {
    const equals = feature.indexOf("=");
    if (equals < 0 || !feature.includes(",")) return feature;
    const values = [...new Set(feature.slice(equals + 1).split(","))].sort(lower);
    return `${feature.slice(0, equals)}=${values.join(",")}`;
  });
  return features.sort(lower).join("|");
}

/** DEPS in the order of heads (3 before 3.1 before 4), then of relations, each once. */
export function sortedArcs(deps: string): string {
  const placeOf = (head: string) => head.split(".").map(Number) as [number, number?];
  const arcs = arcsOf(deps).sort((a, b) => {
    const [[word, node = 0], [otherWord, otherNode = 0]] = [placeOf(a.head), placeOf(b.head)];
    return order(word, otherWord) || order(node, otherNode) || order(a.label, b.label);
  });
  return [...new Set(arcs.map(({ head, label }) => `${head}:${label}`))].join("|");
}
