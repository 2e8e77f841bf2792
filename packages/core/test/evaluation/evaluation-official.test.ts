// Counts of the official program: udeval of udtools 0.2.9 (UniversalDependencies/tools, eval.py), run once on the files
// of official-systems.ts, and recorded as [correct, gold, system, aligned], -1 where it counts no aligned words.
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { evaluate, type ScoreName } from "../../src/evaluation.js";
import { readTreebank } from "../../src/treebank.js";
import { officialPair } from "./official-systems.js";

const COUNTS = JSON.parse(readFileSync(new URL("official-counts.json", import.meta.url), "utf8")) as Record<
  string,
  Record<ScoreName, number[]>
>;

test.each(Object.keys(COUNTS))("all metrics of system %s have the official counts", (seed) => {
  const { gold, system } = officialPair(Number(seed));
  const { scores } = evaluate(readTreebank(gold), readTreebank(system));
  for (const [name, counts] of Object.entries(COUNTS[seed]!) as [ScoreName, number[]][]) {
    const { correct, gold, system, aligned } = scores[name];
    expect([name, correct, gold, system, aligned]).toEqual([name, ...counts]);
  }
});

test("the systems differ in tokens, words, sentences and all else", () => {
  const all = Object.values(COUNTS);
  for (const name of Object.keys(all[0]!) as ScoreName[]) {
    expect(
      all.some((counts) => counts[name][0]! < counts[name][1]!),
      name,
    ).toBe(true);
    expect(
      all.some((counts) => counts[name][0]! > 0),
      name,
    ).toBe(true);
  }
});

const rows = (...lines: string[]) => `${lines.map((line) => `${line.replace(/ +/g, "\t")}\n`).join("")}\n`;

describe("empty nodes", () => {
  const GOLD = rows(
    "1 Ada ada X _ _ 2 nsubj 2:nsubj _",
    "2 buys buy X _ _ 0 root 0:root _",
    "3 books book X _ _ 2 obj 2:obj _",
    "4 and and X _ _ 5 cc 5.1:cc _",
    "5 Ben ben X _ _ 2 conj 5.1:nsubj|5.2:nsubj:xsubj _",
    "5.1 _ _ X _ _ _ _ 0:root|2:conj:and _",
    "5.2 _ _ X _ _ _ _ 5.1:xcomp _",
    "6 pens pen X _ _ 5 orphan 5.2:obj _",
  );
  const SYSTEM = GOLD.replace("5.1:nsubj|5.2:nsubj:xsubj", "5.1:nsubj").replace("2:conj:and", "2:conj");

  test("paths through them are arcs, as the official program for that makes them", () => {
    // The same with the empty nodes taken out by hand.
    const collapsed = (text: string) =>
      text
        .replace(/^5\.\d.*\n/gm, "")
        .replace("5.1:cc", "0:root>cc|2:CONJ>cc")
        .replace("5.2:nsubj:xsubj", "0:root>xcomp>nsubj:xsubj|2:CONJ>xcomp>nsubj:xsubj")
        .replace("5.1:nsubj", "0:root>nsubj|2:CONJ>nsubj")
        .replace("5.2:obj", "0:root>xcomp>obj|2:CONJ>xcomp>obj")
        .replaceAll("CONJ", text === GOLD ? "conj:and" : "conj");
    const [a, b] = [GOLD, SYSTEM].map((text) => readTreebank(text)) as [never, never];
    const [c, d] = [GOLD, SYSTEM].map((text) => readTreebank(collapsed(text))) as [never, never];
    const whole = evaluate(a, b).scores;
    expect(whole.elas).toEqual(evaluate(c, d).scores.elas);
    // As udeval counts the files without empty nodes.
    expect([whole.elas.correct, whole.elas.gold, whole.elas.system]).toEqual(ELAS);
    expect([whole.eulas.correct, whole.eulas.gold, whole.eulas.system]).toEqual(EULAS);
  });

  // The arcs into they that the official program (enhanced_collapse_empty_nodes.pl) makes of these; it allows a whole
  // path to pass a node twice where both halves are known by then.
  test.each([
    ["2.1", "2.1:obj", ["2:nsubj", "2:conj>nsubj", "2:conj>obj>acl:relcl>nsubj"]],
    ["2.2", "2.1:obj", ["2:nsubj", "2:conj>obj>nsubj"]],
    ["2.1", "2:conj|2.1:obj", ["2:nsubj", "2:conj>nsubj", "2:conj>acl:relcl>nsubj", "2:conj>obj>acl:relcl>nsubj"]],
  ])("nodes that form a cycle: nsubj of %s, 2.2 below %s", (from, above, arcs) => {
    const graph = (deps: string, ...nodes: readonly string[]) =>
      rows(`1 they they X _ _ 2 nsubj ${deps} _`, "2 have have X _ _ 0 root 0:root _", ...nodes);
    const cyclic = graph(
      `2:nsubj|${from}:nsubj`,
      "2.1 _ _ X _ _ _ _ 2:conj|2.2:acl:relcl _",
      `2.2 _ _ X _ _ _ _ ${above} _`,
    );
    const { elas } = evaluate(readTreebank(cyclic), readTreebank(graph(arcs.join("|")))).scores;
    expect([elas.correct, elas.gold, elas.system]).toEqual([arcs.length + 1, arcs.length + 1, arcs.length + 1]);
  });

  test("paths through two nodes that join the same words by the same labels are one arc", () => {
    const twice = rows(
      "1 they they X _ _ 2 nsubj 2:nsubj|2.1:nsubj|2.2:nsubj _",
      "2 have have X _ _ 0 root 0:root _",
      "2.1 _ _ X _ _ _ _ 2:conj _",
      "2.2 _ _ X _ _ _ _ 2:conj _",
    );
    const { elas, eulas } = evaluate(readTreebank(twice), readTreebank(twice)).scores;
    // Arcs into they: 2:nsubj and 2:conj>nsubj.
    expect([elas.correct, elas.gold, elas.system]).toEqual([3, 3, 3]);
    expect([eulas.correct, eulas.gold, eulas.system]).toEqual([3, 3, 3]);
    // From other words they are others: 1:conj>nsubj and 2:conj>nsubj.
    const apart = rows(
      "1 come come X _ _ 0 root 0:root _",
      "2 go go X _ _ 1 conj 1:conj _",
      "2.1 _ _ X _ _ _ _ 1:conj _",
      "2.2 _ _ X _ _ _ _ 2:conj _",
      "3 they they X _ _ 2 nsubj 2.1:nsubj|2.2:nsubj _",
    );
    expect(evaluate(readTreebank(apart), readTreebank(apart)).scores.elas.gold).toBe(4);
  });

  test("an arc from a node that is not there does not count", () => {
    const text = GOLD.replace("5.1:cc", "9.1:cc");
    const { elas } = evaluate(readTreebank(text), readTreebank(text)).scores;
    expect([elas.correct, elas.gold, elas.system]).toEqual([9, 9, 9]);
  });

  test("empty nodes that all depend on each other are refused, and soon", () => {
    const ids = Array.from({ length: 12 }, (_, k) => `1.${k + 1}`);
    const below = (own: string) => ["0:root", ...ids.filter((id) => id !== own).map((id) => `${id}:dep`)].join("|");
    const rows = ids.map((id) => `${id}\te\te\tNOUN\t_\t_\t_\t_\t${below(id)}\t_`);
    const [sentence] = readTreebank(`1\ta\ta\tNOUN\t_\t_\t0\troot\t${below("")}\t_\n${rows.join("\n")}\n\n`);
    expect(() => evaluate([sentence!], [sentence!])).toThrow(
      '1: invalid DEPS: "more than 10000 paths through empty nodes" (expected fewer',
    );
  });

  test("a cycle of empty nodes ends", () => {
    const text = GOLD.replace("0:root|2:conj:and", "2:conj:and|5.2:dep");
    const { elas } = evaluate(readTreebank(text), readTreebank(text)).scores;
    expect(elas.f1).toBe(1);
  });
});

const ELAS = [6, 11, 9];
const EULAS = [9, 11, 9];
