// How wrong are the oracles for trees that their system cannot build and that are too long to be aimed at whole?
//
//   node bench/accuracy/out-of-class.mjs [--least 5] [--most 14] [--random 0.1] [--seconds 60] [FILE…]
//
// For such a tree some arcs are given up beforehand, so that the rest can be built. Here that is done for short trees
// too, and compared with exact values in every configuration of a walk that follows an optimal move or, with the given
// probability, a random one: how often the loss differs, the set of optimal moves differs, and the move that the oracle
// would follow is not really optimal.
import { parseArgs } from "node:util";
import { Configuration, canBuild, createSystem, dynamicOracle } from "../../packages/core/dist/systems.js";
import { generator } from "../data/random.mjs";
import { readTrees, trainingFile } from "../data/treebanks.mjs";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    least: { type: "string", default: "5" },
    most: { type: "string", default: "14" },
    random: { type: "string", default: "0.1" },
    seconds: { type: "string", default: "60" },
  },
});
const SYSTEMS = ["arc-standard", "lr-spines", "attardi"];
const files = positionals.length > 0 ? positionals : ["eu_bdt", "nl_lassysmall"].map(trainingFile);

console.log(
  `trees of ${values.least} to ${values.most} words that the system cannot build, ${values.random} random moves\n`,
);
console.log("| treebank | system | trees | configurations | loss differs | optimal moves differ | not optimal |");
console.log("| --- | --- | ---: | ---: | ---: | ---: | ---: |");
for (const file of files) {
  const trees = readTrees(file);
  if (!trees) continue;
  const fitting = trees.filter(({ length }) => length >= Number(values.least) && length <= Number(values.most));
  for (const name of SYSTEMS) compare(file.split("/").pop(), name, fitting);
}

function compare(file, name, trees) {
  const system = createSystem(name);
  const c = new Configuration();
  const rough = dynamicOracle(system, 0);
  const exact = dynamicOracle(system, Number.POSITIVE_INFINITY);
  const random = generator(1);
  const moves = [];
  const count = { trees: 0, configurations: 0, loss: 0, moves: 0, followed: 0 };
  const until = performance.now() + 1000 * Number(values.seconds);
  for (const gold of trees) {
    if (canBuild(system, gold, c)) continue;
    if (performance.now() > until) break;
    count.trees++;
    rough.bind(gold);
    exact.bind(gold);
    system.initialize(c, gold.length);
    while (!system.isTerminal(c)) {
      const permitted = system.permitted(c, moves);
      const best = rough.optimal(c);
      count.configurations++;
      if (rough.loss(c) !== exact.loss(c)) count.loss++;
      if (moves.slice(0, permitted).some((move) => rough.isOptimal(c, move) !== exact.isOptimal(c, move)))
        count.moves++;
      if (!exact.isOptimal(c, best)) count.followed++;
      system.apply(c, random() < Number(values.random) ? moves[Math.floor(random() * permitted)] : best);
    }
  }
  const share = (part) => `${((100 * part) / count.configurations).toFixed(2)} %`;
  console.log(
    `| ${file} | ${name} | ${count.trees} | ${count.configurations} | ${share(count.loss)} | ${share(count.moves)} | ${share(count.followed)} |`,
  );
}
