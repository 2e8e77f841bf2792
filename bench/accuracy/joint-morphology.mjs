// Whole analyses chosen while parsing (--joint morphology) against the pipeline that has them chosen by the tagger
// alone: development sets, gold tokens, the same data, seeds and numbers of epochs (after npm run build).
//   node bench/accuracy/joint-morphology.mjs tr_imst eu_bdt el_gdt en_ewt --sentences 1500 --seeds 1,2,3 --kinds greedy,network
// Tagger and lemmatizer are trained once, with seed 1; the seeds are those of the parsers. Kinds: greedy and beam are
// linear models, network is a network, greedy and with a beam; none shows only what there is to choose from. --per-word
// and --margin are the options of joint parsing, --epochs, --network-epochs and --width the sizes.
// "Open" is the share of words with several candidates, "right" how many have the right analysis first, and among
// them: what a parser that always chose right would reach. Then for each parser UPOS, FEATS, lemma, UAS and LAS, and
// how many analyses were changed, to right ones and from right ones. "Kept" is the joint network with the tagger's
// analyses, whose difference to joint is what the choices do (linear models learn moves as in the pipeline, and are
// trained once). "Right choices" are the trees of the pipeline's parser when words are given the right candidate where
// there is one, "gold" when they are given the gold analyses: what better analyses could do for trees. At the end means
// over the seeds, and for each difference the p of a paired test by sentences, over all seeds together.
import { existsSync, readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { compareSystems } from "../../packages/core/dist/evaluation.js";
import { readTreebank } from "../../packages/core/dist/index.js";
import { JOINT_DEFAULTS, jointTagging } from "../../packages/core/dist/joint-tagging/candidate-finder.js";
import { defaultTemplates } from "../../packages/core/dist/systems.js";
import { neuralOptionsOf } from "../../packages/core/dist/training/learner-options.js";
import { completeSettings } from "../../packages/core/dist/training/settings.js";
import {
  jackknife,
  NeuralTraining,
  predictTags,
  Training,
  trainLemmatizer,
  trainTagger,
} from "../../packages/core/dist/training.js";

const METRICS = ["UPOS", "FEATS", "lemma", "UAS", "LAS"];
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    epochs: { type: "string", default: "5" },
    "network-epochs": { type: "string", default: "8" },
    width: { type: "string", default: "96" },
    seeds: { type: "string", default: "1,2,3" },
    kinds: { type: "string", default: "greedy,network" },
    beam: { type: "string", default: "4" },
    "per-word": { type: "string", default: String(JOINT_DEFAULTS.perWord) },
    margin: { type: "string", default: String(JOINT_DEFAULTS.margin) },
    system: { type: "string", default: "arc-standard" },
    folds: { type: "string", default: "3" },
    sentences: { type: "string", default: "1500" },
    "dev-sentences": { type: "string", default: "Infinity" },
  },
});
const seeds = values.seeds.split(",").map(Number);
const kinds = values.kinds === "none" ? [] : values.kinds.split(",");
const beam = Number(values.beam);
const options = { perWord: Number(values["per-word"]), margin: Number(values.margin), morphology: true };

/** The sentences of one part of a treebank. */
function read(name, part) {
  const file = new URL(`../../../shared/treebanks/${name}-ud-${part}.conllu`, import.meta.url);
  return existsSync(file) ? readTreebank(readFileSync(file)) : undefined;
}

const analysisOf = (sentence, i) => `${sentence.upos(i)} ${sentence.xpos(i)} ${sentence.feats(i)}`;

/** How many words of each sentence have the right tags, lemmas, heads, and heads with labels. */
function count(parser, sentences, gold) {
  const counts = { words: gold.map(({ length }) => length), changed: 0, better: 0, worse: 0 };
  for (const metric of METRICS) counts[metric] = gold.map(() => 0);
  sentences.forEach((sentence, k) => {
    sentence.choices?.reset();
    const before = Array.from(sentence.heads, (_, i) => (i > 0 ? analysisOf(sentence, i) : ""));
    const { heads, labels } = parser.parse(sentence);
    const g = gold[k];
    for (let i = 1; i <= sentence.length; i++) {
      if (sentence.upos(i) === g.upos(i)) counts.UPOS[k]++;
      if (sentence.feats(i) === g.feats(i)) counts.FEATS[k]++;
      if (sentence.lemma(i) === g.lemma(i)) counts.lemma[k]++;
      if (heads[i] === g.heads[i]) counts.UAS[k]++;
      if (heads[i] === g.heads[i] && labels[i] === g.deprel(i)) counts.LAS[k]++;
      const [is, should] = [analysisOf(sentence, i), analysisOf(g, i)];
      if (before[i] === is) continue;
      counts.changed++;
      if (is === should) counts.better++;
      if (before[i] === should) counts.worse++;
    }
  });
  return counts;
}

const sum = (list) => list.reduce((a, b) => a + b, 0);
const percent = (counts, metric) => (100 * sum(counts[metric])) / sum(counts.words);

function figures(counts) {
  const { changed, better, worse } = counts;
  const scores = METRICS.map((metric) => `${metric} ${percent(counts, metric).toFixed(2)}`).join("  ");
  return changed ? `${scores}  changed ${changed}: +${better} -${worse}` : scores;
}

/** Shares of words with several candidates, with the right one first, and with the right one among them. */
function ambiguity(sentences) {
  let [words, open, first, right] = [0, 0, 0, 0];
  for (const { length, choices, rightChoices } of sentences) {
    for (let i = 1; i <= length; i++) {
      words++;
      if (choices.from[i + 1] > choices.from[i] + 1) open++;
      if (rightChoices[i] === choices.from[i]) first++;
      if (rightChoices[i] >= 0) right++;
    }
  }
  const share = (count) => ((100 * count) / words).toFixed(2);
  return `open ${share(open)} %, right ${share(first)} % first, ${share(right)} % among them`;
}

/** The sentence with the right candidate wherever there is one. */
function rightlyChosen(sentence) {
  const { choices, rightChoices, length, heads } = sentence;
  choices.reset();
  const columns = { form: [], lemma: [], upos: [], xpos: [], feats: [] };
  for (let i = 1; i <= length; i++) {
    if (rightChoices[i] >= 0) choices.choose(i, rightChoices[i]);
    for (const column of Object.keys(columns)) columns[column][i] = sentence[column](i);
  }
  choices.reset();
  const getters = Object.entries(columns).map(([name, list]) => [name, (i) => list[i]]);
  return { length, heads, ...Object.fromEntries(getters) };
}

/** A trained parser, linear or a network, with or without joint parsing. */
function trained(kind, sentences, seed, joint) {
  const shared = {
    system: values.system,
    root: "last",
    oracle: values.system === "swap" ? "static" : "dynamic",
    exploreFrom: 2,
    exploreProbability: 1,
    seed,
    joint,
  };
  const epochs = Number(kind === "network" ? values["network-epochs"] : values.epochs);
  const { system, oracle } = shared;
  const width = Number(values.width);
  const training =
    kind === "network"
      ? new NeuralTraining(sentences, {
          ...neuralOptionsOf(completeSettings({ network: true, system, oracle, epochs, seed, width }), sentences, {}),
          joint,
        })
      : new Training(sentences, {
          ...shared,
          epochs,
          templates: defaultTemplates(values.system),
          lossBound: Number.POSITIVE_INFINITY,
          afterUpdate: "go-on",
          ...(kind === "beam" ? { beam } : {}),
        });
  while (training.epoch < epochs) training.runEpoch();
  return training.model();
}

/** All counts of several runs together, as the test takes them. */
function together(runs, metric) {
  const words = runs[0].words.map((n) => n * runs.length);
  const right = runs[0].words.map((_, k) => sum(runs.map((run) => run[metric][k])));
  return { gold: words, system: words, uas: right, las: right };
}

for (const name of positionals.length > 0 ? positionals : ["tr_imst", "eu_bdt", "el_gdt", "en_ewt"]) {
  const train = read(name, "train")?.slice(0, Number(values.sentences));
  const dev = read(name, "dev")?.slice(0, Number(values["dev-sentences"]));
  if (!train || !dev) {
    console.log(`${name}: skipped, ../shared/treebanks does not have it`);
    continue;
  }
  const runs = new Map();
  const note = (what, seed, counts) => {
    runs.set(what, [...(runs.get(what) ?? []), counts]);
    console.log(`${name}, seed ${seed}, ${what.padEnd(24)} ${figures(counts)}`);
  };
  const tagger = trainTagger(train, { seed: 1 });
  const lemmatizer = trainLemmatizer(train, { seed: 1 });
  const joint = { ...options, tagger };
  const jackknifed = jackknife(train, Number(values.folds), { seed: 1, joint });
  const predicted = predictTags(dev, tagger, lemmatizer, joint);
  const kept = predictTags(dev, tagger, lemmatizer);
  const sentences = [...jackknifed, ...train];
  const { header, analyses } = tagger;
  console.log(`${name}: ${analyses.tags} tags, ${header.analyses.length} analyses of ${analyses.partNames.size} parts`);
  console.log(`${name} training: ${ambiguity(jackknifed)}; development: ${ambiguity(predicted)}`);
  for (const seed of seeds) {
    for (const kind of kinds) {
      const jointModel = trained(kind, sentences, seed, jointTagging(tagger, options));
      // A linear model learns its moves as without joint parsing: "kept" is the pipeline.
      const isSame = kind !== "network";
      const models = [isSame ? jointModel : trained(kind, sentences, seed), jointModel];
      for (const width of kind === "network" ? [1, beam] : kind === "beam" ? [beam] : [1]) {
        const label =
          kind === "network" ? `network, beam ${width}` : kind === "beam" ? `linear, beam ${width}` : "linear";
        const [pipelineParser, jointParser] = models.map((model) => model.createParser({ beam: width }));
        note(`${label}: pipeline`, seed, count(pipelineParser, kept, dev));
        note(`${label}: joint`, seed, count(jointParser, predicted, dev));
        if (!isSame) note(`${label}: kept`, seed, count(jointParser, kept, dev));
        note(`${label}: right choices`, seed, count(pipelineParser, predicted.map(rightlyChosen), dev));
        note(`${label}: gold`, seed, count(pipelineParser, dev, dev));
      }
    }
  }
  for (const [what, list] of runs) {
    const means = METRICS.map((metric) => {
      const mean = sum(list.map((counts) => percent(counts, metric))) / list.length;
      return `${metric} ${mean.toFixed(2)}`;
    });
    console.log(`${name} mean ${what.padEnd(24)} ${means.join("  ")}`);
    if (!what.endsWith(": joint")) continue;
    for (const other of ["pipeline", "kept"]) {
      const before = runs.get(what.replace(/joint$/, other));
      if (!before) continue;
      const tests = METRICS.map((metric) => {
        const { difference, p } = compareSystems(together(before, metric), together(list, metric), "las");
        return `${metric} ${difference >= 0 ? "+" : ""}${(100 * difference).toFixed(2)} (p ${p.toFixed(4)})`;
      });
      console.log(`${name} joint - ${other}: ${tests.join("  ")}`);
    }
  }
}
