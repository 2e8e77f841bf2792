// How much dearer is a dynamic oracle than a static one, off the right path?
//
//   node bench/speed/oracles.mjs [--root last] [--seconds 2] [--systems arc-eager,…] [FILE…]
//
// For every tree that the system can build, a walk is drawn beforehand: at each step with probability 0.1 a random
// permitted transition, else an optimal one. Then the same walks are replayed, each time asking for
//   none      nothing, only applying the transitions (what every oracle pays)
//   static    the static oracle's transition (off the right path its answer means nothing, but it costs the same)
//   dynamic   an optimal transition
//   costs     the cost of every permitted transition
// The times are per configuration, application included; the ratios are what to look at. Also the same by sentence
// length, the slowest single configuration, and what happens in sentences of 400 words.
import { parseArgs } from "node:util";
import {
  Configuration,
  canBuild,
  createSystem,
  dynamicOracle,
  GoldTree,
  SHIFT,
  staticOracle,
} from "../../packages/core/dist/systems.js";
import { generator } from "../data/random.mjs";
import { readTrees, trainingFile } from "../data/treebanks.mjs";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    root: { type: "string", default: "last" },
    seconds: { type: "string", default: "2" },
    systems: { type: "string", default: "arc-eager,arc-hybrid,arc-standard,lr-spines,attardi" },
    "single-root": { type: "boolean", default: false },
  },
});
const TARGETS = { "arc-eager": 1.5, "arc-hybrid": 1.5, "arc-standard": 5, "lr-spines": 10, attardi: 20 };
const BANDS = [10, 20, 40, 80, 160, 100000];
/** Words of a long sentence, and how many of them. */
const LONG = 400;
const LONG_SENTENCES = 20;
const files = positionals.length > 0 ? positionals : ["en_ewt", "eu_bdt"].map(trainingFile);

for (const file of files) {
  const trees = readTrees(file);
  if (!trees) continue;
  console.log(`\n${file.split("/").pop()}: ${trees.length} trees, root ${values.root}`);
  for (const name of values.systems.split(",")) bench(name, trees);
  console.log(
    `\nsentences of ${LONG} words or a few more, made of the trees in a row, each hanging on the root of the one before it`,
  );
  console.log(
    "| trees | system | random | configurations | mean µs | slowest configuration | all costs after n/2 SHIFTs |",
  );
  console.log("| --- | --- | ---: | ---: | ---: | ---: | ---: |");
  for (const [kind, wanted] of [
    ["projective", true],
    ["not projective", false],
  ]) {
    const long = longSentences(trees.filter(({ projective }) => !wanted || projective));
    for (const name of values.systems.split(",")) for (const share of [0.1, 0.5]) walkLong(kind, name, long, share);
  }
}

function longSentences(trees) {
  const sentences = [];
  let next = 0;
  while (sentences.length < LONG_SENTENCES) {
    const heads = [-1];
    let root = 0;
    while (heads.length <= LONG) {
      const tree = trees[next++ % trees.length];
      const before = heads.length - 1;
      const above = root;
      for (let d = 1; d <= tree.length; d++) {
        if (tree.heads[d] === 0) root = before + d;
        heads.push(tree.heads[d] === 0 ? above : before + tree.heads[d]);
      }
    }
    sentences.push(new GoldTree(heads));
  }
  return sentences;
}

function walkLong(kind, name, sentences, share) {
  const system = createSystem(name, { root: values.root, singleRoot: values["single-root"] });
  const oracle = dynamicOracle(system);
  const c = new Configuration();
  const random = generator(1);
  const moves = [];
  let configurations = 0;
  let total = 0;
  let slowest = 0;
  let stacked = 0;
  const timed = (ask) => {
    const start = performance.now();
    const answer = ask();
    return [performance.now() - start, answer];
  };
  for (const gold of sentences) {
    oracle.bind(gold);
    system.initialize(c, gold.length);
    while (!system.isTerminal(c)) {
      const count = system.permitted(c, moves);
      const [time, best] = timed(() => oracle.optimal(c));
      // The first sentence warms up.
      if (gold !== sentences[0]) {
        slowest = Math.max(slowest, time);
        total += time;
        configurations++;
      }
      system.apply(c, random() < share ? moves[Math.floor(random() * count)] : best);
    }
    // As far from any good path as a parser gets.
    system.initialize(c, gold.length);
    for (let i = 0; i < gold.length / 2; i++) system.apply(c, SHIFT);
    const count = system.permitted(c, moves);
    const [time] = timed(() => {
      for (let i = 0; i < count; i++) oracle.cost(c, moves[i]);
    });
    stacked = Math.max(stacked, time);
  }
  console.log(
    `| ${kind} | ${name} | ${100 * share} % | ${configurations} | ${((1000 * total) / configurations).toFixed(2)} | ${slowest.toFixed(1)} ms | ${stacked.toFixed(0)} ms |`,
  );
}

function bench(name, trees) {
  const system = createSystem(name, { root: values.root, singleRoot: values["single-root"] });
  const c = new Configuration();
  const stat = staticOracle(system);
  const dynamic = dynamicOracle(system);
  const buildable = trees.filter((gold) => canBuild(system, gold, c, stat));
  const random = generator(1);
  const moves = [];
  let worst = { time: 0, words: 0 };
  const walks = buildable.map((gold) => {
    const walk = [];
    dynamic.bind(gold);
    system.initialize(c, gold.length);
    while (!system.isTerminal(c)) {
      const count = system.permitted(c, moves);
      const wrong = random() < 0.1;
      const before = process.hrtime.bigint();
      const best = dynamic.optimal(c);
      const time = Number(process.hrtime.bigint() - before);
      if (time > worst.time && walk.length > 2) worst = { time, words: gold.length };
      const move = wrong ? moves[Math.floor(random() * count)] : best;
      walk.push(move);
      system.apply(c, move);
    }
    return { gold, walk };
  });

  const replay = {
    none: () => {},
    static: () => stat.next(c),
    dynamic: () => dynamic.optimal(c),
    costs: () => {
      const count = system.permitted(c, moves);
      for (let i = 0; i < count; i++) dynamic.cost(c, moves[i]);
    },
  };
  const run = (ask, oracle, subset) => {
    for (const { gold, walk } of subset) {
      oracle?.bind(gold);
      system.initialize(c, gold.length);
      for (let i = 0; i < walk.length; i++) {
        ask();
        system.apply(c, walk[i]);
      }
    }
  };
  const oracles = { none: undefined, static: stat, dynamic, costs: dynamic };
  // The rounds alternate, so that a noisy machine disturbs all alike; the best round of each counts.
  const measure = (subset, seconds) => {
    const steps = subset.reduce((sum, { walk }) => sum + walk.length, 0);
    const best = {};
    const until = performance.now() + 1000 * seconds;
    for (let round = 0; round < 3 || performance.now() < until; round++) {
      for (const kind of Object.keys(replay)) {
        const start = performance.now();
        run(replay[kind], oracles[kind], subset);
        best[kind] = Math.min(best[kind] ?? Number.POSITIVE_INFINITY, ((performance.now() - start) * 1e6) / steps);
      }
    }
    return best;
  };
  const all = measure(walks, Number(values.seconds));
  const ratio = all.dynamic / all.static;
  const verdict = ratio <= TARGETS[name] ? "met" : "MISSED";
  console.log(
    `${name.padEnd(13)} ${String(walks.length).padStart(6)} trees  ns/configuration: none ${f(all.none)}  static ${f(all.static)}  ` +
      `dynamic ${f(all.dynamic)}  costs ${f(all.costs)}   dynamic/static ${ratio.toFixed(2)} (target ${TARGETS[name]}: ${verdict})  ` +
      `costs/static ${(all.costs / all.static).toFixed(2)}  slowest ${(worst.time / 1e6).toFixed(2)} ms (${worst.words} words)`,
  );
  let low = 0;
  const bands = [];
  for (const high of BANDS) {
    const subset = walks.filter(({ gold }) => gold.length > low && gold.length <= high);
    if (subset.length > 0) {
      const band = measure(subset, 0.1);
      bands.push(`${low + 1}–${high > 1000 ? "" : high}: ${f(band.static)}/${f(band.dynamic)}`);
    }
    low = high;
  }
  console.log(`              static/dynamic by sentence length  ${bands.join("  ")}`);
}

function f(nanoseconds) {
  return nanoseconds.toFixed(0);
}
