// How long do the dynamic oracles take on trees that their system cannot build?
//
//   node bench/speed/out-of-class-time.mjs [--words 12] [--trees 60] [--seed 1]
//
// Random trees, nearly all of them not projective; random walks; the time of the cost of every permitted transition.
import { parseArgs } from "node:util";
import { Configuration, createSystem, dynamicOracle, GoldTree } from "../../packages/core/dist/systems.js";
import { generator } from "../data/random.mjs";

const { values } = parseArgs({
  options: {
    words: { type: "string", default: "12" },
    trees: { type: "string", default: "60" },
    seed: { type: "string", default: "1" },
  },
});
const words = Number(values.words);

console.log(`${values.trees} random trees of ${words} words, milliseconds a cost`);
for (const [name, degree] of [["arc-standard"], ["lr-spines"], ["attardi", 2], ["attardi", 3]]) {
  const random = generator(Number(values.seed));
  const below = (n) => Math.floor(random() * n);
  const system = createSystem(name, degree ? { degree } : {});
  const oracle = dynamicOracle(system);
  const c = new Configuration(words);
  const moves = [];
  const times = [];
  for (let i = 0; i < Number(values.trees); i++) {
    oracle.bind(new GoldTree(randomTree(below)));
    system.initialize(c, words);
    while (!system.isTerminal(c)) {
      const count = system.permitted(c, moves);
      for (let k = 0; k < count; k++) {
        const start = performance.now();
        oracle.cost(c, moves[k]);
        times.push(performance.now() - start);
      }
      system.apply(c, moves[below(count)]);
    }
  }
  times.sort((a, b) => a - b);
  const at = (share) => times[Math.floor(share * (times.length - 1))].toFixed(3);
  const figures = `median ${at(0.5)}  95 % ${at(0.95)}  99 % ${at(0.99)}  slowest ${at(1)}`;
  console.log(`${`${name} ${degree ?? ""}`.padEnd(14)} ${String(times.length).padStart(6)} costs  ${figures}`);
}

/** Words in a random order, each hanging on one that came before. */
function randomTree(below) {
  const order = Array.from({ length: words }, (_, i) => i + 1);
  for (let i = words - 1; i > 0; i--) {
    const j = below(i + 1);
    [order[i], order[j]] = [order[j], order[i]];
  }
  const heads = new Array(words + 1).fill(-1);
  order.forEach((word, i) => {
    heads[word] = i === 0 ? 0 : order[below(i)];
  });
  return heads;
}
