import type { Command } from "commander";
import { guarded } from "../io.js";
import { applyConfig } from "../training/config.js";
import { trainingFiles } from "../training/data.js";
import { addTrainingOptions, type GivenTrainingOptions } from "../training/options.js";
import { runTraining } from "../training/run.js";
import { completeOptions } from "../training/settings.js";

const HELP = `
Learners: the averaged perceptron changes weights when the prediction is wrong or a wrong class comes within the margin;
multinomial logistic regression makes the correct classes more probable in every configuration, with steps of AdaGrad. --margin is of the
first, --rate of the second, and the defaults that depend on the learner are given in this order. --prune is in units of the weights: changes
by one for the perceptron (where its default is less on small treebanks), logarithms of odds for logistic regression.

With --network the scores come from a network: embeddings of words, lemmas, tags, features and affixes, layers that read the sentence in both directions, and
a hidden layer over the words that the next transition is about. --rate is then the step size of Adam, --features what is looked at in a configuration
(s0.vector, s0l.label, dist(s1,s0), …), --beam the width that the model will parse with.

--encoder adds to the input of a network what a BERT-like encoder makes of each word in its sentence; the encoder stays as it is and goes into the model
file. It takes the folder of an ONNX or safetensors file and its tokenizer.json, or that file. docs/encoders.md has what it costs and brings.

Presets: fast is a linear model with greedy search, accurate a network with greedy search, best a larger network with a beam. Options that are given count
all the same. docs/choosing.md has what each costs and brings.

With --beam the structured perceptron learns from whole derivations: a hypothesis is correct if all its moves and labels are (--oracle says which moves), and when a
wrong one is ahead, what the best correct one has that it has not gains weight. They are compared where the correct one is furthest behind
(max-violation), or where the last correct one leaves the beam (early). The width is kept in the model; stemma parse --beam chooses another one, and a wider
beam than that of training may be a little better still. Exploration and --after-update are for greedy training only.

Trees that the system cannot build: with the static and the non-deterministic oracle they are left out and counted, with
--projectivize they are made projective first and what was lifted is put back after parsing; the dynamic oracle uses them as they are.

With --partial a word whose HEAD is _ teaches nothing by itself, and a move is right if it keeps the heads that are there within reach. The
development data needs all its heads.

Several treebanks are trained on together: a.conllu b.conllu:0.5 takes every second sentence of b.conllu, b.conllu:2 each sentence twice.

After every epoch the development data is parsed with the averaged weights; the best epoch is kept. A checkpoint beside the
model is written after every epoch, and with --pipeline after every part before the parser: --resume takes a stopped run up again, and it ends with the
same bytes as one that was never stopped. More --epochs than before may be asked for then, but of networks. Without --resume a
checkpoint that is there is not thrown away: the command says so and ends. A lock beside the model keeps a second training from writing it.

An option that would have no effect is refused. --config takes options from a file, by their names as in the specification of stemma experiment:
{"train": ["a.conllu"], "dev": "dev.conllu", "system": "arc-eager", "lossBound": 5, "pipeline": true}; paths start from its folder.

With --pipeline the parser is trained on predicted tags, like those it will see: every part of the training data is tagged by a tagger that was
trained on the others (--folds). The development scores are then those with predicted tags, gold tokens. With --joint the tagger's candidates are
left to the parser, which chooses when it takes a word from the buffer.

Examples:
  $ stemma train train.conllu --dev dev.conllu --model english.stemma
  $ stemma train train.conllu --dev dev.conllu --model english.stemma --pipeline --members 3
  $ stemma train train.conllu --dev dev.conllu --model basque.stemma --projectivize head+path
  $ stemma train train.conllu --dev dev.conllu --model s.stemma --system arc-standard --oracle static --seed 7
  $ stemma train train.conllu --dev dev.conllu --model b.stemma --beam 8 --epochs 6
  $ stemma train train.conllu --dev dev.conllu --model l.stemma --learner logistic --epochs 8
  $ stemma train train.conllu --dev dev.conllu --model english.stemma --preset best --vectors vectors.txt --threads 0
  $ stemma train train.conllu --dev dev.conllu --model large.stemma --network --encoder e5 --encoder-layers 6 --threads 2
  $ stemma train train.conllu --dev dev.conllu --model english.stemma --resume
  $ stemma train news.conllu web.conllu:0.5 --dev dev.conllu --config options.json --model english.stemma

Exit status: 0 trained, 1 some sentences skipped (or --strict stopped), 2 wrong usage or a file that cannot be used, 130 stopped by
Ctrl-C (128 and the number of the signal for others).`;

/** Adds `stemma train`. */
export function register(program: Command): void {
  const command = program
    .command("train")
    .description("train a parser, or all from text to trees, on a treebank")
    .argument("[train...]", "training treebanks (CoNLL-U, may be gzipped); FILE:WEIGHT takes more or less of one");
  addTrainingOptions(command).addHelpText("after", HELP).action(guarded(train));
}

async function train(args: string[], options: GivenTrainingOptions, command: Command): Promise<void> {
  const named = options.config === undefined ? [] : await applyConfig(options.config, command);
  const files = trainingFiles(args.length > 0 ? args : named);
  if (files.length === 0) command.error("error: missing required argument 'train'");
  await runTraining(files, completeOptions(command.opts(), command));
}
