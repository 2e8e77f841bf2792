// Arguments that sentence.clauses() gets right: those of predicates, compared with the enhanced dependencies of a treebank,
// from its gold trees and from the trees that a model gives for its gold tokens.
//
//   node bench/accuracy/clauses.mjs TREEBANK.conllu [MODEL.stemma] [--wrong N]
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { load, readTreebank } from "../../packages/core/dist/index.js";

/** @typedef {import("../../packages/core/dist/index.js").Sentence} Sentence */

const { positionals, values } = parseArgs({ allowPositionals: true, options: { wrong: { type: "string" } } });
const [treebank, model] = positionals;
if (treebank === undefined) throw new Error("expected the path of a treebank with enhanced dependencies");
const gold = readTreebank(readFileSync(treebank), { allowNonTrees: true });

/** Relations of the enhanced graph, by what clauses call them. */
const ROLES = { subject: /^[nc]subj\b/, object: /^obj\b/, indirectObject: /^iobj\b/, oblique: /^obl\b/ };

/** The arguments in the enhanced graph: "predicate role argument". @param {Sentence} sentence */
function goldArguments(sentence) {
  const found = new Set();
  for (const word of sentence.words) {
    for (const { head, deprel } of word.enhanced) {
      // Empty nodes are no words.
      if (head.includes(".") || head === "0") continue;
      for (const [role, pattern] of Object.entries(ROLES))
        if (pattern.test(deprel)) found.add(`${head} ${role} ${word.index}`);
    }
  }
  return found;
}

/** Each argument with what is coordinated with it, as in the enhanced graph. @param {Sentence} sentence */
function clauseArguments(sentence) {
  const found = new Set();
  for (const { predicate, subject, object, indirectObject, obliques } of sentence.clauses()) {
    for (const [role, words] of Object.entries({
      subject: [subject],
      object: [object],
      indirectObject: [indirectObject],
      oblique: obliques,
    }))
      for (const word of words) {
        if (!word) continue;
        for (const one of [word, ...word.children.filter(({ relation }) => relation === "conj")])
          if (!predicate.path.includes(one) || one === word) found.add(`${predicate.index} ${role} ${one.index}`);
      }
  }
  return found;
}

/** The same without rules: the relations of the tree. @param {Sentence} sentence */
function treeArguments(sentence) {
  const found = new Set();
  for (const { deprel, headIndex, index } of sentence.words)
    for (const [role, pattern] of Object.entries(ROLES))
      if (pattern.test(deprel)) found.add(`${headIndex} ${role} ${index}`);
  return found;
}

let left = Number(values.wrong ?? 0);

/** @param {string} name @param {readonly Sentence[]} system @param {(sentence: Sentence) => Set<string>} find */
function compare(name, system, find) {
  const counts = Object.fromEntries(
    [...Object.keys(ROLES), "all"].map((role) => [role, { gold: 0, found: 0, right: 0 }]),
  );
  gold.forEach((sentence, s) => {
    const expected = goldArguments(sentence);
    const found = find(/** @type {Sentence} */ (system[s]));
    for (const [key, set] of /** @type {const} */ ([
      ["gold", expected],
      ["found", found],
    ])) {
      for (const one of set) {
        const role = one.split(" ")[1] ?? "";
        for (const count of [counts[role], counts.all]) {
          if (!count) continue;
          count[key]++;
          if (key === "found" && expected.has(one)) count.right++;
        }
      }
    }
    const wrong = [
      ...[...found].filter((x) => !expected.has(x)).map((x) => `+ ${x}`),
      ...[...expected].filter((x) => !found.has(x)).map((x) => `- ${x}`),
    ];
    if (wrong.length > 0 && left > 0 && find === clauseArguments) {
      left--;
      console.log(
        `${sentence.words.map(({ index, form, deprel, headIndex }) => `${index}:${form}/${deprel}/${headIndex}`).join(" ")}\n  ${wrong.join("\n  ")}`,
      );
    }
  });
  console.log(
    `\n${name}\n${"".padEnd(16)}${["gold", "precision", "recall", "F1"].map((head) => head.padStart(10)).join("")}`,
  );
  for (const [role, { gold, found, right }] of Object.entries(counts)) {
    const precision = right / found;
    const recall = right / gold;
    const scores = [precision, recall, (2 * precision * recall) / (precision + recall)];
    console.log(
      `${role.padEnd(16)}${String(gold).padStart(10)}${scores.map((x) => (100 * x).toFixed(2).padStart(10)).join("")}`,
    );
  }
}

compare("relations of the gold trees", gold, treeArguments);
compare("clauses() of the gold trees", gold, clauseArguments);
if (model !== undefined) {
  const pipeline = await load(model);
  const system = gold.map((sentence) => pipeline.annotate(sentence, { retag: true }));
  compare(`relations of the trees of ${model}`, system, treeArguments);
  compare(`clauses() of the trees of ${model}`, system, clauseArguments);
}
