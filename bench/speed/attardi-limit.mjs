// Attardi's oracle where much must be given up: search or table?
//
//   node bench/speed/attardi-limit.mjs [--degrees 2,3] [--words 20,40,60,100,150] [--seed 1]
//
// Random projective trees, half or three quarters of whose words are shifted without any arc. Times are milliseconds of
// CPU time: of the search within its limit, and of the table with the loss as its bound.
import { parseArgs } from "node:util";
import { AttardiSearch } from "../../packages/core/dist/systems/losses/attardi/attardi-search.js";
import { leastByParts } from "../../packages/core/dist/systems/losses/attardi/attardi-table.js";
import { BottomUpLoss } from "../../packages/core/dist/systems/losses/bottom-up.js";
import { Configuration, createSystem, GoldTree, SHIFT } from "../../packages/core/dist/systems.js";
import { generator } from "../data/random.mjs";

const { values } = parseArgs({
  options: {
    degrees: { type: "string", default: "2,3" },
    words: { type: "string", default: "20,40,60,100,150" },
    seed: { type: "string", default: "1" },
  },
});
const numbers = (text) => text.split(",").map(Number);

/** A projective tree, made by dividing the sentence at random. */
function randomTree(n, random) {
  const heads = new Array(n + 1).fill(-1);
  const agenda = [[1, n, 0]];
  for (let part = agenda.pop(); part; part = agenda.pop()) {
    const [from, to, head] = part;
    if (from > to) continue;
    const root = from + Math.floor(random() * (to - from + 1));
    heads[root] = head;
    agenda.push([from, root - 1, root], [root + 1, to, root]);
  }
  return heads;
}

/** The result of a function, and the milliseconds of CPU time that it takes. */
function timed(ask) {
  const start = process.cpuUsage();
  const answer = ask();
  const { user, system } = process.cpuUsage(start);
  return { answer, time: Math.round((user + system) / 1000) };
}

console.log("| degree | words | on the stack | relevant | loss | search | table |");
console.log("| ---: | ---: | ---: | ---: | ---: | ---: | ---: |");
for (const degree of numbers(values.degrees)) {
  for (const n of numbers(values.words)) {
    for (const share of [0.5, 0.75]) {
      const system = createSystem("attardi", { degree });
      const gamma = new BottomUpLoss(degree, "last", false);
      gamma.bind(new GoldTree(randomTree(n, generator(Number(values.seed)))));
      const c = new Configuration(n);
      system.initialize(c, n);
      for (let i = 0; i < n * share; i++) system.apply(c, SHIFT);
      if (gamma.reaches(c, -1, false)) continue;
      // Without a table the search says where it gave up.
      const search = new AttardiSearch(degree, undefined, 0);
      const searched = timed(() => search.least(gamma));
      // The loss is not known otherwise.
      const loss = search.exact ? searched.answer : new AttardiSearch(degree).least(gamma);
      const table = timed(() => leastByParts(gamma, degree, loss, true));
      const cells = [
        search.exact || table.answer.complete ? loss : `≤ ${loss}`,
        search.exact ? searched.time : `gave up after ${searched.time}`,
        table.answer.complete ? table.time : `gave up after ${table.time}`,
      ];
      console.log(`| ${[degree, n, Math.ceil(n * share), gamma.size, ...cells].join(" | ")} |`);
    }
  }
}
