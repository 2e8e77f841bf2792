// Joint tagging against the pipeline, development sets, gold tokens, the same seed, data and number of epochs:
//   node bench/accuracy/joint.mjs [treebank …] [--epochs N] [--seeds 1,2] [--per-word K] [--margin X] [--system NAME]
//   [--sentences N]
// (after npm run build). With --sentences only the first N of the training set are used. The moves of both are learned
// alike, but not always with the same result: features are hashes, and one of a tag may be one of a move. "The same,
// tags of the tagger kept" is the joint parser without its choices; the difference to that is what the choices do.
// "Right among them" is how many words have their right tag among the candidates: what a parser that always chose right
// would reach. Speed is from tokens to trees with tags and lemmas, by the time of the processor, best of some rounds.
import { existsSync, readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { Pipeline, PipelineModel, readTreebank, writeModel } from "../../packages/core/dist/index.js";
import { JOINT_DEFAULTS } from "../../packages/core/dist/joint-tagging/candidate-finder.js";
import { defaultTemplates } from "../../packages/core/dist/systems.js";
import { jackknife, predictTags, Training, trainLemmatizer, trainTagger } from "../../packages/core/dist/training.js";

const FOLDS = 5;
const ROUNDS = 5;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    epochs: { type: "string", default: "5" },
    seeds: { type: "string", default: "1" },
    "per-word": { type: "string", default: String(JOINT_DEFAULTS.perWord) },
    margin: { type: "string", default: String(JOINT_DEFAULTS.margin) },
    system: { type: "string", default: "arc-standard" },
    sentences: { type: "string", default: "Infinity" },
  },
});
const epochs = Number(values.epochs);
const seeds = values.seeds.split(",").map(Number);
const options = { perWord: Number(values["per-word"]), margin: Number(values.margin) };

/** The sentences of one part of a treebank. */
function read(name, part) {
  const file = new URL(`../../../shared/treebanks/${name}-ud-${part}.conllu`, import.meta.url);
  return existsSync(file) ? readTreebank(readFileSync(file)) : undefined;
}

/** Percentages of right tags, heads, and heads with labels, of sentences that a parser may give other tags. */
function score(parserModel, sentences, gold) {
  const parser = parserModel.createParser();
  const right = { UPOS: 0, XPOS: 0, FEATS: 0, UAS: 0, LAS: 0 };
  let [words, changed, better, worse] = [0, 0, 0, 0];
  sentences.forEach((sentence, k) => {
    const before = Array.from(sentence.heads, (_, i) => (i > 0 ? sentence.upos(i) + sentence.xpos(i) : ""));
    const { heads, labels } = parser.parse(sentence);
    for (let i = 1; i <= sentence.length; i++) {
      const g = gold[k];
      words++;
      if (sentence.upos(i) === g.upos(i)) right.UPOS++;
      if (sentence.xpos(i) === g.xpos(i)) right.XPOS++;
      if (sentence.feats(i) === g.feats(i)) right.FEATS++;
      if (heads[i] === g.heads[i]) right.UAS++;
      if (heads[i] === g.heads[i] && labels[i] === g.deprel(i)) right.LAS++;
      const [was, is, should] = [before[i], sentence.upos(i) + sentence.xpos(i), g.upos(i) + g.xpos(i)];
      if (was !== is) changed++;
      if (was !== is && is === should) better++;
      if (was !== is && was === should) worse++;
    }
  });
  for (const name of Object.keys(right)) right[name] = (100 * right[name]) / words;
  return { ...right, changed: `${changed}: +${better} -${worse}` };
}

/** Shares of words with several candidates, and of those whose right tag is among them. */
function ambiguity(sentences) {
  let [words, several, right] = [0, 0, 0];
  for (const { length, choices, rightChoices } of sentences) {
    for (let i = 1; i <= length; i++) {
      words++;
      if (choices.from[i + 1] > choices.from[i] + 1) several++;
      if (rightChoices[i] >= 0) right++;
    }
  }
  return `several tags ${((100 * several) / words).toFixed(1)} %, right among them ${((100 * right) / words).toFixed(2)} %`;
}

/** Words per second, from tokens to trees. */
function speed(model, sentences) {
  const pipeline = new Pipeline(model);
  const forms = sentences.map((sentence) => Array.from({ length: sentence.length }, (_, i) => sentence.form(i + 1)));
  let best = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const start = process.cpuUsage();
    let words = 0;
    for (const tokens of forms) words += pipeline.parseTokens(tokens).length;
    const { user, system } = process.cpuUsage(start);
    best = Math.max(best, (1e6 * words) / (user + system));
  }
  return best;
}

for (const name of positionals.length > 0 ? positionals : ["tr_imst", "el_gdt", "en_ewt"]) {
  const [train, dev] = [read(name, "train")?.slice(0, Number(values.sentences)), read(name, "dev")];
  if (!train || !dev) {
    console.log(`${name}: skipped, ../shared/treebanks does not have it`);
    continue;
  }
  for (const seed of seeds) {
    const tagger = trainTagger(train, { seed });
    const lemmatizer = trainLemmatizer(train, { seed });
    const joint = { ...options, tagger };
    const sentences = jackknife(train, FOLDS, { seed, joint });
    const predicted = predictTags(dev, tagger, lemmatizer, joint);
    console.log(`${name}, seed ${seed}, ${epochs} epochs, ${tagger.analyses.tags} tags`);
    console.log(`  training: ${ambiguity(sentences)}; development: ${ambiguity(predicted)}`);
    for (const kind of ["pipeline", "joint"]) {
      const start = process.cpuUsage();
      const training = new Training(sentences, {
        system: values.system,
        root: "last",
        templates: defaultTemplates(values.system),
        oracle: values.system === "swap" ? "static" : "dynamic",
        exploreFrom: 2,
        exploreProbability: 1,
        lossBound: Number.POSITIVE_INFINITY,
        afterUpdate: "go-on",
        epochs,
        seed,
        joint: kind === "joint" ? { tags: tagger.analyses.tags, ...options } : undefined,
      });
      while (training.epoch < epochs) training.runEpoch();
      const seconds = process.cpuUsage(start).user / 1e6;
      const parser = training.model();
      const { changed, ...right } = score(parser, predicted, dev);
      const model = new PipelineModel({ tagger, lemmatizer, parser });
      const figures = Object.entries(right).map(([what, share]) => `${what} ${share.toFixed(2)}`);
      console.log(
        `  ${kind.padEnd(9)}${figures.join("  ")}  tags changed ${changed}; ${(writeModel(parser).length / 1e6).toFixed(2)} MB, ` +
          `${Math.round(speed(model, dev))} words/s, training ${seconds.toFixed(0)} s`,
      );
      if (kind === "pipeline") continue;
      const { UAS, LAS } = score(parser, predictTags(dev, tagger, lemmatizer), dev);
      console.log(`  the same, tags of the tagger kept: UAS ${UAS.toFixed(2)}  LAS ${LAS.toFixed(2)}`);
    }
  }
}
