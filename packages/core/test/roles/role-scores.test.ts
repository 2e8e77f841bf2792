import { expect, test } from "vitest";
import { evaluate } from "../../src/evaluation.js";
import { RoleScores } from "../../src/roles/role-scores.js";
import { readTreebank } from "../../src/treebank.js";

type Predicates = Parameters<RoleScores["add"]>[0][number]["predicates"];

const predicate = (word: number, sense: string, ...own: [word: number, role: string][]) => ({
  word,
  sense,
  arguments: own.map(([word, role]) => ({ word, role })),
});

function scoresOf(gold: Predicates, system: Predicates): RoleScores {
  const scores = new RoleScores();
  scores.add([{ length: 9, predicates: gold }], [{ length: 9, predicates: system }]);
  return scores;
}

const counts = ({ correct, gold, system }: RoleScores["labelled"]) => [correct, gold, system];

test("a sense and every role are one semantic dependency each", () => {
  const scores = scoresOf(
    [predicate(2, "want.01", [1, "ARG0"], [4, "ARG1"]), predicate(4, "read.01", [1, "ARG0"], [6, "ARG1"])],
    // One sense wrong, one role wrong, one argument missing, one too many.
    [predicate(2, "want.02", [1, "ARG0"], [4, "ARG2"]), predicate(4, "read.01", [6, "ARG1"], [7, "ARGM-TMP"])],
  );
  // Right with labels: want → Mary, read.01, read → letter.
  expect(counts(scores.labelled)).toEqual([3, 6, 6]);
  expect(counts(scores.unlabelled)).toEqual([5, 6, 6]);
  expect(scores.labelled.f1).toBe(0.5);
  expect(counts(scores.predicates)).toEqual([2, 2, 2]);
  expect(counts(scores.senses)).toEqual([1, 2, 2]);
  expect(scores.senseAccuracy).toBe(0.5);
  expect(counts(scores.arguments)).toEqual([2, 4, 4]);
  expect(counts(scores.argumentsUnlabelled)).toEqual([3, 4, 4]);
  expect(counts(scores.propositions)).toEqual([0, 2, 2]);
});

test("arguments of a word that is no predicate are wrong, and those of a missed predicate are missed", () => {
  const scores = scoresOf([predicate(2, "go.01", [1, "ARG0"])], [predicate(3, "go.01", [1, "ARG0"], [2, "ARG1"])]);
  expect(counts(scores.labelled)).toEqual([0, 2, 3]);
  expect(counts(scores.unlabelled)).toEqual([0, 2, 3]);
  expect(scores.senseAccuracy).toBe(0);
});

test("as in CoNLL-2009 the number of a sense counts, and joined roles one by one", () => {
  const [gold, system] = [predicate(2, "evacuate.01", [1, "A0|A1"]), predicate(2, "evacuation.01", [1, "A1"])];
  const scores = scoresOf([gold], [system]);
  expect(counts(scores.labelled)).toEqual([2, 3, 2]);
  expect(scores.labelled.f1).toBe(0.8);
  // Without labels the two roles are two arcs, of which the system has one.
  expect(counts(scores.unlabelled)).toEqual([2, 3, 2]);
  expect(counts(scoresOf([system], [gold]).argumentsUnlabelled)).toEqual([1, 1, 2]);
  expect(counts(scores.propositions)).toEqual([0, 1, 1]);
  expect(scores.toJSON().definition).toBe("conll09");
  expect(Object.keys(scores.toJSON().role)).toEqual(["A1", "A0"]);
  expect(
    counts(scoresOf([predicate(2, "x.01", [1, "A1|A0"])], [predicate(2, "x.01", [1, "A0|A1"])]).propositions),
  ).toEqual([1, 1, 1]);
  expect(counts(scoresOf([predicate(2, "x.01")], [predicate(2, "x.02")]).senses)).toEqual([0, 1, 1]);

  const strict = new RoleScores({ strict: true });
  strict.add([{ length: 9, predicates: [gold] }], [{ length: 9, predicates: [{ ...system, sense: "evacuate.01" }] }]);
  expect(strict.labelled.f1).toBe(0.5);
  expect(strict.toJSON().definition).toBe("strict");
  strict.add([{ length: 9, predicates: [gold] }], [{ length: 9, predicates: [system] }]);
  expect(counts(strict.senses)).toEqual([1, 2, 2]);
  expect(counts(strict.unlabelled)).toEqual([4, 4, 4]);
});

// As eval09.pl 0.4 of the shared task compares senses.
test.each([
  ["go.01", "go.1", true],
  ["go.10", "go.01", false],
  ["go.01", "01", true],
  ["go.LV", "do.LV", true],
  // Where there is not exactly one "." between others, the sense is all of it.
  ["a.b.01", "c.01", false],
  ["go.", "do.", false],
  ["go", "do", false],
])("is the sense %s the same as %s? %s", (gold, system, isSame) => {
  expect(scoresOf([predicate(2, gold)], [predicate(2, system)]).senses.correct).toBe(isSame ? 1 : 0);
});

test("a whole proposition has its sense and all arguments right, no more and no fewer", () => {
  const gold = predicate(2, "go.01", [1, "ARG0"]);
  expect(counts(scoresOf([gold], [gold]).propositions)).toEqual([1, 1, 1]);
  expect(counts(scoresOf([gold], [predicate(2, "go.01", [1, "ARG0"], [3, "A"])]).propositions)).toEqual([0, 1, 1]);
  const more = predicate(2, "go.01", [1, "ARG0"], [3, "A"]);
  expect(counts(scoresOf([more], [gold]).propositions)).toEqual([0, 1, 1]);
  expect(counts(scoresOf([predicate(2, "go.01")], [predicate(2, "go.01")]).propositions)).toEqual([1, 1, 1]);
  expect(counts(scoresOf([], []).labelled)).toEqual([0, 0, 0]);
});

test("by role and by distance", () => {
  const scores = scoresOf([predicate(2, "x", [1, "A"], [9, "B"])], [predicate(2, "x", [1, "A"], [9, "A"])]);
  const { role, distance } = scores.toJSON();
  expect(Object.keys(role)).toEqual(["A", "B"]);
  expect(role.A).toMatchObject({ gold: 1, system: 2, labelled: { precision: 0.5, recall: 1 } });
  expect(role.B).toMatchObject({ gold: 1, system: 0, labelled: { f1: 0 }, unlabelled: { recall: 1 } });
  expect(Object.keys(distance)).toEqual(["1", "7-10"]);
  expect(distance["7-10"]).toMatchObject({ gold: 1, system: 1, labelled: { f1: 0 }, unlabelled: { f1: 1 } });
});

const line = (i: number, form: string, head: number, misc = "_") =>
  `${i}\t${form}\t_\tX\t_\t_\t${head}\t${head === 0 ? "root" : "dep"}\t_\t${misc}\n`;

test("words that are cut differently are aligned", () => {
  const gold = readTreebank(
    `${line(1, "He", 2)}${line(2, "can", 0)}${line(3, "not", 2)}${line(4, "go", 2, "Pred=go.01|Args=1:ARG0,3:ARGM-NEG")}\n`,
  );
  const system = readTreebank(
    `${line(1, "He", 2)}${line(2, "cannot", 0)}${line(3, "go", 2, "Pred=go.01|Args=1:ARG0,2:ARGM-NEG")}\n`,
  );
  const roles = new RoleScores();
  evaluate(gold, system, { also: [roles] });
  // "cannot" is no gold word, so its role is wrong.
  expect(counts(roles.labelled)).toEqual([2, 3, 3]);
  expect(evaluate(gold, system).toJSON().roles).toBeUndefined();
  expect(evaluate(gold, gold, { also: [new RoleScores()] }).toJSON().roles).toMatchObject({ labelled: { f1: 1 } });
});
