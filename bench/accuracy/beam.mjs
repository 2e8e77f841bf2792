// Beam search: what a width brings and costs, and what state merging brings, per system (after npm run build):
//   node bench/accuracy/beam.mjs --model FILE [--dev FILE] [--widths 1,8,64] [--limit N]   accuracy and speed of a model, with
//   and without merging node bench/accuracy/beam.mjs [treebank] [--systems a,b] [--width 8] [--sentences N]    merging, with
//   small models that are trained here node bench/accuracy/beam.mjs [--model FILE] --long 5000,10000 [--widths 1,4]
//   one sentence of so many words, greedily, with a beam, and as many trees as the beam is wide; without a model with
//   small ones of all --systems. Growth is what the time is multiplied by when the sentence is twice as long: 2 is
//   linear. With --stack-graph merged in a graph-structured stack
//   node bench/accuracy/beam.mjs [treebank] --stack-graph [--systems a,b] [--features a,b] [--merges 8,16] [--widths 8,16,…]
//   [--learn stack-graph] [--seed 1] [--without label,lset,rset,lval,rval,dist,second,beside,fourth] [--sentences N]   merging
//   by states and in a graph-structured stack, with beams of the widths --merges, beside those of --widths without merging, with small
//   models: learned with merging by states, or in the stack; from the sets --features, without templates that look at what
//   is named. With --apart also what keeps states apart
// Speed is by the time of the processor. Derivations packed: how many derivations the states of the beam stand for,
// divided by the width; the geometric mean over all steps. Equal width: how wide a beam without merging must be to find
// derivations whose scores are as high on average. Score: that of the trees, on average; merging in the stack counts an arc
// once, whatever its label.
import { existsSync, readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { loadModel, readTreebank } from "../../packages/core/dist/index.js";
import { stackGraph } from "../../packages/core/dist/stack-graph.js";
import { featureTemplates, SYSTEM_NAMES } from "../../packages/core/dist/systems.js";
import { Training } from "../../packages/core/dist/training.js";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    model: { type: "string" },
    dev: { type: "string" },
    widths: { type: "string", default: "1,2,4,8,16,32,64" },
    limit: { type: "string", default: "Infinity" },
    long: { type: "string" },
    "stack-graph": { type: "boolean", default: false },
    features: { type: "string", default: "default" },
    merges: { type: "string", default: "8,16,32" },
    learn: { type: "string" },
    without: { type: "string", default: "" },
    apart: { type: "boolean", default: false },
    systems: { type: "string", default: SYSTEM_NAMES.join() },
    width: { type: "string", default: "8" },
    sentences: { type: "string", default: "1500" },
    epochs: { type: "string", default: "4" },
    seed: { type: "string", default: "1" },
  },
});
const treebank = positionals[0] ?? "en_ewt";

function read(file, limit = Number.POSITIVE_INFINITY) {
  if (existsSync(file)) return readTreebank(readFileSync(file)).slice(0, limit);
  console.log(`${file}: not there, skipped`);
  process.exit(0);
}

const part = (name) => new URL(`../../../shared/treebanks/${treebank}-ud-${name}.conllu`, import.meta.url);
const seconds = () => process.cpuUsage().user / 1e6;

/** Accuracy, words a second, and the mean score of the best derivations. */
function measure(model, sentences, search) {
  const parser = model.createParser(search);
  for (const sentence of sentences.slice(0, 20)) parser.parse(sentence);
  let [words, heads, labels, score] = [0, 0, 0, 0];
  const start = seconds();
  for (const sentence of sentences) {
    const tree = parser.parse(sentence);
    score += parser.beam > 1 ? parser.search.score / sentences.length : 0;
    for (let d = 1; d <= sentence.length; d++) {
      words++;
      if (tree.heads[d] !== sentence.heads[d]) continue;
      heads++;
      if (tree.labels[d] === sentence.deprel(d)) labels++;
    }
  }
  return { uas: (100 * heads) / words, las: (100 * labels) / words, speed: words / (seconds() - start), score };
}

function meanScore(model, sentences, search) {
  const parser = model.createParser(search);
  let sum = 0;
  for (const sentence of sentences) sum += parser.parseBest(sentence, 1)[0].score;
  return sum / sentences.length;
}

/** How wide a beam without merging must be for a score, to an eighth; `plain` has the scores of some widths. */
function equalWidth(model, sentences, score, plain) {
  const enough = [...plain.keys()].filter((width) => plain.get(width) >= score);
  if (enough.length === 0) return `> ${Math.max(...plain.keys())}`;
  let high = Math.min(...enough);
  let low = Math.max(1, ...[...plain.keys()].filter((width) => width < high));
  while (high - low > low / 8) {
    const middle = Math.round((low + high) / 2);
    plain.set(middle, plain.get(middle) ?? meanScore(model, sentences, { beam: middle, merge: false }));
    if (plain.get(middle) < score) low = middle;
    else high = middle;
  }
  return `${high}`;
}

/** The logarithm of the number of derivations that the states after each step of a search stand for. */
function packed({ history }, width) {
  const { size, parents, twins } = history;
  const own = new Float64Array(size);
  const depth = new Int32Array(size);
  const totals = [];
  own[0] = 1;
  for (let step = 1; step < size; step++) {
    let count = 0;
    for (let one = parents[step]; one >= 0; one = twins[one]) count += own[one];
    own[step] = count;
    depth[step] = depth[parents[step]] + 1;
    totals[depth[step]] = (totals[depth[step]] ?? 0) + count;
  }
  let [sum, steps] = [0, 0];
  for (const total of totals) {
    if (!(total >= width)) continue;
    sum += Math.log(total / width);
    steps++;
  }
  return [sum, steps];
}

/** How many derivations the states of a search with a graph-structured stack stand for, per state: the geometric mean over steps. */
function packedInStack(model, sentences, beam) {
  const { stacks } = model.createParser({ beam, merge: stackGraph }).search;
  let [sum, steps] = [0, 0];
  for (const sentence of sentences) {
    stacks.begin(sentence);
    while (stacks.step()) {
      const states = stacks.live.slice(0, stacks.size);
      sum += Math.log(states.reduce((all, { derivations }) => all + derivations, 0) / stacks.size);
      steps++;
    }
  }
  return Math.exp(sum / steps);
}

/** In what the states of a step differ that stay apart: how many pairs of them differ in just this, most first. */
function apart(model, sentences, beam) {
  const { stacks } = model.createParser({ beam, merge: stackGraph }).search;
  const counts = new Map();
  let pairs = 0;
  const nodes = ({ front, top, origin }) => {
    const [second, third] = [origin.below[0], origin.below[0]?.origin.below[0]];
    const all = [top, top?.leftmost, top?.rightmost, second?.top, second?.top?.leftmost, second?.top?.rightmost];
    return [front, ...[...all, third?.top].map((tree) => tree?.node)];
  };
  const names = ["words taken", "s0", "s0l", "s0r", "s1", "s1l", "s1r", "s2"];
  for (const sentence of sentences) {
    stacks.begin(sentence);
    while (stacks.step()) {
      const states = stacks.live.slice(0, stacks.size).map(nodes);
      for (const [i, one] of states.entries()) {
        for (const other of states.slice(0, i)) {
          pairs++;
          // With other words taken all else differs as well.
          const differ = one[0] === other[0] ? names.filter((_, k) => one[k] !== other[k]) : [names[0]];
          const key = differ.join(" ") || "where s0 begins";
          counts.set(key, (counts.get(key) ?? 0) + 1);
        }
      }
    }
  }
  const most = [...counts].sort(([, a], [, b]) => b - a).slice(0, 8);
  return most.map(([key, count]) => `${key} ${((100 * count) / pairs).toFixed(0)} %`).join(", ");
}

/** The templates of a set; with --without those that look at none of these. */
function templatesOf(system, features) {
  const without = values.without.split(",").filter(Boolean);
  const isIn = { dist: /dist\(/, second: /[lr]2/, beside: /[sb]\d[pn]/, fourth: /s3/ };
  const left = (template) => !without.some((what) => (isIn[what] ?? new RegExp(`\\.${what}\\b`)).test(template));
  const templates = featureTemplates(system, features).replace(/#.*/g, "").split(/[;\n]/);
  return templates.filter((template) => template.trim() && left(template)).join("\n");
}

/** A small model. @param {string} system @param {string} oracle */
function trained(system, oracle, train, width, features = "default", merge = undefined) {
  const training = new Training(train, {
    system,
    root: "last",
    oracle,
    exploreFrom: 2,
    exploreProbability: 1,
    lossBound: Number.POSITIVE_INFINITY,
    afterUpdate: "go-on",
    templates: templatesOf(system, features),
    ...(merge && { merge }),
    beam: width,
    epochs: Number(values.epochs),
    seed: Number(values.seed),
  });
  while (training.epoch < training.options.epochs) training.runEpoch();
  return training.model();
}

if (values.long) {
  const places = read(values.dev ?? part("dev")).flatMap((sentence) =>
    Array.from({ length: sentence.length }, (_, i) => [sentence, i + 1]),
  );
  const of = (column) => (i) => {
    const [sentence, at] = places[(i - 1) % places.length];
    return sentence[column](at);
  };
  const columns = Object.fromEntries(["form", "lemma", "upos", "xpos", "feats"].map((c) => [c, of(c)]));
  const train = values.model ? [] : read(part("train"), Number(values.sentences));
  const given = values.model && (await loadModel(readFileSync(values.model)));
  const models = values.model
    ? [[values.model.replace(/.*\//, ""), () => given.parser]]
    : values.systems
        .split(",")
        .map((system) => [system, () => trained(system, "static", train, Number(values.width), values.features)]);
  const sizes = values.long.split(",").map(Number);
  console.log(`| | | ${sizes.map((n) => `${n.toLocaleString("en")} words, s`).join(" | ")} | growth |`);
  console.log(`| --- | --- | ${sizes.map(() => "---:").join(" | ")} | ---: |`);
  for (const [name, make] of models) {
    const model = make();
    for (const beam of values.widths.split(",").map(Number)) {
      for (const trees of beam > 1 && !values["stack-graph"] ? [1, beam] : [1]) {
        const parser = model.createParser({ beam, ...(beam > 1 && values["stack-graph"] && { merge: stackGraph }) });
        const parse = (length) => {
          const words = { length, ...columns };
          const start = seconds();
          if (trees > 1) parser.parseBest(words, trees);
          else parser.parse(words);
          return seconds() - start;
        };
        parse(300);
        const times = sizes.map(parse);
        const doublings = Math.log2(sizes.at(-1) / sizes[0]);
        const growth = (times.at(-1) / times[0]) ** (1 / doublings);
        const how =
          beam === 1
            ? "greedy"
            : `beam ${beam}${trees > 1 ? `, ${trees} trees` : values["stack-graph"] ? ", merged in a graph-structured stack" : ""}`;
        console.log(
          `| ${name} | ${how} | ${times.map((time) => time.toFixed(2)).join(" | ")} | ${doublings > 0 ? growth.toFixed(1) : "–"} |`,
        );
      }
    }
  }
} else if (values["stack-graph"]) {
  const train = read(part("train"), Number(values.sentences));
  const sentences = read(part("dev"), Math.min(200, Number(values.limit)));
  console.log(`models trained on ${train.length} sentences of ${treebank}, ${sentences.length} parsed`);
  console.log(
    "| system | features | merging | beam | equal width | derivations packed | score | UAS | LAS | words/s |",
  );
  console.log("| --- | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |");
  const [widths, merges] = [values.widths, values.merges].map((list) => list.split(",").map(Number));
  for (const system of values.systems.split(",")) {
    for (const features of values.features.split(",")) {
      const model = trained(system, "dynamic", train, Number(values.width), features, values.learn);
      const row = (merge, beam, { score, uas, las, speed }, equal = "", many = "") => {
        const name = merge.name ?? (merge ? "states" : "no");
        const figures = [Math.round(score), uas.toFixed(2), las.toFixed(2), Math.round(speed)];
        console.log(`| ${[system, features, name, beam, equal, many, ...figures].join(" | ")} |`);
      };
      /** By width the score of a beam that does not merge. */
      const plain = new Map();
      for (const beam of widths) {
        const figures = measure(model, sentences, { beam, merge: false });
        plain.set(beam, figures.score);
        row(false, beam, figures);
      }
      for (const merge of [true, stackGraph]) {
        for (const beam of merges) {
          const figures = measure(model, sentences, { beam, merge });
          const many = merge === stackGraph ? packedInStack(model, sentences, beam).toFixed(1) : "";
          row(merge, beam, figures, equalWidth(model, sentences, figures.score, plain), many);
          if (merge === stackGraph && values.apart) console.log(`pairs apart by: ${apart(model, sentences, beam)}`);
        }
      }
    }
  }
} else if (values.model) {
  const model = (await loadModel(readFileSync(values.model))).parser;
  const sentences = read(values.dev ?? part("dev"), Number(values.limit));
  console.log("| beam | merging | UAS | LAS | words/s |\n| --- | --- | --- | --- | --- |");
  for (const beam of values.widths.split(",").map(Number)) {
    for (const merge of beam > 1 ? [false, true] : [false]) {
      const { uas, las, speed } = measure(model, sentences, { beam, merge });
      console.log(
        `| ${beam} | ${merge ? "yes" : "no"} | ${uas.toFixed(2)} | ${las.toFixed(2)} | ${Math.round(speed)} |`,
      );
    }
  }
} else {
  const width = Number(values.width);
  const train = read(part("train"), Number(values.sentences));
  const sentences = read(part("dev"), Math.min(200, Number(values.limit)));
  console.log(`beam ${width}, models trained on ${train.length} sentences of ${treebank}, ${sentences.length} parsed`);
  console.log(
    "| system | merged of all | derivations packed | equal width | speed of merging |\n| --- | --- | --- | --- | --- |",
  );
  for (const system of values.systems.split(",")) {
    const model = trained(system, system === "swap" ? "static" : "dynamic", train, width);
    const parser = model.createParser({ beam: width, merge: true });
    const { search } = parser.search;
    let [sum, steps, all] = [0, 0, 0];
    for (const sentence of sentences) {
      parser.parse(sentence);
      const [logs, count] = packed(search, width);
      sum += logs;
      steps += count;
      all += search.history.size - 1;
    }
    const goal = meanScore(model, sentences, { beam: width, merge: true });
    let [low, high] = [width, width];
    while (high < 64 * width && meanScore(model, sentences, { beam: high, merge: false }) < goal) {
      low = high;
      high *= 2;
    }
    while (high - low > width / 4) {
      const middle = Math.round((low + high) / 2);
      if (meanScore(model, sentences, { beam: middle, merge: false }) < goal) low = middle;
      else high = middle;
    }
    const [together, apart] = [true, false].map((merge) => measure(model, sentences, { beam: width, merge }).speed);
    console.log(
      `| ${system} | ${((100 * search.merged) / all).toFixed(0)} % | ${Math.exp(sum / steps).toFixed(1)} | ${high} | ${(together / apart).toFixed(2)} |`,
    );
  }
}
