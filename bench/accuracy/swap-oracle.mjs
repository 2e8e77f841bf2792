// How good are the bounds of the loss in swap, and does a dynamic oracle made of them teach a better parser?
//
//   node bench/accuracy/swap-oracle.mjs rates [--words 4] [--every 1]
//     every order of so many words, every number of them on the stack, every forest of gold arcs between them (root
//     none), against a search of all continuations that shares nothing with the bounds; --every 97: one in 97
//     of them
//   node bench/accuracy/swap-oracle.mjs walks [--most 12] [--trees 1000] [--random 0.1] TREEBANK…
//     configurations on the way to the first trees of a treebank, of which some moves are random
//   node bench/accuracy/swap-oracle.mjs accuracy [--sentences 400] [--dev 300] [--epochs 4] [--seeds 1,2]
//     [--oracles static,arcs,one] TREEBANK…
//     linear models with the static oracle and with the approximate dynamic one, "arcs", also with other sets of moves
//     that are correct, "one" and "all" (see CORRECT)
//
// Treebanks: eu_bdt and nl_lassysmall by default. With --system arc-hybrid-swap, walks and accuracy are those of
// arc-hybrid with SWAP, whose oracles are "static" and "own", the static-dynamic one; accuracy takes any system.
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { Sentence } from "../../packages/core/dist/index.js";
import { HybridSwapBounds } from "../../packages/core/dist/systems/arc-hybrid-swap/hybrid-swap-bounds.js";
import { BoundsOracle } from "../../packages/core/dist/systems/oracles/bounds-oracle.js";
import { SwapBounds } from "../../packages/core/dist/systems/swap/swap-bounds.js";
import {
  Configuration,
  createSystem,
  defaultTemplates,
  exhaustiveOracle,
  GoldTree,
} from "../../packages/core/dist/systems.js";
import { attachment, Training } from "../../packages/core/dist/training.js";
import { TreebankReader } from "../../packages/core/dist/treebank.js";
import { generator } from "../data/random.mjs";
import { readTrees, trainingFile } from "../data/treebanks.mjs";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    words: { type: "string", default: "4" },
    every: { type: "string", default: "1" },
    most: { type: "string", default: "12" },
    trees: { type: "string", default: "1000" },
    random: { type: "string", default: "0.1" },
    sentences: { type: "string", default: "400" },
    dev: { type: "string", default: "300" },
    epochs: { type: "string", default: "4" },
    seeds: { type: "string", default: "1,2" },
    oracles: { type: "string", default: "static,arcs,one" },
    system: { type: "string", default: "swap" },
  },
});
const [part, ...given] = positionals;
const treebanks = given.length > 0 ? given : ["eu_bdt", "nl_lassysmall"];
const share = (count, all, digits = 2) => `${((100 * count) / all).toFixed(digits)} %`;

/** By brute force: how often the bounds are right, with and without what makes a configuration hard. */
function rates(words) {
  const system = createSystem("swap", { root: "none" });
  const bounds = new SwapBounds(system);
  const gold = new GoldTree();
  const c = new Configuration(words);
  const find = ({ order, height, heads }) => {
    gold.bind(heads);
    bounds.bind(gold);
    arrange(c, order, height);
    bounds.find(c);
    return { least: bounds.least, most: bounds.most, first: bounds.first < 0 ? "" : system.nameOf(bounds.first) };
  };
  const lossOf = searchedLoss();
  const classes = ["neither", "three in decreasing order", "an ascending pair below the top", "both", "all"];
  const counts = classes.map(() => ({ all: 0, more: 0, same: 0, least: 0, most: 0, moves: 0, first: 0 }));
  const safe = { all: 0, costly: 0, example: "" };
  let at = 0;
  for (const state of states(words)) {
    if (at++ % Number(values.every) > 0) continue;
    const loss = lossOf(state);
    const found = find(state);
    if (found.least > loss || found.most < loss) throw new Error(`wrong bounds: ${shown(state)}`);
    const after = successors(state).map(({ name, price, next }) => ({
      name,
      price,
      cost: price + lossOf(next) - loss,
      bound: price + find(next).most,
    }));
    const least = Math.min(found.most, ...after.map(({ bound }) => bound));
    for (const { name, price, cost } of after) {
      if (!name.endsWith("ARC") || price > 0) continue;
      safe.all++;
      if (cost > 0 && ++safe.costly === 1) safe.example = `${name} at ${shown(state)}`;
    }
    const kind = (hasDecreasingTriple(state) ? 1 : 0) + (hasPairBelowTop(state) ? 2 : 0);
    for (const count of [counts[kind], counts[4]]) {
      count.all++;
      if (loss > 0) count.more++;
      if (found.least === found.most) count.same++;
      if (found.least === loss) count.least++;
      if (found.most === loss) count.most++;
      if (after.every(({ cost, bound }) => (cost === 0) === (bound === least))) count.moves++;
      if (after.length === 0 || after.find(({ name }) => name === found.first)?.cost === 0) count.first++;
    }
  }
  console.log(`${words} words, root none, one configuration in ${values.every}\n`);
  console.log(
    "| configurations with | number | more is lost | bounds the same | lower exact | upper exact | free moves right | first move right |",
  );
  console.log("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |");
  counts.forEach(({ all, ...parts }, i) => {
    if (all > 0)
      console.log(`| ${[classes[i], all, ...Object.values(parts).map((part) => share(part, all))].join(" | ")} |`);
  });
  console.log(`\narcs of complete words to their gold heads, or to any if those have gone: ${safe.all}`);
  console.log(`of which cost something: ${safe.costly} (${share(safe.costly, safe.all)}), e.g. ${safe.example}`);
}

/** Every order of the words, height of the stack and forest: all of them occur, with 0 words on the stack only one. */
function* states(words) {
  const trees = forests(words);
  for (const order of permutations(words)) {
    const isInitial = order.every((word, i) => word === i + 1);
    for (let height = isInitial ? 0 : 1; height <= words; height++) {
      for (const heads of trees) yield { order, height, heads };
    }
  }
}

/** The gold arcs between the words that no continuation can all build. */
function searchedLoss() {
  const known = new Map();
  return function loss(state) {
    if (state.order.length < 2) return 0;
    const key = `${state.order}|${state.height}|${state.heads}`;
    let least = known.get(key);
    if (least !== undefined) return least;
    least = Number.POSITIVE_INFINITY;
    for (const { price, next } of successors(state)) {
      if (price < least) least = Math.min(least, price + loss(next));
    }
    known.set(key, least);
    return least;
  };
}

/** The transitions of swap, by their definitions, with the gold arcs that each loses at once. */
function successors({ order, height, heads }) {
  const found = [];
  const top = order[height - 1];
  const below = order[height - 2];
  if (height > 1) {
    found.push({ name: "LEFT-ARC", ...attached(order, height, heads, top, below) });
    found.push({ name: "RIGHT-ARC", ...attached(order, height, heads, below, top) });
    if (below < top) {
      const swapped = order.with(height - 2, top).with(height - 1, below);
      found.push({ name: "SWAP", price: 0, next: { order: swapped, height: height - 1, heads } });
    }
  }
  if (height < order.length) found.push({ name: "SHIFT", price: 0, next: { order, height: height + 1, heads } });
  return found;
}

/** The words left when one got a head, numbered anew; a word whose gold head has gone has none (0) from then on. */
function attached(order, height, heads, head, word) {
  const renumbered = (other) => (other > word ? other - 1 : other);
  const lost = heads.filter((other) => other === word).length + (heads[word] > 0 && heads[word] !== head ? 1 : 0);
  const next = {
    order: order.filter((other) => other !== word).map(renumbered),
    height: height - 1,
    heads: heads.filter((_, i) => i !== word).map((other) => (other === word ? 0 : renumbered(other))),
  };
  return { price: lost, next };
}

/** Puts words in this order on the stack, so many of them, and into the buffer. */
function arrange(c, order, height) {
  c.reset(order.length, "none");
  order.forEach((word, i) => {
    c.buffer[i] = word;
  });
  for (let i = 0; i < height; i++) c.shift();
}

function permutations(words) {
  if (words === 0) return [[]];
  return permutations(words - 1).flatMap((order) => order.concat(0).map((_, i) => order.toSpliced(i, 0, words)));
}

/** Heads of the words without cycles; 0 for those that may get any. */
function forests(words) {
  let all = [[-1]];
  for (let d = 1; d <= words; d++) {
    all = all.flatMap((heads) => [...Array(words + 1).keys()].filter((h) => h !== d).map((h) => [...heads, h]));
  }
  return all.filter((heads) => {
    for (let d = 1; d <= words; d++) {
      let steps = 0;
      for (let node = d; node > 0; node = heads[node]) if (++steps > words) return false;
    }
    return true;
  });
}

function hasDecreasingTriple({ order }) {
  return order.some((a, i) => order.some((b, j) => j > i && b < a && order.some((x, k) => k > j && x < b)));
}

/** Two words on the stack, the lower one the smaller, with another one on top of them. */
function hasPairBelowTop({ order, height }) {
  const stack = order.slice(0, Math.max(0, height - 1));
  return stack.some((a, i) => stack.some((b, j) => j > i && a < b));
}

function shown({ order, height, heads }) {
  const arcs = heads.flatMap((h, d) => (h > 0 ? [`${h} → ${d}`] : []));
  return `${order.slice(0, height).join(" ")} | ${order.slice(height).join(" ")}, gold ${arcs.join(", ")}`;
}

/** How often the bounds differ where a parser may get to. */
function walks(treebank) {
  const trees = readTrees(trainingFile(treebank));
  if (!trees) return;
  const system = createSystem(values.system);
  const bounds = new (values.system === "swap" ? SwapBounds : HybridSwapBounds)(system);
  const search = exhaustiveOracle(system, 100_000);
  const random = generator(1);
  const c = new Configuration();
  const moves = [];
  const count = { trees: 0, configurations: 0, differ: 0, searched: 0, lower: 0, upper: 0 };
  for (const gold of trees.filter(({ length }) => length <= Number(values.most)).slice(0, Number(values.trees))) {
    count.trees++;
    bounds.bind(gold);
    search.bind(gold);
    system.initialize(c, gold.length);
    while (!system.isTerminal(c)) {
      bounds.find(c);
      const { least, most, first } = bounds;
      count.configurations++;
      if (least < most) {
        count.differ++;
        const loss = search.loss(c);
        if (loss !== undefined) count.searched++;
        if (loss === least) count.lower++;
        if (loss === most) count.upper++;
      }
      const permitted = system.permitted(c, moves);
      const isRandom = first < 0 || random() < Number(values.random);
      system.apply(c, isRandom ? moves[Math.floor(random() * permitted)] : first);
    }
  }
  const { configurations, differ, searched, lower, upper } = count;
  console.log(
    `${treebank}: ${count.trees} trees of up to ${values.most} words, ${values.random} random moves: ` +
      `${configurations} configurations, bounds differ in ${differ} (${share(differ, configurations)}); ` +
      `of ${searched} that a search decided the lower bound is exact in ${lower}, the upper one in ${upper}`,
  );
}

/**
 * Moves that a dynamic oracle that takes the upper bounds for losses may call correct: arcs that cost nothing and, of
 * the other moves, the one that leads on; only the latter; all moves that cost nothing.
 */
const CORRECT = {
  arcs: BoundsOracle.prototype.leadsOn,
  one(c, move) {
    return move === this.optimal(c);
  },
  all: BoundsOracle.prototype.isOptimal,
};

function accuracy() {
  console.log(
    `${values.sentences} sentences, ${values.epochs} epochs, ${values.dev} sentences parsed, seeds ${values.seeds}\n`,
  );
  console.log("| treebank | oracle | UAS | LAS | LAS of each seed |");
  console.log("| --- | --- | ---: | ---: | --- |");
  for (const treebank of treebanks) {
    const file = trainingFile(treebank);
    const sentences = read(file).slice(0, Number(values.sentences));
    const dev = read(file.replace("-train", "-dev")).slice(0, Number(values.dev));
    for (const correct of values.oracles.split(",")) {
      BoundsOracle.prototype.leadsOn = CORRECT[correct] ?? CORRECT.arcs;
      const scores = values.seeds.split(",").map((seed) => trained(sentences, dev, correct !== "static", Number(seed)));
      const mean = (name) => (100 * scores.reduce((sum, score) => sum + score[name], 0)) / scores.length;
      const each = scores.map(({ las }) => (100 * las).toFixed(2)).join(", ");
      const name = correct === "static" ? correct : `dynamic, ${correct}`;
      console.log(`| ${treebank} | ${name} | ${mean("uas").toFixed(2)} | ${mean("las").toFixed(2)} | ${each} |`);
    }
  }
}

function trained(sentences, dev, isDynamic, seed) {
  const training = new Training(sentences, {
    system: values.system,
    root: "last",
    oracle: isDynamic ? "dynamic" : "static",
    exploreFrom: 2,
    exploreProbability: isDynamic ? 1 : 0,
    lossBound: Number.POSITIVE_INFINITY,
    afterUpdate: "go-on",
    templates: defaultTemplates(values.system),
    epochs: Number(values.epochs),
    seed,
  });
  while (training.epoch < Number(values.epochs)) training.runEpoch();
  return attachment(training.model(), dev);
}

/** The sentences of a file that are trees. */
function read(file) {
  const reader = new TreebankReader({ requireTree: true });
  return [...reader.push(readFileSync(file)), ...reader.end()].filter((result) => result instanceof Sentence);
}

if (part === "rates") rates(Number(values.words));
else if (part === "walks") treebanks.forEach(walks);
else if (part === "accuracy") accuracy();
else throw new RangeError(`invalid part: ${part} (expected rates, walks or accuracy)`);
