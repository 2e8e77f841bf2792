// How much is lost in swap, beyond the gold arcs that are certainly lost? All cases, machine-checked:
//
//   node bench/accuracy/swap-gap.mjs [--words 6] [--every 997]
//
// A case is what the future loss depends on (docs/experiments/oracles.md, lemma 2): an order of the words that are
// left, how many of them are on the stack, and the gold arcs between them, a forest; root none. The least loss of every
// case follows from that of the cases its moves lead to, which have fewer words or more inversions: nothing here is
// shared with the oracles. Printed are how much is lost, which of the lemmas hold in all cases, how many
// smallest cases there are that lose anything, and for one case in --every how far the upper bound of the oracle is
// above the loss (after npm run build). Six words are 73 million cases, about 100 MB.
import { parseArgs } from "node:util";
import { SwapBounds } from "../../packages/core/dist/systems/swap/swap-bounds.js";
import { Configuration, createSystem, GoldTree } from "../../packages/core/dist/systems.js";

const { values } = parseArgs({
  options: { words: { type: "string", default: "6" }, every: { type: "string", default: "997" } },
});
const most = Number(values.words);
const every = Number(values.every);

/** Every order of words 0 … m − 1, those with more inversions first. */
function ordersOf(m) {
  const orders = [];
  const extend = (order) => {
    if (order.length === m) orders.push(order);
    for (let w = 0; w < m; w++) if (!order.includes(w)) extend([...order, w]);
  };
  extend([]);
  const inversions = (order) => {
    let count = 0;
    for (let i = 0; i < m; i++) for (let j = i + 1; j < m; j++) if (order[i] > order[j]) count++;
    return count;
  };
  return orders.sort((a, b) => inversions(b) - inversions(a));
}

/** Every forest: the head of each word, −1 for none. */
function forestsOf(m) {
  const forests = [];
  const extend = (heads) => {
    if (heads.length < m) {
      for (let h = -1; h < m; h++) if (h !== heads.length) extend([...heads, h]);
      return;
    }
    for (let d = 0; d < m; d++) {
      let node = d;
      for (let steps = 0; node >= 0; node = heads[node]) if (++steps > m) return;
    }
    forests.push(heads);
  };
  extend([]);
  return forests;
}

/** Without a word, the others numbered anew. */
const withoutWord = (list, word) => list.filter((w) => w !== word).map((w) => (w > word ? w - 1 : w));
const prune = (heads, word) => heads.filter((_, d) => d !== word).map((h) => (h === word ? -1 : h > word ? h - 1 : h));

/** The cases of m words and the least loss of each, by those of one word fewer. */
function casesOf(m, fewer) {
  const orders = ordersOf(m);
  const forests = forestsOf(m);
  const orderNumber = new Map(orders.map((order, o) => [order.join(), o]));
  const heights = m + 1;
  const losses = new Uint8Array(forests.length * orders.length * heights);
  const at = (f, o, height) => (f * orders.length + o) * heights + height;
  // The order after two neighbours have changed places, and after a place is gone.
  const swapped = orders.map((order) =>
    order.map((_, p) => {
      if (p === 0 || order[p - 1] > order[p]) return -1;
      const next = [...order];
      [next[p - 1], next[p]] = [next[p], next[p - 1]];
      return orderNumber.get(next.join());
    }),
  );
  const shorter = fewer && orders.map((order) => order.map((w) => fewer.orderNumber.get(withoutWord(order, w).join())));
  const pruned = fewer && forests.map((heads) => heads.map((_, w) => fewer.forestNumber.get(prune(heads, w).join())));
  for (const [f, heads] of forests.entries()) {
    const children = heads.map((_, w) => heads.filter((h) => h === w).length);
    const price = (head, d) => children[d] + (heads[d] >= 0 && heads[d] !== head ? 1 : 0);
    for (const [o, order] of orders.entries()) {
      for (let height = m; height >= 0; height--) {
        let least = m === 1 ? 0 : height < m ? losses[at(f, o, height + 1)] : 255;
        if (height > 1 && least > 0) {
          const s = order[height - 1];
          const t = order[height - 2];
          const left = price(s, t) + fewer.losses[fewer.at(pruned[f][t], shorter[o][height - 2], height - 1)];
          const right = price(t, s) + fewer.losses[fewer.at(pruned[f][s], shorter[o][height - 1], height - 1)];
          least = Math.min(least, left, right);
          const next = swapped[o][height - 1];
          if (next >= 0) least = Math.min(least, losses[at(f, next, height - 1)]);
        }
        losses[at(f, o, height)] = least;
      }
    }
  }
  const forestNumber = new Map(forests.map((heads, f) => [heads.join(), f]));
  return { m, orders, forests, orderNumber, forestNumber, losses, at, shorter, pruned };
}

function report({ m, orders, forests, losses, at, shorter, pruned }, fewer) {
  const spread = [];
  let cases = 0;
  const failures = { "in the order of the sentence nothing is lost": 0, "with fewer words no more is lost": 0 };
  failures["a stack of one loses nothing"] = 0;
  failures["all arcs but one can be kept"] = 0;
  let example;
  const names = (words) => words.map((w) => w + 1);
  let smallest = 0;
  const smallestBy = new Map();
  const identity = orders.length - 1;
  const gaps = [];
  let sampled = 0;
  const upper = upperBound(m);
  for (const [f, heads] of forests.entries()) {
    for (const [o, order] of orders.entries()) {
      // Nothing is shifted back into an empty stack: only the first configuration has one.
      for (let height = o === identity ? 0 : 1; height <= m; height++) {
        const loss = losses[at(f, o, height)];
        spread[loss] = (spread[loss] ?? 0) + 1;
        if (cases++ % every === 0) {
          const gap = upper(order, height, heads) - loss;
          gaps[gap] = (gaps[gap] ?? 0) + 1;
          sampled++;
        }
        if (loss === 0) continue;
        if (loss > 1) failures["all arcs but one can be kept"]++;
        if (o === identity) failures["in the order of the sentence nothing is lost"]++;
        if (height === 1) failures["a stack of one loses nothing"]++;
        if (!fewer) continue;
        let isSmallest = true;
        for (let p = 0; p < m; p++) {
          const rest = fewer.losses[fewer.at(pruned[f][order[p]], shorter[o][p], p < height ? height - 1 : height)];
          if (rest > 0) isSmallest = false;
          if (rest <= loss) continue;
          failures["with fewer words no more is lost"]++;
          example ??= {
            stack: names(order.slice(0, height)),
            buffer: names(order.slice(height)),
            heads,
            loss,
            rest,
            without: order[p] + 1,
          };
        }
        if (!isSmallest) continue;
        smallest++;
        const arcs = heads.filter((h) => h >= 0).length;
        smallestBy.set(arcs, (smallestBy.get(arcs) ?? 0) + 1);
      }
    }
  }
  const share = (some, all) => `${((100 * some) / all).toFixed(3)} %`;
  const shares = (list, all) => list.map((count, k) => `${k}: ${share(count ?? 0, all)}`).join(", ");
  console.log(`${m} words: ${cases} cases; lost ${shares(spread, cases)}`);
  console.log(`  the upper bound is above the loss by ${shares(gaps, sampled)} (of ${sampled})`);
  for (const [lemma, count] of Object.entries(failures)) {
    console.log(`  ${lemma}: ${count === 0 ? "holds" : `fails in ${count} cases`}`);
  }
  if (example) {
    const { stack, buffer, loss, rest, without } = example;
    const arcs = example.heads.flatMap((h, d) => (h < 0 ? [] : `${h + 1} → ${d + 1}`));
    console.log(
      `    ${stack.join(" ")} | ${buffer.join(" ")}, ${arcs.join(", ")}: ${loss}, without ${without}: ${rest}`,
    );
  }
  const by = [...smallestBy].sort(([a], [b]) => a - b).map(([arcs, count]) => `${count} with ${arcs} arcs`);
  console.log(`  smallest cases that lose anything: ${smallest}${by.length > 0 ? ` (${by.join(", ")})` : ""}`);
}

/** The upper bound of the oracle. */
function upperBound(m) {
  const system = createSystem("swap", { root: "none" });
  const bounds = new SwapBounds(system);
  const c = new Configuration(m);
  return (order, height, heads) => {
    // A word without a head is one for which any head will do.
    bounds.bind(new GoldTree([-1, ...heads.map((h) => (h < 0 ? -1 : h + 1))]));
    system.initialize(c, m);
    order.forEach((word, place) => {
      if (place < height) c.stack[place] = word + 1;
      else c.buffer[place] = word + 1;
    });
    c.stackSize = height;
    c.front = height;
    bounds.find(c);
    return bounds.most;
  };
}

let fewer;
for (let m = 1; m <= most; m++) {
  const cases = casesOf(m, fewer);
  report(cases, fewer);
  fewer = cases;
}
