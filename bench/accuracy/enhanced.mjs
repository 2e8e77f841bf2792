// ELAS of enhanced dependencies from gold trees: node bench/accuracy/enhanced.mjs TRAIN DEV [--errors N]
// Also of the sentences of TRAIN with orphans, with and without empty nodes: DEV has hardly any.
import { readFileSync } from "node:fs";
import { Enhancer } from "../../packages/core/dist/enhanced/enhancer.js";
import { trainEnhanced } from "../../packages/core/dist/enhanced/learning/enhanced-training.js";
import { evaluate } from "../../packages/core/dist/evaluation.js";
import { readTreebank } from "../../packages/core/dist/treebank.js";

const [train, dev, , errors = "0"] = process.argv.slice(2);
const sentencesOf = (file) => [...readTreebank(readFileSync(file, "utf8"))];
const labelsOf = (sentence) => ["", ...sentence.words.map(({ deprel }) => deprel)];
const learned = sentencesOf(train);
const started = performance.now();
const header = trainEnhanced(learned);
console.log(
  `trained in ${((performance.now() - started) / 1000).toFixed(1)} s: ${Object.keys(header.labels).length} ways, ${Object.keys(header.weights).length} weights, ${JSON.stringify(header).length} characters, gaps: ${header.gaps}`,
);

/** Copies with the graphs that are found. */
function enhanced(sentences, header) {
  const enhancer = new Enhancer(header);
  return sentences.map((sentence) => {
    const copy = sentence.copy();
    enhancer.annotate(sentence, { heads: sentence.heads, labels: labelsOf(sentence) }).writeTo(copy);
    return copy;
  });
}

/** Copies with the tree as the graph. */
function plain(sentences) {
  return sentences.map((sentence) => {
    const copy = sentence.copy();
    for (let d = 1; d <= copy.length; d++) copy.set("deps", d, `${copy.heads[d]}:${copy.deprel(d)}`);
    return copy;
  });
}

function print(name, gold, system) {
  const { elas, eulas } = evaluate(gold, system).scores;
  const { correct, gold: wanted, system: found } = elas;
  const f1 = (score) => (100 * score.f1).toFixed(2);
  console.log(`${name}: ELAS ${f1(elas)} (${correct} right of ${found}, ${wanted} gold), EULAS ${f1(eulas)}`);
}

const gold = sentencesOf(dev);
const system = enhanced(gold, header);
print(`${gold.length} sentences of the development data`, gold, system);
print("the tree alone", gold, plain(gold));
const gaps = learned.filter((sentence) => labelsOf(sentence).includes("orphan"));
if (gaps.length > 0) {
  print(`${gaps.length} training sentences with orphans`, gaps, enhanced(gaps, header));
  print("without empty nodes", gaps, enhanced(gaps, { ...header, gaps: undefined }));
}

const wrong = new Map();
for (const [k, sentence] of gold.entries()) {
  for (let d = 1; d <= sentence.length; d++) {
    const [g, s] = [sentence.deps(d).split("|"), system[k].deps(d).split("|")];
    const note = (kind, arc) => {
      const key = `${kind} ${sentence.deprel(d)} → ${arc.slice(arc.indexOf(":") + 1).split(":")[0]}`;
      const list = wrong.get(key) ?? [];
      list.push(`${sentence.id ?? ""} ${d} ${sentence.form(d)}: ${s.join("|")} (gold ${g.join("|")})`);
      wrong.set(key, list);
    };
    for (const arc of s) if (!g.includes(arc)) note("+", arc);
    for (const arc of g) if (!s.includes(arc)) note("-", arc);
  }
}
for (const [key, list] of [...wrong].sort((a, b) => b[1].length - a[1].length).slice(0, Number(errors))) {
  console.log(`${list.length} ${key}\n    ${list.slice(0, 3).join("\n    ")}`);
}
