// How long are stack, buffer and reduced buffer, on which the time of dynamic oracles depends (thesis 5.3.3 and 5.3.4,
// Gómez-Rodríguez et al. 2014, section 6)? In all configurations of the canonical derivations of training trees:
//   node bench/speed/oracle-sizes.mjs [TREEBANK…] (el_gdt tr_imst by default)
import { Configuration, canBuild, createSystem, staticOracle } from "../../packages/core/dist/systems.js";
import { table } from "../data/markdown.mjs";
import { readTrees, trainingFile } from "../data/treebanks.mjs";

const treebanks = process.argv.length > 2 ? process.argv.slice(2) : ["el_gdt", "tr_imst"];

/**
 * Of each word the last word from which on its whole subtree is in the buffer, if every subtree in it is a stretch of
 * neighbours; otherwise none.
 * @param {ArrayLike<number>} heads
 * @param {number} words
 */
function firstWords(heads, words) {
  const low = Array.from({ length: words + 1 }, (_, d) => d);
  const high = [...low];
  const size = low.map(() => 1);
  const whole = low.map(() => true);
  /** @type {number[][]} */
  const dependents = low.map(() => []);
  for (let d = 1; d <= words; d++) if (heads[d] > 0) dependents[heads[d]].push(d);
  /** @param {number} d */
  const visit = (d) => {
    for (const e of dependents[d]) {
      visit(e);
      low[d] = Math.min(low[d], low[e]);
      high[d] = Math.max(high[d], high[e]);
      size[d] += size[e];
      whole[d] &&= whole[e];
    }
    whole[d] &&= high[d] - low[d] + 1 === size[d];
  };
  for (let d = 1; d <= words; d++) if (heads[d] === 0) visit(d);
  return low.map((first, d) => (whole[d] ? first : -1));
}

const rows = [];
for (const treebank of treebanks) {
  const trees = readTrees(trainingFile(treebank));
  if (!trees) continue;
  for (const name of ["arc-standard", "attardi"]) {
    const system = createSystem(name, { root: "none" });
    const oracle = staticOracle(system);
    const c = new Configuration();
    const sum = { stack: 0, buffer: 0, reduced: 0, share: 0, count: 0, trees: 0 };
    const most = { stack: 0, buffer: 0, reduced: 0 };
    for (const gold of trees) {
      if (!canBuild(system, gold, c)) continue;
      const words = gold.heads.length - 1;
      const first = firstWords(gold.heads, words);
      sum.trees++;
      oracle.bind(gold);
      system.initialize(c, words);
      for (;;) {
        const front = words - c.bufferSize + 1;
        // A word of the buffer stands for itself unless it belongs to the subtree of another that is wholly there.
        const inside = (/** @type {number} */ d) => d >= front && first[d] >= front;
        let reduced = 0;
        for (let d = front; d <= words; d++) if (!(inside(gold.heads[d]) && gold.heads[d] > 0)) reduced++;
        sum.stack += c.stackSize;
        sum.buffer += c.bufferSize;
        sum.reduced += reduced;
        sum.share += (c.stackSize + reduced) / words;
        sum.count++;
        most.stack = Math.max(most.stack, c.stackSize);
        most.buffer = Math.max(most.buffer, c.bufferSize);
        most.reduced = Math.max(most.reduced, reduced);
        if (system.isTerminal(c)) break;
        system.apply(c, oracle.next(c));
      }
    }
    const cell = (/** @type {"stack" | "buffer" | "reduced"} */ part) =>
      `${(sum[part] / sum.count).toFixed(1)} (${most[part]})`;
    const share = (sum.share / sum.count).toFixed(2);
    rows.push([treebank, name, sum.trees, cell("stack"), cell("buffer"), cell("reduced"), share]);
  }
}
console.log(table(["treebank", "system", "trees", "σ (most)", "β (most)", "β_R (most)", "(σ + β_R) / n"], rows, 2));
