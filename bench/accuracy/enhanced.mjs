// ELAS of enhanced dependencies: node bench/accuracy/enhanced.mjs TRAIN DEV [--errors N]
import { readFileSync } from "node:fs";
import { Enhancer } from "../../packages/core/dist/enhanced/enhancer.js";
import { graphOf, trainEnhanced } from "../../packages/core/dist/enhanced/learning/enhanced-training.js";
import { readTreebank } from "../../packages/core/dist/treebank.js";

const [train, dev, , errors = "0"] = process.argv.slice(2);
const sentencesOf = (file) => [...readTreebank(readFileSync(file, "utf8"))];
const started = performance.now();
const header = trainEnhanced(sentencesOf(train));
console.log(
  `trained in ${((performance.now() - started) / 1000).toFixed(1)} s: ${Object.keys(header.labels).length} ways, ${Object.keys(header.weights).length} weights, ${JSON.stringify(header).length} characters`,
);
const enhancer = new Enhancer(header);
let [gold, system, right, plain] = [0, 0, 0, 0];
const wrong = new Map();
for (const sentence of sentencesOf(dev)) {
  const labels = [""];
  for (let i = 1; i <= sentence.length; i++) labels.push(sentence.deprel(i));
  const found = enhancer.graph(sentence, sentence.heads, labels);
  const wanted = graphOf(sentence);
  for (let d = 1; d <= sentence.length; d++) {
    const names = (arcs) => arcs.map(({ head, label }) => `${head}:${label}`);
    const [g, s] = [names(wanted[d]), names(found[d])];
    gold += g.length;
    system += s.length;
    right += s.filter((arc) => g.includes(arc)).length;
    if (g.includes(`${sentence.heads[d]}:${labels[d]}`)) plain++;
    const note = (kind, arc) => {
      const key = `${kind} ${labels[d]} → ${arc.slice(arc.indexOf(":") + 1).split(":")[0]}`;
      const list = wrong.get(key) ?? [];
      list.push(`${sentence.id ?? ""} ${d} ${sentence.form(d)}: ${s.join("|")} (gold ${g.join("|")})`);
      wrong.set(key, list);
    };
    for (const arc of s) if (!g.includes(arc)) note("+", arc);
    for (const arc of g) if (!s.includes(arc)) note("-", arc);
  }
}
const f1 = (n, s, g) => ((200 * n) / (s + g)).toFixed(2);
console.log(
  `ELAS F1 ${f1(right, system, gold)} (${right} of ${system} found, ${gold} gold); the tree alone ${f1(plain, system, gold)}`,
);
for (const [key, list] of [...wrong].sort((a, b) => b[1].length - a[1].length).slice(0, Number(errors))) {
  console.log(`${list.length} ${key}\n    ${list.slice(0, 3).join("\n    ")}`);
}
