// Static, a list of repairs, exact: three oracles for arc-standard with the same features, data and settings. Writes the
// figures of docs/experiments/repairs.md, after the text that is there. After npm run build:
//   node bench/accuracy/repairs.mjs                     trains what is missing, then writes the page
//   node bench/accuracy/repairs.mjs --report            writes the page from what is there
//   node bench/accuracy/repairs.mjs --cases [WORDS]     all trees of up to so many words (5): which errors have a repair
//   --treebanks a,b (el_gdt,tr_imst)  --seeds N (3)  --epochs N (15)  --minutes N: begin no training after so many
// Every training is kept in docs/experiments/repairs/results.json as soon as it is over.
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { compareSystems, plotSVG } from "../../packages/core/dist/evaluation.js";
import { Configuration, defaultTemplates, dynamicOracle, GoldTree } from "../../packages/core/dist/systems.js";
import { attachment, Training } from "../../packages/core/dist/training.js";
import { table } from "../data/markdown.mjs";
import { defineRepairs, derivation, KINDS, lastOracle, PLAIN, REPAIRED, repaired } from "../data/repairs.mjs";
import { trainAndDev } from "../data/treebanks.mjs";

const FOLDER = fileURLToPath(new URL("../../docs/experiments/repairs", import.meta.url));
const RESULTS = join(FOLDER, "results.json");
const PAGE = `${FOLDER}.md`;
const MARK = "<!-- node bench/accuracy/repairs.mjs writes the rest -->";

const { values } = parseArgs({
  options: {
    report: { type: "boolean" },
    cases: { type: "string" },
    treebanks: { type: "string", default: "el_gdt,tr_imst" },
    seeds: { type: "string", default: "3" },
    epochs: { type: "string", default: "15" },
    minutes: { type: "string", default: "9" },
  },
});
const epochs = Number(values.epochs);

/** All that differs between the trainings. */
const ORACLES = {
  static: { system: "arc-standard", oracle: "static", lossBound: Number.POSITIVE_INFINITY },
  repairs: { system: REPAIRED, oracle: "dynamic", lossBound: 1 },
  exact: { system: "arc-standard", oracle: "dynamic", lossBound: Number.POSITIVE_INFINITY },
};
/** Predictions are followed from the first step; every wrong prediction is one update, nothing else is. */
const SETTINGS = {
  root: "none",
  projectivize: "head",
  exploreFrom: 1,
  exploreProbability: 1,
  afterUpdate: "go-on",
  margin: 0,
  minUpdates: 0,
  wordDropout: 0,
  featureDropout: 0,
};

if (values.cases !== undefined) cases(Number(values.cases));
else {
  defineRepairs();
  const results = existsSync(RESULTS) ? JSON.parse(readFileSync(RESULTS, "utf8")) : {};
  if (!values.report) trainAll(results);
  report(results);
}

function trainAll(results) {
  const until = Date.now() + 60_000 * Number(values.minutes);
  for (let seed = 1; seed <= Number(values.seeds); seed++) {
    for (const { treebank, sentences, dev } of trainAndDev(values.treebanks.split(","), Number.POSITIVE_INFINITY)) {
      for (const [name, oracle] of Object.entries(ORACLES)) {
        const key = `${treebank} ${name} seed ${seed} epochs ${epochs}`;
        if (results[key] || Date.now() > until) continue;
        results[key] = trained(sentences, dev, oracle, seed);
        mkdirSync(dirname(RESULTS), { recursive: true });
        writeFileSync(`${RESULTS}.tmp`, JSON.stringify(results).replaceAll('},"', '},\n"'));
        renameSync(`${RESULTS}.tmp`, RESULTS);
        console.log(`${key}: LAS ${(100 * results[key].epochs.at(-1).las).toFixed(2)}`);
      }
    }
  }
}

function trained(sentences, dev, oracle, seed) {
  const start = process.cpuUsage();
  const templates = defaultTemplates("arc-standard");
  const training = new Training(sentences, { ...SETTINGS, ...oracle, templates, epochs, seed });
  const [trainer] = training.trainers;
  const result = { sentences: training.data.sentences, gold: dev.map(({ length }) => length), epochs: [] };
  let seconds = 0;
  while (training.epoch < epochs) {
    const { time, updates } = trainer;
    const counts = oracle.system === REPAIRED ? { ...lastOracle.counts } : {};
    const before = process.cpuUsage();
    training.runEpoch();
    seconds += process.cpuUsage(before).user / 1e6;
    const las = [];
    const uas = [];
    const scores = attachment(training.model(), dev, (right, labelled) => {
      uas.push(right);
      las.push(labelled);
    });
    const kinds = Object.keys(counts).map((kind) => [kind, lastOracle.counts[kind] - counts[kind]]);
    result.epochs.push({
      las: scores.las,
      uas: scores.uas,
      steps: trainer.time - time,
      wrong: trainer.updates - updates,
      ...(kinds.length > 0 ? { kinds: Object.fromEntries(kinds) } : {}),
    });
    Object.assign(result, { las, uas });
  }
  return { ...result, trainingSeconds: Math.round(10 * seconds) / 10, seconds: process.cpuUsage(start).user / 1e6 };
}

/** All configurations that training with repairs can come to, and every wrong transition in them. */
function cases(words) {
  const oracle = dynamicOracle(PLAIN);
  const c = new Configuration();
  const counts = Object.fromEntries(KINDS.map((kind) => [kind, { all: 0, free: 0, lost: 0 }]));
  const apply = (moves, n) => {
    PLAIN.initialize(c, n);
    for (const move of moves) PLAIN.apply(c, move);
  };
  for (let n = 1; n <= words; n++) {
    for (const heads of trees(n)) {
      const gold = new GoldTree(heads);
      oracle.bind(gold);
      const seen = new Set();
      const waiting = [[derivation(gold, n), 0]];
      for (let next = waiting.pop(); next; next = waiting.pop()) {
        const [moves, from] = next;
        for (let at = from; at < moves.length; at++) {
          // The same list of transitions, done up to the same place, is the same case.
          const id = `${moves} ${at}`;
          if (seen.has(id)) break;
          seen.add(id);
          for (const wrong of PLAIN.moves) {
            apply(moves.slice(0, at), n);
            if (wrong === moves[at] || !PLAIN.permits(c, wrong)) continue;
            const cost = oracle.cost(c, wrong);
            const before = oracle.loss(c);
            const repair = repaired(moves, at, wrong);
            const count = counts[repair?.kind ?? "unknown"];
            count.all++;
            if (cost === 0) count.free++;
            if (!repair) continue;
            apply(repair.moves, n);
            if (oracle.loss(c) > before + cost) count.lost++;
            waiting.push([repair.moves, at + 1]);
          }
        }
      }
    }
  }
  const rows = KINDS.map((kind) => [kind, counts[kind].all, counts[kind].free, counts[kind].lost]);
  const all = [1, 2, 3].map((column) => rows.reduce((sum, row) => sum + row[column], 0));
  console.log(
    table(["after a wrong transition", "cases", "of them free", "repair loses more"], [...rows, ["all", ...all]], 1),
  );
}

/** The projective trees with one root of so many words. */
function* trees(n) {
  const heads = new Int32Array(n + 1).fill(-1);
  for (let code = 0; code < (n + 1) ** n; code++) {
    for (let d = 1, rest = code; d <= n; d++, rest = Math.floor(rest / (n + 1))) heads[d] = rest % (n + 1);
    if (isTree(heads) && isProjective(heads)) yield Int32Array.from(heads);
  }
}

function isTree(heads) {
  if (heads.filter((head) => head === 0).length !== 1) return false;
  for (let d = 1; d < heads.length; d++) {
    let at = d;
    for (let steps = 0; at > 0; at = heads[at]) if (++steps > heads.length) return false;
  }
  return true;
}

function isProjective(heads) {
  for (let d = 1; d < heads.length; d++) {
    const [low, high] = [Math.min(d, heads[d]), Math.max(d, heads[d])];
    for (let e = 1; e < heads.length; e++) {
      const inside = [e, heads[e]].filter((word) => word > low && word < high).length;
      const outside = [e, heads[e]].filter((word) => word < low || word > high).length;
      if (inside === 1 && outside === 1) return false;
    }
  }
  return true;
}

function report(results) {
  const found = Object.entries(results).map(([key, result]) => {
    const [treebank, oracle, , seed, , planned] = key.split(" ");
    return { treebank, oracle, seed: Number(seed), planned: Number(planned), ...result };
  });
  const mean = (list) => list.reduce((sum, value) => sum + value, 0) / list.length;
  const parts = [];
  const missing = [];
  const rows = [];
  const kinds = [];
  for (const treebank of new Set([...values.treebanks.split(","), ...found.map((one) => one.treebank)])) {
    const own = found.filter((one) => one.treebank === treebank && one.planned === epochs);
    const of = (oracle) => own.filter((one) => one.oracle === oracle).sort((a, b) => a.seed - b.seed);
    for (const oracle of Object.keys(ORACLES)) {
      for (let seed = 1; seed <= Number(values.seeds); seed++) {
        if (!of(oracle).some((one) => one.seed === seed)) missing.push(`${treebank}, ${oracle}, seed ${seed}`);
      }
      const runs = of(oracle);
      if (runs.length === 0) continue;
      const share = (e) =>
        `${(100 * mean(runs.map((run) => run.epochs.at(e).wrong / run.epochs.at(e).steps))).toFixed(2)} %`;
      const scores = ["uas", "las"].map((name) => (100 * mean(runs.map((run) => run.epochs.at(-1)[name]))).toFixed(2));
      const than = ["static", "repairs"].map((other, o) =>
        o < Object.keys(ORACLES).indexOf(oracle) ? difference(of(other), runs) : "",
      );
      rows.push([
        treebank,
        oracle,
        runs.length,
        ...scores,
        ...than,
        share(0),
        share(-1),
        Math.round(mean(runs.map((run) => run.trainingSeconds))),
      ]);
    }
    for (const [name, e] of [
      ["first", 0],
      ["last", -1],
    ]) {
      const runs = of("repairs");
      if (runs.length === 0) continue;
      const count = (kind) => runs.reduce((sum, run) => sum + run.epochs.at(e).kinds[kind], 0);
      const wrong = runs.reduce((sum, run) => sum + run.epochs.at(e).wrong, 0);
      const transitions = KINDS.reduce((sum, kind) => sum + count(kind), 0);
      const shown = (n) => `${((100 * n) / wrong).toFixed(1)} %`;
      kinds.push([treebank, name, wrong, shown(wrong - transitions), ...KINDS.map((kind) => shown(count(kind)))]);
    }
    const curves = (of) =>
      Object.keys(ORACLES).flatMap((oracle) => {
        const runs = own.filter((one) => one.oracle === oracle);
        if (runs.length === 0) return [];
        return [
          {
            name: oracle,
            points: runs[0].epochs.map((_, e) => ({ x: e + 1, y: 100 * mean(runs.map((run) => of(run, e))) })),
          },
        ];
      });
    if (own.length === 0) continue;
    for (const [file, title, label, of] of [
      ["las", "development part", "LAS", (run, e) => run.epochs[e].las],
      ["loss", "training", "wrong predictions (%)", (run, e) => run.epochs[e].wrong / run.epochs[e].steps],
    ]) {
      const plot = { title: `${treebank}, ${title}`, x: { label: "epoch" }, y: { label }, series: curves(of) };
      writeFileSync(join(FOLDER, `${file}-${treebank}.svg`), plotSVG(plot, { standalone: true }));
      parts.push(`![${plot.title}: ${label}](repairs/${file}-${treebank}.svg)`);
    }
  }
  const columns = ["treebank", "oracle", "seeds", "UAS", "LAS", "LAS − static (p)", "LAS − repairs (p)"];
  const text = [
    table([...columns, "wrong, first epoch", "wrong, last epoch", "training, s"], rows, 2),
    `What training with repairs met, as shares of the wrong predictions of an epoch; after a wrong label the derivation goes on as it was:`,
    table(["treebank", "epoch", "wrong", "label only", ...KINDS], kinds, 2),
    parts.join("\n\n"),
    ...(missing.length > 0 ? [`Not computed yet: ${missing.join("; ")}.`] : []),
  ].join("\n\n");
  if (!existsSync(PAGE)) return console.log(text);
  const page = readFileSync(PAGE, "utf8");
  writeFileSync(PAGE, `${page.slice(0, page.indexOf(MARK) + MARK.length)}\n\n${text}\n`);
}

/** The difference in LAS of runs with the same seeds, and p; sentences are exchanged with all their seeds. */
function difference(first, second) {
  const seeds = first.map(({ seed }) => seed).filter((seed) => second.some((run) => run.seed === seed));
  if (seeds.length === 0) return "–";
  const pooled = (runs) => {
    const own = runs.filter(({ seed }) => seeds.includes(seed));
    const total = (name) => own[0][name].map((_, i) => own.reduce((sum, run) => sum + run[name][i], 0));
    return { gold: total("gold"), system: total("gold"), uas: total("uas"), las: total("las") };
  };
  const { difference, p } = compareSystems(pooled(first), pooled(second), "las");
  return `${difference < 0 ? "−" : "+"}${Math.abs(100 * difference).toFixed(2)} (${p < 0.001 ? "< 0.001" : p.toFixed(3)})`;
}
