import { spawnSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { STEMMA } from "../stemma.js";

// The real command in its own process. Needs `npm run build`.

function run(input: string) {
  const { stdout, stderr, status } = spawnSync(process.execPath, [STEMMA, "oracle"], {
    input,
    encoding: "utf8",
    maxBuffer: 1 << 28,
  });
  return { lines: stdout === "" ? [] : stdout.replace(/\n$/, "").split("\n"), stderr, status };
}

/** Asks all queries at once. */
function ask(...queries: object[]) {
  return run(queries.map((query) => JSON.stringify(query)).join("\n")).lines.map((line) => JSON.parse(line));
}

describe("answers", () => {
  test("the example of the manual, to the letter", () => {
    const query = '{"system":"arc-eager","root":"last","heads":[2,0,2],"history":["SHIFT","LEFT-ARC"]}\n';
    expect(run(query)).toEqual({
      lines: ['{"stack":[],"buffer":[2,3,0],"arcs":[[2,1]],"terminal":false,"loss":0,"costs":{"SHIFT":0}}'],
      stderr: "",
      status: 0,
    });
  });

  test("the spines of LR-spines", () => {
    const history = ["SHIFT", "SHIFT", "LEFT-ARC-1", "SHIFT", "RIGHT-ARC-1"];
    const [answer] = ask({ system: "lr-spines", root: "none", heads: [2, 0, 2, 3], history });
    expect(answer).toEqual({
      stack: [{ left: [2, 1], right: [2, 3] }],
      buffer: [4],
      arcs: [
        [2, 1],
        [2, 3],
      ],
      terminal: false,
      loss: 0,
      costs: { SHIFT: 0 },
    });
  });

  test("labelled costs, for the gold labels and those of the history", () => {
    const labels = ["nsubj", "root"];
    const [before, after] = ask(
      { system: "arc-standard", root: "last", heads: [2, 0], labels, history: ["SHIFT", "SHIFT"] },
      { system: "arc-standard", root: "last", heads: [2, 0], labels, history: ["SHIFT", "SHIFT", "LEFT-ARC:obj"] },
    );
    expect(before.costs).toEqual({ "LEFT-ARC": 0, "RIGHT-ARC": 2, SHIFT: 1 });
    expect(before.labelledLoss).toBe(0);
    expect(before.labelledCosts).toEqual({
      "LEFT-ARC:nsubj": 0,
      "LEFT-ARC:root": 1,
      "RIGHT-ARC:nsubj": 2,
      "RIGHT-ARC:root": 2,
      SHIFT: 1,
    });
    expect([after.loss, after.labelledLoss]).toEqual([0, 1]);
  });

  test("labels where arcs are undone: a wrong one is lost once, and no arc that will go counts", () => {
    const [removed, repaired] = ask(
      {
        ...{ system: "disfluencies", root: "first", heads: [0, 1, 1], labels: ["r", "a", "b"] },
        ...{ removed: ["", "RP", ""], history: ["RIGHT-ARC:r", "RIGHT-ARC:b"] },
      },
      {
        ...{ system: "arc-eager", monotonic: false, root: "first", heads: [0, 0], labels: ["a", "a"] },
        history: ["RIGHT-ARC:b"],
      },
    );
    expect(removed.labelledLoss).toBe(0);
    expect([repaired.loss, repaired.labelledLoss]).toEqual([0, 1]);
    expect(repaired.costs["LEFT-ARC"]).toBe(1);
    expect(repaired.labelledCosts["LEFT-ARC:a"]).toBe(0);
  });

  test("partial heads: null, -1 and _ are words for which any head will do", () => {
    const query = { system: "arc-standard", root: "last", history: ["SHIFT", "SHIFT"] };
    const answers = ask(
      ...[null, -1, "_"].map((any) => ({ ...query, heads: [any, 0] })),
      { ...query, heads: [null, 0], labels: [null, "root"] },
      { ...query, heads: [2, 0], labels: [null, "root"] },
    );
    for (const { loss, costs } of answers.slice(0, 4)) {
      expect([loss, costs]).toEqual([0, { "LEFT-ARC": 0, "RIGHT-ARC": 1, SHIFT: 0 }]);
    }
    expect(answers[3].labelledCosts).toEqual({ "LEFT-ARC:root": 0, "RIGHT-ARC:root": 1, SHIFT: 0 });
    expect(answers[4].error).toBe("invalid labels[0]: null (expected a string)");
  });

  test("Attardi with degree 2 and 3", () => {
    const query = { system: "attardi", root: "none", heads: [4, 0, 2, 2], history: Array(4).fill("SHIFT") };
    const [two, three] = ask(query, { ...query, degree: 3 });
    expect(Object.keys(two.costs).sort()).toEqual(["LEFT-ARC", "LEFT-ARC-2", "RIGHT-ARC", "RIGHT-ARC-2"]);
    expect(two.loss).toBe(1);
    expect(three).toMatchObject({ loss: 0, costs: { "LEFT-ARC-3": 0 } });
  });

  test("one root when asked to, also for a gold tree with two", () => {
    const [answer] = ask({ system: "arc-hybrid", heads: [0, 0], history: ["SHIFT", "SHIFT"], singleRoot: true });
    expect(answer).toMatchObject({ loss: 1, costs: { "RIGHT-ARC": 0 } });
  });

  test("no costs for 2-planar with one root when the sentence is too long to search, but everything else", () => {
    // Every word hangs on one that is far away, so that most of the orders have to be gone through.
    const heads = Array.from({ length: 400 }, (_, i) => (i === 0 ? 0 : 1 + ((7 * i) % i)));
    const [short, long, swapped] = ask(
      { system: "two-planar", heads: [0, 4, 1, 1], singleRoot: true },
      { system: "two-planar", heads, singleRoot: true },
      { system: "swap", heads },
    );
    expect(short).toMatchObject({ loss: 0, costs: { SHIFT: 0 } });
    expect(short).not.toHaveProperty("exact");
    expect(long).toMatchObject({ terminal: false, loss: null, costs: { SHIFT: null }, exact: false });
    // Swap has bounds.
    expect(swapped).toMatchObject({ terminal: false, loss: 0, costs: { SHIFT: 0 } });
    expect(swapped).not.toHaveProperty("exact");
  });
});

test("says where a loss is only an upper bound", () => {
  // Arcs that cross, in a sentence of three words and in one of thirty.
  const crossing = [3, 4, 0, 3];
  const long = [...crossing, ...Array.from({ length: 26 }, (_, i) => i + 4)];
  for (const system of ["arc-standard", "lr-spines"]) {
    const [short, rough] = ask({ system, heads: crossing }, { system, heads: long });
    expect(short).not.toHaveProperty("exact");
    expect(rough).toMatchObject({ loss: 1, exact: false });
  }
  const [eager] = ask({ system: "arc-eager", heads: long });
  expect(eager).not.toHaveProperty("exact");
});

test("cyclic heads are an error in every system", () => {
  const systems = ["arc-standard", "arc-eager", "arc-hybrid", "attardi", "swap", "lr-spines"];
  const queries = systems.flatMap((system) => [
    { system, heads: [2, 1] },
    { system, heads: [0, 3, 2], singleRoot: true },
  ]);
  for (const answer of ask(...queries)) expect(answer).toEqual({ error: expect.stringMatching(/form a cycle/) });
});

test("a bad query gives an error on its line, the others are answered, and the exit status is 1", () => {
  const good = { system: "arc-eager", heads: [0] };
  const bad: [unknown, RegExp][] = [
    ["{", /^invalid JSON: /],
    [[], /^invalid query: \[\] \(expected an object/],
    [{ ...good, system: undefined }, /^missing system/],
    [{ ...good, system: "arc-eagre" }, /^unknown transition system: arc-eagre \(expected one of arc-eager, /],
    [{ ...good, system: ["arc-eager"] }, /^invalid system: \["arc-eager"\]/],
    [{ ...good, root: "middle" }, /^invalid root: "middle" \(expected one of first, last, none\)/],
    [{ ...good, heads: "0" }, /^invalid heads: "0"/],
    [
      { ...good, heads: ["0"] },
      /^invalid heads\[0\]: "0" \(expected a node from 0 to 1, or null if any head will do\)/,
    ],
    [{ ...good, heads: [2, 0, 4] }, /^invalid heads\[2\]: 4/],
    [{ ...good, heads: [1] }, /^invalid heads\[0\]: 1 \(word 1 cannot be its own head\)/],
    [{ ...good, heads: [2, 1] }, /^invalid heads: the words 1, 2 form a cycle/],
    [{ ...good, history: ["POP"] }, /^invalid history\[0\]: POP \(arc-eager has LEFT-ARC, RIGHT-ARC, REDUCE, SHIFT\)/],
    [{ ...good, history: ["SHIFT", "SHIFT"] }, /^invalid history\[1\]: SHIFT \(expected LEFT-ARC\)/],
    [{ ...good, history: ["SHIFT", "LEFT-ARC", "SHIFT"] }, /^invalid history\[2\]: SHIFT \(expected nothing more/],
    [{ ...good, labels: [] }, /^invalid labels: 0 of them \(expected 1/],
    [
      { ...good, system: "attardi", degree: 1 },
      /^invalid degree of attardi: 1 \(expected a whole number from 2 to 32\)/,
    ],
    [{ ...good, singleRoot: 1 }, /^invalid singleRoot: 1/],
  ];
  const text = (query: unknown) => (typeof query === "string" ? query : JSON.stringify(query));
  const { lines, stderr, status } = run(bad.map(([query]) => `${text(query)}\n${text(good)}\n`).join(""));
  expect({ stderr, status }).toEqual({ stderr: "", status: 1 });
  expect(lines).toHaveLength(2 * bad.length);
  bad.forEach(([, expected], i) => {
    expect(JSON.parse(lines[2 * i]!)).toEqual({ error: expect.stringMatching(expected) });
    expect(JSON.parse(lines[2 * i + 1]!).buffer).toEqual([1, 0]);
  });
});

test("blank lines are no queries, CRLF and a missing last newline do not matter, no input is no error", () => {
  const query = JSON.stringify({ system: "arc-eager", heads: [0] });
  expect(run(`\n${query}\r\n\r\n \n${query}`).lines).toHaveLength(2);
  expect(run("")).toEqual({ lines: [], stderr: "", status: 0 });
});

test("empty and very long sentences", () => {
  const heads = Array.from({ length: 150_000 }, (_, i) => i);
  const [empty, long] = ask({ system: "arc-eager", heads: [] }, { system: "arc-hybrid", heads });
  expect(empty).toEqual({ stack: [], buffer: [0], arcs: [], terminal: true, loss: 0, costs: {} });
  expect(long).toMatchObject({ loss: 0, costs: { SHIFT: 0 } });
});

test("20,000 queries come back in order", () => {
  const queries = Array.from({ length: 20_000 }, (_, i) => ({
    system: ["arc-standard", "arc-eager", "arc-hybrid", "attardi", "lr-spines"][i % 5],
    root: ["first", "last", "none"][i % 3],
    heads: [2, 0, 2, 5, 3, 2].slice(0, 3 + (i % 4)).map((head, _, { length }) => Math.min(head, length)),
    history: Array(i % 3).fill("SHIFT"),
  })).map((query) => ({ ...query, heads: query.heads.map((head, d) => (head === d + 1 ? 2 : head)) }));
  const answers = ask(...queries);
  expect(answers).toHaveLength(queries.length);
  answers.forEach((answer, i) => {
    const nodes = queries[i]!.heads.length + (queries[i]!.root === "none" ? 0 : 1);
    if (answer.error || answer.stack.length + answer.buffer.length !== nodes) expect.fail(JSON.stringify(queries[i]));
  });
});
