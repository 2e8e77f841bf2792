import { describe, expect, test } from "vitest";
import { Agreement, type AgreementSummary, evaluate } from "../../src/evaluation.js";
import { readTreebank } from "../../src/treebank.js";

type Arc = readonly [head: number, label: string];
const sentence = (...arcs: Arc[]) =>
  `${arcs.map(([head, label], i) => `${i + 1}\tw${i + 1}\t_\tX\t_\t_\t${head}\t${label}\t_\t_\n`).join("")}\n`;

/** Every pair of labels is counted in a table, and κ is read from it. */
function byHand(pairs: readonly (readonly [string, string])[], groupOf: (label: string) => string): number {
  const n = pairs.length;
  const groups = new Set(pairs.flat().map(groupOf));
  let expected = 0;
  for (const group of groups) {
    const [p, q] = [0, 1].map((side) => pairs.filter((pair) => groupOf(pair[side]!) === group).length / n);
    expected += p! * q!;
  }
  const observed = pairs.filter(([a, b]) => groupOf(a) === groupOf(b)).length / n;
  return (observed - expected) / (1 - expected);
}

describe("agreement of two annotators", () => {
  const first = sentence([2, "nsubj"], [0, "root"], [2, "obj"], [2, "obl:tmod"]) + sentence([0, "root"], [1, "obj"]);
  const second = sentence([2, "nsubj"], [0, "root"], [2, "obl"], [3, "obl"]) + sentence([0, "root"], [1, "obj"]);

  const agreementOf = (labels: "universal" | "full"): AgreementSummary => {
    const agreement = new Agreement();
    const { scores } = evaluate(readTreebank(first), readTreebank(second), { labels, also: [agreement] });
    const summary = agreement.toJSON();
    expect(summary.uas).toBe(scores.uas.f1);
    expect(summary.las).toBe(scores.las.f1);
    expect(summary.labels).toBe(scores.labels.f1);
    return summary;
  };

  test.each(["universal", "full"] as const)("is that of the tables of pairs, with %s labels", (labels) => {
    const name = (label: string) => (labels === "full" ? label : label.split(":")[0]!);
    const pairs = [
      ["nsubj", "nsubj"],
      ["root", "root"],
      ["obj", "obl"],
      [name("obl:tmod"), "obl"],
      ["root", "root"],
      ["obj", "obj"],
    ] as const;
    const summary = agreementOf(labels);
    expect(summary.words).toBe(6);
    expect(summary.kappa).toBeCloseTo(
      byHand(pairs, (label) => label),
      12,
    );
    expect(Object.keys(summary.relations)).toEqual(
      labels === "full" ? ["root", "obj", "nsubj", "obl", "obl:tmod"] : ["root", "obj", "obl", "nsubj"],
    );
    for (const [relation, { kappa }] of Object.entries(summary.relations)) {
      expect(kappa, relation).toBeCloseTo(
        byHand(pairs, (label) => String(label === relation)),
        12,
      );
    }
    expect(summary.relations.obj).toMatchObject({ first: 2, second: 1, both: 1, sameArc: 1 });
  });

  test("is unknown, not perfect, where nobody had a choice", () => {
    const agreement = new Agreement();
    agreement.add("root", "root", true);
    expect(agreement.toJSON()).toMatchObject({ uas: 1, las: 1, kappa: null, relations: { root: { kappa: null } } });
    expect(new Agreement().toJSON()).toMatchObject({ words: 0, uas: 0, kappa: null });
  });
});
