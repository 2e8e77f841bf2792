import type { Given, Setting } from "@stemma/core/training";
import type { Command } from "commander";
import { guarded } from "../../files/io.js";
import { addTopics, type Topics } from "../../terminal/topics.js";
import { readConfig } from "../../training/config.js";
import { trainingFiles } from "../../training/data.js";
import { addTrainingOptions, completeOptions, givenOptions } from "../../training/options.js";
import { runTraining } from "../../training/run.js";
import { commandSettings } from "../../training/schema.js";

const FIRST = `Presets: fast is a greedy linear model, accurate a greedy network, small the same below 4 MB, best a larger network with a beam (docs/choosing.md).

Examples:
  $ stemma train train.conllu --dev dev.conllu --model english.stemma
  $ stemma train train.conllu --dev dev.conllu --model english.stemma --pipeline --preset accurate --threads 0
  $ stemma train train.conllu --dev dev.conllu --model english.stemma --beam 8 --epochs 6`;

const LAST = `Options that would have no effect are rejected.
Exit status: 0 if the model was trained, 1 if sentences were skipped (or --strict stopped), 2 for wrong usage or a file that cannot be
opened, read or written, 130 if stopped by Ctrl-C (128 plus the number of the signal for others).`;

/** The topics of the settings: what they are about, and what there is to say. */
const TOPICS: Readonly<Record<string, [title: string, text: string]>> = {
  data: [
    "treebanks, silver data, words without heads",
    `With several treebanks, a.conllu b.conllu:0.5 trains on both and takes every second sentence of b.conllu; b.conllu:2 takes each
sentence twice. With --partial nothing is learned from a word whose HEAD is _; in the development set every word needs a head.

--silver adds sentences that another parser has annotated: a larger and slower one, or a committee. stemma parse --scores writes them
with the probability that each head and label is right (a word without a score counts as certain). Sentences whose mean score is
below --silver-confidence are left out, and with the dynamic oracle nothing is learned from the heads of words with a lower score.
The treebank itself is used in full; train.conllu:2 makes it count more.

Examples:
  $ stemma parse --model large.stemma --scores --threads 0 articles.txt > silver.conllu
  $ stemma train train.conllu:2 --silver silver.conllu --dev dev.conllu --model small.stemma --pipeline --preset accurate`,
  ],
  system: [
    "transition systems, oracles, feature templates",
    `Trees that the system cannot build are left out and counted with the static and the non-deterministic oracle; the dynamic oracle
uses them as they are. The dynamic oracle of swap is approximate and used only where --oracle dynamic is given, without --lazy. With
--projectivize trees are made projective first, and lifted arcs are restored after parsing.

--features takes a file of templates or the name of a set: default, zhang-nivre, the templates of Zhang & Nivre (2011), or for
arc-standard and arc-hybrid huang-sagae, those of Huang & Sagae (2010), which suit --merge stack-graph; for arc-hybrid and
arc-eager two-words, which sees the top of the stack and the front of the buffer alone and suits --merge exact. To each you can add, as in
default+history, the last transitions (+history), features of what is not there (+none), and for lr-spines what SHIFT can be judged
by (+shift).

Examples:
  $ stemma train train.conllu --dev dev.conllu --model basque.stemma --projectivize head+path
  $ stemma train train.conllu --dev dev.conllu --model s.stemma --system arc-standard --oracle static --seed 7`,
  ],
  learning: [
    "learners, exploration, averaging, dropout",
    `The averaged perceptron updates weights when the prediction is wrong or a wrong class comes within --margin. The passive-aggressive
algorithm changes them by the least that keeps wrong classes below the right one by a margin of 1, or with --cost-sensitive by the
square root of what they cost by the oracle. Multinomial logistic regression makes the correct classes more probable in every
configuration, with steps of AdaGrad (--rate). Where a default depends on the learner, the perceptron's is given first. --prune is in
units of the weights: updates by 1 for the perceptron (whose default is lower on small treebanks), parts of the margin for the
passive-aggressive algorithm, log odds for logistic regression.

After every epoch the development set is parsed with the averaged weights; the best epoch is kept.

Examples:
  $ stemma train train.conllu --dev dev.conllu --model l.stemma --learner logistic --epochs 8
  $ stemma train train.conllu --dev dev.conllu --model m.stemma --pipeline --members 3`,
  ],
  beam: [
    "beams, learning from whole derivations",
    `With --beam a linear model learns step by step, as without one, and parses with it: its scores are turned into logarithms of
probabilities, whose sums can be compared. The width is stored in the model; stemma parse --beam overrides it.

With --global-epochs as well, the structured perceptron learns from whole derivations in the last epochs; give as many as --epochs for
all of them. On little data this is less accurate, on much data about as accurate, and slower. The correct and the wrong hypothesis
are compared where the correct one is furthest behind (max-violation) or where the last correct one leaves the beam (early). With
--loss-bound a sentence is parsed only until every hypothesis has lost that much. With --single-steps every sentence is also learned
from step by step in these epochs. With --merge stack-graph, hypotheses with the same words on top of their stacks are merged, as
stemma parse --merge stack-graph does (arc-standard and arc-hybrid, with max-violation).
With --merge exact and --features two-words the best derivation of all is found in O(n³), in training and by
stemma parse --merge exact (arc-hybrid and arc-eager, root last).

A network learns in the last epochs that the correct derivations are probable among those in the beam (Andor et al. 2016); with
--global-epochs 0 it learns from single steps only, and the beam is the one that the model will parse with.

Examples:
  $ stemma train train.conllu --dev dev.conllu --model b.stemma --beam 8 --epochs 6
  $ stemma train train.conllu --dev dev.conllu --model c.stemma --network --system arc-hybrid --beam 8 --global-epochs 4 --threads 2`,
  ],
  network: [
    "neural networks, word vectors, encoders",
    `The scores come from embeddings of words, lemmas, tags, features and affixes, layers that read the sentence in both directions, and a
hidden layer over the words that the next transition is about. --rate is then the step size of Adam, and --features says what the
network sees of a configuration (s0.vector, s0l.label, dist(s1,s0), …).

--encoder adds the output of a BERT-like encoder for each word, in its sentence, to the input of the network; with --pipeline the
segmenter and the tagger use it too. The encoder is not trained and is stored in the model file. Give the folder with an ONNX or
safetensors file and its tokenizer.json, or the file itself; see docs/encoders.md.

Examples:
  $ stemma train train.conllu --dev dev.conllu --model n.stemma --preset best --vectors vectors.txt --threads 0
  $ stemma train train.conllu --dev dev.conllu --model large.stemma --network --encoder e5 --encoder-layers 6 --threads 2`,
  ],
  graph: [
    "graph-based parsers, without transitions",
    `With --system graph the parser gives every possible arc a score and takes the tree with the highest sum. --decoder eisner finds the
best projective tree, with --order 2 including scores of neighbouring siblings; --decoder edmonds the best tree of all, crossing arcs
included. MIRA or the perceptron learn the weights, where --margin is what the right tree must be ahead for each wrong arc. With
--network, arcs get biaffine scores. Trees with crossing arcs are used as they are and counted; with eisner, --projectivize restores
them after parsing. Oracles, templates, beams and exploration belong to transition systems and are rejected.

Examples:
  $ stemma train train.conllu --dev dev.conllu --model g.stemma --system graph --epochs 5
  $ stemma train train.conllu --dev dev.conllu --model n.stemma --system graph --network --decoder edmonds --threads 2`,
  ],
  pointers: [
    "parsers with pointers, without transitions",
    `With --system pointers every word points at its head, from left to right, at any that closes no cycle (docs/pointers.md). The result
always is a tree with one root, arcs may cross, and training trees with crossing arcs are used as they are. A linear model sees what was
attached before; with --network, arcs get biaffine scores. stemma parse --beam 4 searches more than the greedy parser does, and is more
accurate with linear models. Oracles, templates, beams in training and exploration belong to transition systems and are rejected.

Examples:
  $ stemma train train.conllu --dev dev.conllu --model p.stemma --system pointers --epochs 5
  $ stemma train train.conllu --dev dev.conllu --model n.stemma --system pointers --network --threads 2`,
  ],
  tags: [
    "parsers that tag, without transitions",
    `With --system tags every word gets a tag, all at once, and the tags of a sentence are its tree (docs/tags.md). --encoding says how: as
brackets, in which arcs of one direction must not cross; as brackets in two planes, in which they may; as hierarchical brackets or as
hexatags, for projective trees. The result always is a tree with one root. Training trees that have no such tags are left out and
counted; with --projectivize they are made projective, which is undone after parsing. Oracles, templates, beams and exploration belong
to transition systems and are rejected.

Examples:
  $ stemma train train.conllu --dev dev.conllu --model t.stemma --system tags --encoding hexatags --projectivize head
  $ stemma train train.conllu --dev dev.conllu --model n.stemma --system tags --network --threads 2`,
  ],
  pipeline: [
    "segmenter, tagger and lemmatizer",
    `The parser is trained on predicted tags like those it will meet later: each fold of the training data is tagged by a tagger trained
on the others (--folds). The development scores are then for gold tokens and predicted tags.

Examples:
  $ stemma train train.conllu --dev dev.conllu --model english.stemma --pipeline --members 3`,
  ],
  roles: [
    "predicates and semantic roles",
    `With --roles the model also finds predicates, their senses and the roles of their arguments (docs/semantic-roles.md). They are learned
from Pred and Args in MISC, which stemma convert --from conll09 writes, once the parser is trained, in the trees that it gives the
sentences. --add-to adds roles to a model that exists: its tagger and parser stay as they are, and options for training a parser are
rejected.

Examples:
  $ stemma train roles.conllu --dev dev.conllu --roles --add-to english.stemma --model english-roles.stemma`,
  ],
  enhanced: [
    "enhanced dependencies",
    `With --enhanced the model also gives each word its arcs in the enhanced graph, as DEPS (docs/enhanced-dependencies.md): shared heads and
dependents of conjuncts, subjects of controlled verbs, antecedents of relative pronouns, labels such as obl:in. They are learned in
seconds from the trees and DEPS of the treebank. --add-to adds them to a model that exists.

Examples:
  $ stemma train train.conllu --enhanced --add-to english.stemma --model english-enhanced.stemma`,
  ],
  joint: [
    "what may be decided along with the tree; disfluencies",
    `--joint disfluencies trains arc-eager with transitions that remove interjections, discourse markers and reparanda, as the labels
discourse:filler, discourse, parataxis:discourse and reparandum tell them (docs/disfluencies.md). UAS and LAS then count a removed
word as right if it was removed as what it is.

With --joint tags the tagger leaves candidates open, and the parser chooses among them when it shifts a word; with --joint morphology
candidates are whole analyses: UPOS, XPOS and FEATS, with the lemma that follows from them (docs/joint-morphology.md). With --joint
roles, tree and roles are decided in one derivation with two stacks by a linear, greedy parser, without --silver, --members and scores
of arcs; the best epoch is the one with the highest mean of LAS and labelled F1. Measured, none of these three is better than a
pipeline.

Examples:
  $ stemma train train.conllu --dev dev.conllu --model spoken.stemma --pipeline --joint disfluencies
  $ stemma train train.conllu --dev dev.conllu --model turkish.stemma --pipeline --joint morphology
  $ stemma train roles.conllu --dev dev.conllu --pipeline --roles --joint roles --model together.stemma`,
  ],
  run: [
    "presets, options in a file, checkpoints",
    `fast is a linear model with greedy search, accurate a network with greedy search, small the same with limits that keep a model below
4 MB, best a larger network that parses with a beam. Other options override those of a preset. --config reads options from a file, with the names used by stemma experiment:
{"train": ["a.conllu"], "dev": "dev.conllu", "system": "arc-eager", "lossBound": 5, "pipeline": true}; paths are relative to its folder.

A checkpoint is written beside the model after every epoch, and with --pipeline after every part before the parser. --resume continues
an interrupted run, which then ends with the same bytes as one that was never interrupted; except with networks, you may ask for more
--epochs than before. Without --resume an existing checkpoint is never discarded: the command says so and stops. A lock file beside
the model keeps a second training run from writing it.

Examples:
  $ stemma train train.conllu --dev dev.conllu --model english.stemma --resume
  $ stemma train news.conllu web.conllu:0.5 --dev dev.conllu --config options.json --model english.stemma`,
  ],
};

/** The topics with the options of the settings that are listed under them. */
function topics(): Topics {
  const settings = commandSettings();
  const namesOf = (isMeant: (setting: Setting) => boolean | undefined) =>
    settings.flatMap(([name, setting]) => (isMeant(setting) ? [name] : []));
  return {
    common: ["model", ...namesOf(({ isCommon, topic }) => isCommon && topic !== "run"), "preset"],
    first: FIRST,
    topics: Object.fromEntries(
      Object.entries(TOPICS).map(([name, [title, text]]) => {
        return [name, { title, text, options: namesOf(({ topic }) => topic === name) }];
      }),
    ),
    last: LAST,
  };
}

/** Adds `stemma train`. */
export function register(program: Command): void {
  const command = program
    .command("train")
    .description("train a parser, or a whole pipeline from text to trees, on a treebank")
    .argument("[train...]", "training treebanks (CoNLL-U, may be gzipped); FILE:WEIGHT uses more or less of a file");
  addTopics(addTrainingOptions(command), topics()).action(guarded(train));
}

async function train(args: string[], options: Given, command: Command): Promise<void> {
  const { files: named, given } =
    options.config === undefined ? { files: [], given: {} } : await readConfig(options.config);
  const files = trainingFiles(args.length > 0 ? args : named);
  if (files.length === 0) command.error("error: missing required argument 'train'");
  await runTraining(files, completeOptions({ ...given, ...givenOptions(command) }, command));
}
