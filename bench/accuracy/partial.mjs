// Partial trees, on the development set of a treebank:
//   node bench/accuracy/partial.mjs [treebank] [--sentences N] [--epochs N] [--share X] [--systems a,b] [--only train|parse]
// (after npm run build).
//
// train: the first N training sentences with all heads; without a share X of them, drawn at random (dynamic oracle,
// stemma train --partial);
//   only the sentences that lost none; and as many whole sentences as have the same number of heads, which is what else
//   the same work of annotators would have given.
// parse: a share of the heads and labels of the development set given as constraints; LAS of the words that are free,
// the time for a sentence, by the
//   time of the processor, and the same for the longest sentence; for each system.
import { existsSync, readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { readTreebank } from "../../packages/core/dist/index.js";
import { Random } from "../../packages/core/dist/math/random.js";
import { defaultTemplates } from "../../packages/core/dist/systems.js";
import { attachment, Training } from "../../packages/core/dist/training.js";

const NONE = -1;
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    sentences: { type: "string", default: "4000" },
    epochs: { type: "string", default: "5" },
    share: { type: "string", default: "0.3" },
    systems: { type: "string", default: "arc-standard,arc-eager,arc-hybrid,attardi,lr-spines,swap" },
    only: { type: "string" },
  },
});
const name = positionals[0] ?? "en_ewt";
const systems = values.systems.split(",");
const share = Number(values.share);

/** The sentences of one part of the treebank. */
function read(part) {
  const file = new URL(`../../../shared/treebanks/${name}-ud-${part}.conllu`, import.meta.url);
  return existsSync(file) ? readTreebank(readFileSync(file)) : undefined;
}

/** A sentence whose words lose their heads with a probability. */
function withoutHeads(sentence, probability, random) {
  const heads = sentence.heads.map((h, d) => (d > 0 && random.next() < probability ? NONE : h));
  return {
    length: sentence.length,
    heads,
    form: (i) => sentence.form(i),
    lemma: (i) => sentence.lemma(i),
    upos: (i) => sentence.upos(i),
    xpos: (i) => sentence.xpos(i),
    feats: (i) => sentence.feats(i),
    deprel: (i) => (heads[i] === NONE ? "_" : sentence.deprel(i)),
  };
}

function train(sentences, system) {
  const training = new Training(sentences, {
    system,
    root: "last",
    templates: defaultTemplates(system),
    oracle: system === "swap" ? "static" : "dynamic",
    exploreFrom: 2,
    exploreProbability: 1,
    lossBound: Number.POSITIVE_INFINITY,
    afterUpdate: "go-on",
    epochs: Number(values.epochs),
    seed: 1,
  });
  while (training.epoch < training.options.epochs) training.runEpoch();
  return training.model();
}

const headsIn = (sentences) => sentences.reduce((sum, { heads }) => sum + heads.filter((h) => h !== NONE).length, 0);

/** Whole sentences with as many heads as there are in partial ones. */
function asMany(sentences, heads) {
  const chosen = [];
  for (let count = 0; count < heads; ) {
    const sentence = sentences[chosen.length];
    chosen.push(sentence);
    count += sentence.length;
  }
  return chosen;
}

function compareTraining(whole, dev) {
  const random = new Random(11);
  const partial = whole.map((sentence) => withoutHeads(sentence, share, random));
  const sets = {
    "all heads": whole,
    [`${Math.round(100 * share)} % of the heads removed`]: partial,
    "only sentences that stay whole": partial.filter(({ heads }) => !heads.includes(NONE, 1)),
    "as many heads in whole sentences": asMany(whole, headsIn(partial)),
  };
  console.log(`${name}, ${whole.length} training sentences, ${values.epochs} epochs`);
  for (const system of systems.filter((system) => system !== "swap")) {
    for (const [what, sentences] of Object.entries(sets)) {
      const { uas, las } = attachment(train(sentences, system), dev);
      const size = `${sentences.length} sentences, ${headsIn(sentences)} heads`;
      console.log(
        `  ${system.padEnd(13)} ${what.padEnd(33)} UAS ${(100 * uas).toFixed(2)} LAS ${(100 * las).toFixed(2)}  (${size})`,
      );
    }
  }
}

/**
 * Parses with constraints: LAS of free words, milliseconds for a sentence, and sentences whose constraints cannot be
 * met.
 */
function parseWith(parser, sentences, given) {
  let [free, right, impossible, kept] = [0, 0, 0, 0];
  const random = new Random(5);
  const inputs = sentences.map((sentence) => withoutHeads(sentence, 1 - given, random));
  const start = process.cpuUsage();
  sentences.forEach((sentence, k) => {
    const { heads } = inputs[k];
    const labels = Array.from(heads, (h, d) => (h === NONE ? undefined : sentence.deprel(d)));
    let tree;
    try {
      tree = parser.parse(sentence, given > 0 ? { constraints: { heads, labels } } : {});
    } catch (error) {
      if (error.name !== "ImpossibleConstraints") throw error;
      impossible++;
      return;
    }
    for (let d = 1; d <= sentence.length; d++) {
      const isRight = tree.heads[d] === sentence.heads[d] && tree.labels[d] === sentence.deprel(d);
      if (heads[d] !== NONE) kept += isRight ? 0 : 1;
      else {
        free++;
        if (isRight) right++;
      }
    }
  });
  const { user, system } = process.cpuUsage(start);
  if (kept > 0) throw new Error(`${kept} constraints were not kept`);
  return { las: (100 * right) / free, time: (user + system) / 1000 / sentences.length, impossible };
}

function compareParsing(whole, dev) {
  const longest = dev.reduce((a, b) => (b.length > a.length ? b : a));
  console.log(`${name}, constraints: LAS of free words; ms for a sentence; for one of ${longest.length} words`);
  for (const system of systems) {
    const parser = train(whole, system).createParser();
    for (const given of [0, 0.2, 0.5, 0.8]) {
      parseWith(parser, dev, given);
      const { las, time, impossible } = parseWith(parser, dev, given);
      const long = parseWith(parser, new Array(20).fill(longest), given).time;
      const row = `${(100 * given).toFixed(0).padStart(3)} % given  LAS ${las.toFixed(2)}  ${time.toFixed(3)} ms  ${long.toFixed(2)} ms`;
      console.log(`  ${system.padEnd(13)} ${row}${impossible ? `  ${impossible} sentences impossible` : ""}`);
    }
  }
}

const [all, dev] = [read("train"), read("dev")];
if (!all || !dev) console.log(`${name}: skipped, ../shared/treebanks does not have it`);
else {
  const whole = all.slice(0, Number(values.sentences));
  if (values.only !== "parse") compareTraining(whole, dev);
  if (values.only !== "train") compareParsing(whole, dev);
}
