// Accuracy, size and speed of the tagger and the lemmatizer on the development sets of treebanks, with gold tokens.
//   node bench/accuracy/tagging.mjs [treebank …] [--epochs N] [--prune X] [--jackknife K]
// Lemmas are made from predicted tags and compared as the scorer of the CoNLL 2018 shared task does: whole strings, and
// any lemma is right where the treebank gives "_". Speed is that of one core, by the time of the processor.
import { existsSync, readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { Lemmatizer, Sentence, Tagger } from "../../packages/core/dist/index.js";
import { jackknife, trainLemmatizer, trainTagger } from "../../packages/core/dist/training.js";
import { TreebankReader } from "../../packages/core/dist/treebank.js";

const TREEBANKS = ["en_ewt", "el_gdt", "eu_bdt", "tr_imst", "zh_gsd", "af_afribooms", "nl_lassysmall"];
const ROUNDS = 5;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { epochs: { type: "string" }, prune: { type: "string" }, jackknife: { type: "string" } },
});
const number = (text) => (text === undefined ? undefined : Number(text));
const options = { epochs: number(values.epochs), prune: number(values.prune) };

/** The sentences of one part of a treebank; those that are no trees have tags all the same. */
function read(name, part) {
  const file = new URL(`../../../shared/treebanks/${name}-ud-${part}.conllu`, import.meta.url).pathname;
  if (!existsSync(file)) return undefined;
  const reader = new TreebankReader();
  return [...reader.push(readFileSync(file)), ...reader.end()].filter((result) => result instanceof Sentence);
}

const formsOf = (sentence) => Array.from({ length: sentence.length }, (_, i) => sentence.form(i + 1));
const percent = (count, all) => ((100 * count) / all).toFixed(2);

/** Seconds of the processor that a function takes. */
function seconds(work) {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

function entriesOf({ linear }) {
  return linear.entries().weights.length;
}

/** Right UPOS, XPOS, FEATS, all three, and lemmas of sentences that have predicted ones. */
function score(gold, predicted) {
  let words = 0;
  const right = { UPOS: 0, XPOS: 0, FEATS: 0, "all tags": 0, lemma: 0 };
  gold.forEach((sentence, k) => {
    const found = predicted[k];
    for (let i = 1; i <= sentence.length; i++) {
      words++;
      const upos = found.upos(i) === sentence.upos(i);
      const xpos = found.xpos(i) === sentence.xpos(i);
      const feats = found.feats(i) === sentence.feats(i);
      if (upos) right.UPOS++;
      if (xpos) right.XPOS++;
      if (feats) right.FEATS++;
      if (upos && xpos && feats) right["all tags"]++;
      if (sentence.lemma(i) === "_" || found.lemma(i) === sentence.lemma(i)) right.lemma++;
    }
  });
  return Object.entries(right)
    .map(([name, count]) => `${name} ${percent(count, words)}`)
    .join("  ");
}

for (const name of positionals.length > 0 ? positionals : TREEBANKS) {
  const train = read(name, "train");
  const dev = read(name, "dev");
  if (!train || !dev) {
    console.log(`${name}: not there, skipped`);
    continue;
  }
  let taggerModel;
  let lemmatizerModel;
  const taggerSeconds = seconds(() => (taggerModel = trainTagger(train, options)));
  const lemmatizerSeconds = seconds(() => (lemmatizerModel = trainLemmatizer(train)));
  const tagger = new Tagger(taggerModel);
  const lemmatizer = new Lemmatizer(lemmatizerModel);
  const forms = dev.map(formsOf);
  const analyse = (sentence) => {
    tagger.tag(sentence);
    return sentence.map((form, i) => {
      const [upos, xpos, feats] = [tagger.upos(i), tagger.xpos(i), tagger.feats(i)];
      return { upos, xpos, feats, lemma: lemmatizer.lemma(form, upos, xpos, feats) };
    });
  };
  const predicted = forms.map((sentence) => {
    const words = analyse(sentence);
    return {
      upos: (i) => words[i - 1].upos,
      xpos: (i) => words[i - 1].xpos,
      feats: (i) => words[i - 1].feats,
      lemma: (i) => words[i - 1].lemma,
    };
  });
  console.log(`${name}  ${score(dev, predicted)}`);
  const tokens = forms.reduce((sum, sentence) => sum + sentence.length, 0);
  // First with nothing kept from earlier words, then with what the rounds before have left.
  let [coldest, best] = [0, 0];
  for (let round = 0; round < ROUNDS; round++) {
    const [freshTagger, freshLemmatizer] = [new Tagger(taggerModel), new Lemmatizer(lemmatizerModel)];
    const speed = () => {
      const time = seconds(() => {
        for (const sentence of forms) {
          freshTagger.tag(sentence);
          for (let i = 0; i < sentence.length; i++) {
            freshLemmatizer.lemma(sentence[i], freshTagger.upos(i), freshTagger.xpos(i), freshTagger.feats(i));
          }
        }
      });
      return Math.round(tokens / time);
    };
    coldest = Math.max(coldest, speed());
    best = Math.max(best, speed());
  }
  const [tags, scripts] = [entriesOf(taggerModel), entriesOf(lemmatizerModel)];
  const headers = JSON.stringify(taggerModel.header).length + JSON.stringify(lemmatizerModel.header).length;
  console.log(
    `  tagger ${tags} weights, ${taggerModel.linear.size} features, trained in ${taggerSeconds.toFixed(0)} s;` +
      ` lemmatizer ${scripts} weights, ${lemmatizerModel.header.scripts.length} scripts,` +
      ` ${lemmatizerModel.header.exceptions.length / 3} exceptions, ${lemmatizerSeconds.toFixed(0)} s; headers ${headers} characters;` +
      ` ${coldest} tokens/s on new text, ${best} on known words (best of ${ROUNDS})`,
  );
  if (values.jackknife) {
    const trees = train.filter((sentence) => sentence.length > 0);
    let folded;
    const time = seconds(
      () =>
        (folded = jackknife(trees, Number(values.jackknife), {
          tagger: options.epochs ? { epochs: options.epochs } : {},
        })),
    );
    console.log(`  jack-knifed training data (${time.toFixed(0)} s)  ${score(trees, folded)}`);
  }
}
