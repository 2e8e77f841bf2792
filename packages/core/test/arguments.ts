// Right and wrong arguments of the public interface, by their types, for arguments.test.ts.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Calibration, Evaluation, evaluate, Group, Score } from "../src/evaluation.js";
import * as core from "../src/index.js";
import * as roles from "../src/roles.js";
import { Matcher, TreebankIndex, TreeEditor } from "../src/search.js";
import * as systems from "../src/systems.js";
import * as training from "../src/training.js";
import * as treebank from "../src/treebank.js";
import { tinyEncoder } from "./tiny-encoder.js";
import { toyPipeline, toyTreebank } from "./toy-pipeline.js";

let model: core.PipelineModel;
let sentences: core.Sentence[];
let folder: string;
let encoder: training.EncoderData;

function encoderFiles(): training.EncoderFiles {
  const { safetensors, tokenizer, config } = tinyEncoder();
  return { weights: safetensors, tokenizer, config };
}

/** Makes what takes time, once. */
export function objects(): () => void {
  model = toyPipeline();
  encoder = training.readEncoder(encoderFiles());
  sentences = toyTreebank(12, 3);
  folder = mkdtempSync(join(tmpdir(), "stemma-arguments-"));
  writeFileSync(join(folder, "a.conllu"), sentences.join(""));
  return () => rmSync(folder, { recursive: true });
}

const HOT = "runs for every transition, or more often: checks would take a good part of the time";
const THREADS = "passes on what shareModel or a training gave, between the threads of one program";
const OVERRIDDEN = "is called by the constructor only, with what that has checked";
const MADE = "is made by the library, for others to look at";

/** What need not check its arguments, and why. "Class" stands for its constructor and all its methods. */
const DESCRIBES = "describes a setting: written by hand, and checked by the compiler";

export const EXCEPTIONS: Readonly<Record<string, string>> = {
  TreeConstraints: HOT,
  Configuration: HOT,
  TransitionSystem: HOT,
  FixedMovesSystem: HOT,
  ...{ SemanticConfiguration: HOT, SemanticSystem: HOT, SemanticOracle: HOT, Inventory: HOT, semanticGraph: HOT },
  TwoStackOracle: HOT,
  ...{ "TwoStacks.initialize": HOT, "TwoStacks.isTerminal": HOT, "TwoStacks.turn": HOT, "TwoStacks.permits": HOT },
  ...{ "TwoStacks.apply": HOT, "TwoStacks.nameOf": HOT },
  "NeuralTraining.fitted": OVERRIDDEN,
  "ExhaustiveOracle.loss": HOT,
  "ExhaustiveOracle.cost": HOT,
  "SearchedKnownHeads.keeps": HOT,
  "GoldTree.has": HOT,
  "GoldTree.agrees": HOT,
  "LabelledOracle.loss": HOT,
  "LabelledOracle.cost": HOT,
  spine: HOT,
  isArc: HOT,
  kindOf: HOT,
  reachOf: HOT,
  leftArc: HOT,
  rightArc: HOT,
  moveOfKind: HOT,
  "WorkerQueue.run": "takes whatever its workers understand",
  ...{ file: DESCRIBES, flag: DESCRIBES, numeric: DESCRIBES, text: DESCRIBES, whole: DESCRIBES, Schema: DESCRIBES },
  ...{ completeSettings: "settings may all be left out", trainingSettings: "settings may all be left out" },
  attachModel: THREADS,
  NetworkLearner: THREADS,
  GraphNetworkLearner: THREADS,
  "NeuralTraining.read": OVERRIDDEN,
  "NeuralTraining.createLearner": OVERRIDDEN,
  "GraphNetworkTraining.read": OVERRIDDEN,
  "GraphNetworkTraining.createLearner": OVERRIDDEN,
  "Segmenter.next": "is what segment and SegmenterStream are made of, and runs for every stretch of a text",
  "new Sentence": MADE,
  "new Word": MADE,
  "new Predicate": MADE,
  "new RolesModel": MADE,
  "new Span": MADE,
  "new Match": MADE,
  "new ParserModel": MADE,
  "new TrainingRun": MADE,
  "new ImpossibleConstraints": MADE,
  "new ModelFileError": MADE,
  "new PatternError": MADE,
  "new SentenceTooLong": MADE,
  "new TreebankError": MADE,
  "new TemplateError": MADE,
  "new TooManyMatches": MADE,
  "new Score": MADE,
  Group: MADE,
};

/** Objects that are known by what they have: others in them are not looked at. */
export const OPEN = new Set<string>([
  ...["Drawable", "PartialTree", "Words", "Confidence", "TrainedParser", "Block", "SystemDescription", "MoveContext"],
  ...["TrainingState", "NeuralState", "GraphState", "Plot", "WrittenWords", "RepairableSentence", "RoleTree"],
]);

const HEADS = [-1, 2, 0, 2];
const LABELS = ["", "nsubj", "root", "obj"];
const system = () => systems.createSystem("arc-eager");
const linear = () => new training.Training(sentences, trainOptions());

function withPredicate(sentence = sentences[0]!): core.Sentence {
  const copy = core.Sentence.from(sentence.toJSON());
  copy.setPredicates([{ word: 1, sense: "x.01", arguments: [] }]);
  return copy;
}

function withDeps(sentence: core.Sentence): core.Sentence {
  const copy = core.Sentence.from(sentence.toJSON());
  for (const word of copy.words) word.deps = `${word.head?.index ?? 0}:${word.deprel}`;
  return copy;
}

let made = 0;

function rolesModel(): roles.RolesModel {
  const header = { roles: [], lemmas: {}, openTags: [], origin: {} };
  return new roles.RolesModel(header, model.lemmatizer!.linear);
}

function run(): training.TrainingRun {
  const settings = training.completeSettings({ epochs: 1 });
  const { value } = training.trainingSteps({ sentences, settings }).next();
  return value as training.TrainingRun;
}

function trainOptions(): training.TrainOptions {
  return {
    system: "arc-standard",
    root: "last",
    templates: "s0.upos s1.upos",
    oracle: "dynamic",
    exploreFrom: 2,
    exploreProbability: 1,
    lossBound: 3,
    afterUpdate: "go-on",
    epochs: 1,
    seed: 1,
  };
}

function neuralOptions(): training.NeuralOptions {
  const { lossBound: _, afterUpdate: __, ...shared } = trainOptions();
  const dropout = { words: 0, inputs: 0, layers: 0, hidden: 0 };
  const sizes = { inputs: { word: 8 }, layers: 1, width: 8, hidden: 8, dropout, rate: 0.01 };
  return { ...shared, templates: "s0.vector\nb0.vector", ...sizes };
}

const GRAPH_OPTIONS: training.GraphTrainOptions = { decoder: "eisner", order: 1, learner: "mira", epochs: 1, seed: 1 };

function graphNetworkOptions(): training.GraphNetworkOptions {
  const { epochs, seed, inputs, layers, width, hidden, dropout, rate } = neuralOptions();
  return { decoder: "eisner", epochs, seed, inputs, layers, width, hidden, dropout, rate };
}

/** An argument that is right, by "function(parameter)" or by its type; a receiver of methods by its class. */
export const RIGHT: Readonly<Record<string, () => unknown>> = {
  string: () => "x",
  number: () => 1,
  boolean: () => true,
  "readonly string[]": () => ["x"],
  Sentence: () => {
    const sentence = core.Sentence.from({ words: ["a", "b", "c", "d"].map((form, i) => ({ form, head: i })) });
    sentence.setMultiWordToken({ from: 1, to: 2, form: "ab" });
    return sentence;
  },
  Word: () => sentences[0]!.words[0],
  Predicate: () => withPredicate().predicates[0],
  "readonly PredicateData[]": () => [],
  "readonly DrawablePredicate[]": () => [{ word: 1, sense: "x.01", arguments: [] }],
  "roleSteps(sentences)": () => sentences.map(withPredicate),
  "addEnhanced(sentences)": () => sentences.map(withDeps),
  "needEnhanced(sentences)": () => sentences.map(withDeps),
  RolesModel: () => rolesModel(),
  RoleLabeller: () => new roles.RoleLabeller(rolesModel()),
  RoleTree: () => ({ heads: sentences[0]!.heads, labels: ["", ...sentences[0]!.words.map(String)] }),
  Document: () => new core.Document(sentences),
  Match: () => core.match(sentences[0]!, "{}=x")[0],
  MatchValue: () => new core.MatchValue("x.form", ["x"]),
  "Match<MatchableSentence>": () => core.match(sentences[0]!, "{}=x")[0],
  "readonly (string | undefined)[]": () => ["x"],
  "new MatchValue(text)": () => "x.form",
  "Sentence.set(column)": () => "upos",
  "Sentence.set(value)": () => "X",
  "Sentence.setHead(head)": () => 0,
  MultiWordTokenInput: () => ({ from: 3, to: 4, form: "ab" }),
  S: () => sentences[0],
  MatchableSentence: () => sentences[0],
  "Iterable<Sentence>": () => sentences,
  "Iterable<S>": () => sentences,
  "Iterable<TreebankSentence>": () => sentences,
  "Iterable<TaggedSentence>": () => sentences,
  "Iterable<LemmatizedSentence>": () => sentences,
  "Iterable<WrittenWords>": () => sentences,
  "readonly Sentence[]": () => sentences,
  "readonly TreebankSentence[]": () => sentences,
  TreebankSentence: () => sentences[0],
  WrittenWords: () => sentences[0],
  RepairableSentence: () => sentences[0],
  "joinWords(to)": () => 2,
  "splitWord(forms)": () => ["x", "y"],
  "splitSentence(at)": () => 3,
  CountableSentence: () => sentences[0],
  Words: () => sentences[0],
  "ArrayLike<number>": () => HEADS,
  "goldTreeOf(labels)": () => new Int32Array(sentences[0]!.length + 1),
  "removedWords(labels)": () => ["", "root", "reparandum", "dep"],
  "goldTreeOf(sentence)": () => sentences[0]!,
  "new GoldTree(leftOut)": () => [0, 0, 0, 0],
  "GoldTree.bind(leftOut)": () => [0, 0, 0, 0],
  "new GoldTree(labels)": () => [-1, 0, 1, 2],
  "GoldTree.bind(labels)": () => [-1, 0, 1, 2],
  "projectivize(labels)": () => LABELS,
  "deprojectivize(labels)": () => LABELS,
  Scheme: () => "head",
  "readonly number[]": () => [1],
  TransitionSystem: system,
  GoldTree: () => new systems.GoldTree(HEADS),
  Configuration: () => new systems.Configuration(),
  StaticOracle: () => systems.staticOracle(system()),
  SearchedKnownHeads: () => new systems.SearchedKnownHeads(system()),
  ExhaustiveOracle: () => systems.exhaustiveOracle(system()),
  PipelineModel: () => model,
  "PipelineModel | ParserModel | GraphModel": () => model,
  TreeParserModel: () => model.parser,
  'Pick<TreeParserModel, "createParser">': () => model.parser,
  PipelineParts: () => ({ parser: model.parser }),
  ParserModel: () => model.parser,
  Parser: () => model.parser.createParser({ beam: 4 }),
  'import("../parser/parser.js").Parser': () => model.parser.createParser(),
  Pipeline: () => new core.Pipeline(model, { beam: 4 }),
  SegmenterModel: () => model.segmenter,
  TaggerModel: () => model.tagger,
  LemmatizerModel: () => model.lemmatizer,
  Segmenter: () => new core.Segmenter(model.segmenter!),
  SegmenterStream: () => new core.SegmenterStream(new core.Segmenter(model.segmenter!)),
  Tagger: () => {
    const tagger = new core.Tagger(model.tagger!, true);
    tagger.tag(["Mina", "likes", "boats"]);
    return tagger;
  },
  Lemmatizer: () => new core.Lemmatizer(model.lemmatizer!),
  "RawSentence[]": () => [],
  ModelSource: () => core.writeModel(model),
  Uint8Array: () => core.writeModel(model),
  "BlockSplitter.push(chunk)": () => new TextEncoder().encode("1\tx\n\n"),
  "TreebankReader.push(chunk)": () => new TextEncoder().encode(sentences.join("")),
  "readonly (string | GivenWord)[]": () => ["Mina", "sleeps"],
  TextSource: () => ["Mina sleeps."],
  PartialTree: () => ({ heads: sentences[0]!.heads.map(() => -1) }),
  "Parser.check(n)": () => sentences[0]!.length,
  "string | Uint8Array": () => sentences.join(""),
  "string | URL": () => join(folder, "a.conllu"),
  TreebankReader: () => new treebank.TreebankReader(),
  BlockSplitter: () => new treebank.BlockSplitter(),
  Block: () => new treebank.BlockSplitter().push(new TextEncoder().encode(`${sentences[0]}\n`))[0],
  Distribution: () => new treebank.Distribution(),
  TreebankStatistics: () => new treebank.TreebankStatistics(),
  "readonly TreeBuilder[]": () => [],
  "ReadonlyMap<string, number>": () => new Map([["x", 1]]),
  "Map<string, number>": () => new Map(),
  Format: () => "conllu",
  "string | Pattern | Matcher": () => "{}",
  "string | Pattern": () => "{}=x",
  Matcher: () => new Matcher("{}"),
  "TreebankIndex<S>": () => new TreebankIndex(sentences),
  TreebankIndex: () => new TreebankIndex(sentences),
  "readonly EditAction[]": () => [{ set: "x.upos", to: "X" }],
  "readonly EpochScore[]": () => [{ epoch: 1 }],
  TreeEditor: () => new TreeEditor("{}=x", []),
  "parsePattern(source)": () => "{}",
  Drawable: () => ({ forms: ["", "a", "b", "c"], heads: HEADS }),
  "readonly Drawable[]": () => [{ forms: ["", "a", "b", "c"], heads: HEADS }],
  Evaluation: () => new Evaluation(),
  Calibration: () => new Calibration(),
  Binning: () => "width",
  "Grouping<number>": () => evaluate(sentences, sentences).breakdowns.length,
  "readonly Bin[]": () => [],
  "readonly NamedEvaluation[]": () => [],
  SentenceCounts: () => evaluate(sentences, sentences).counts,
  '"uas" | "las"': () => "las",
  Plot: () => ({ title: "x", series: [], x: { label: "x" }, y: { label: "y" } }),
  "readonly WordInput[]": () => [{ form: "x" }],
  "readonly Surface[]": () => [core.surfaceOf(sentences[0]!)],
  "readonly SystemSetting[]": () => [],
  SystemDescription: () => ({ ...systems.describeSystem("arc-eager"), name: `made-up-${++made}` }),
  SystemSettings: () => ({}),
  "Readonly<Record<string, unknown>>": () => ({}),
  SystemSetting: () => systems.describeSystem("attardi").settings[0],
  Given: () => ({}),
  "CompleteSettings & Given": () => training.completeSettings({}),
  CompleteSettings: () => training.completeSettings({}),
  Schema: () => training.TRAINING,
  "jackknife(k)": () => 2,
  TrainingRun: run,
  "TrainingState | NeuralState | GraphState": () => run().training.save(),
  TrainedParser: () => model.parser,
  Confidence: () => core.confidenceOf(model.parser as core.ParserModel),
  "Document.at(offset)": () => 1,
  "Sentence.removeMultiWordToken(from)": () => 1,
  Training: linear,
  NeuralTraining: () => new training.NeuralTraining(sentences, neuralOptions()),
  GraphTraining: () => new training.GraphTraining(sentences, GRAPH_OPTIONS),
  GraphTrainOptions: () => GRAPH_OPTIONS,
  GraphState: () => new training.GraphTraining(sentences, GRAPH_OPTIONS).save(),
  GraphNetworkTraining: () => new training.GraphNetworkTraining(sentences, graphNetworkOptions()),
  GraphNetworkOptions: graphNetworkOptions,
  TrainOptions: trainOptions,
  NeuralOptions: neuralOptions,
  InstanceOptions: () => ({ system: "arc-eager", root: "last", templates: "s0.upos" }),
  Instances: () => {
    const instances = new training.Instances({ system: "arc-eager", root: "last", templates: "s0.upos" });
    for (const sentence of sentences) instances.add(sentence, () => {});
    return instances;
  },
  LiblinearReader: () => new training.LiblinearReader("x"),
  "LiblinearReader.push(line)": () => "nr_class 2",
  TrainingState: () => linear().save(),
  NeuralState: () => new training.NeuralTraining(sentences, neuralOptions()).save(),
  TrainRequest: () => ({ sentences, epochs: 1, templates: "s0.upos s1.upos" }),
  RunRequest: () => ({
    sentences,
    settings: training.completeSettings({ epochs: 1 }),
  }),
  PrepareOptions: () => ({ seed: 1, folds: 2 }),
  SilverOptions: () => ({ weight: 1, confidence: 0.5, partial: true }),
  VectorReader: () => new training.VectorReader("x", 3),
  "VectorReader.push(text)": () => "boats 1 2 3",
  "parseTemplates(text)": () => "s0.upos",
  "createSystem(name)": () => "arc-eager",
  "describeSystem(name)": () => "arc-eager",
  "defaultTemplates(system)": () => "arc-eager",
  "defaultView(system)": () => "arc-eager",
  "featureTemplates(system)": () => "arc-eager",
  "featureTemplates(name)": () => "default",
  "zhangNivreTemplates(system)": () => "arc-eager",
  "viewTemplates(system)": () => "arc-eager",
  "viewTemplates(name)": () => "default",
  "haveSameSettings(name)": () => "arc-eager",
  // Anything may be asked about.
  "isSettingValue(value)": () => 2,
  URL: () => new URL("data:text/javascript,"),
  "WorkerQueueOptions<Answer, Result>": () => ({ start: () => {}, workers: 1, read: () => {}, name: "x" }),
  EncoderData: () => encoder,
  EncoderFiles: encoderFiles,
  WordEncoder: () => ({ encode: () => new Float32Array(), skim: () => new Float32Array() }),
  "Iterable<Forms>": () => sentences,
  "readonly Forms[]": () => sentences,
  EncodedTreebank: () => new training.EncodedTreebank(encoder, sentences),
  RememberingEncoder: () => new training.RememberingEncoder(encoder, 1000),
  "{ range: boolean; score: boolean; }": () => ({ range: true, score: true }),
  Score: () => new Score(),
  Group: () => new Group(),
};

const NOT_OBJECTS = [undefined, null, 42, "x", Number.NaN];

/** Arguments that are wrong. */
export const WRONG: Readonly<Record<string, readonly unknown[]>> = {
  string: [undefined, null, 42, Number.NaN, {}, [], true],
  name: [undefined, null, 42, Number.NaN, {}, [], "nonsense"],
  number: [undefined, null, "x", Number.NaN, {}, []],
  boolean: [null, 42, "x", {}],
  object: [undefined, null, 42, "x", Number.NaN, Object.freeze({})],
  function: [undefined, null, 42, "x", {}, []],
  list: [undefined, null, 42, Number.NaN, {}, [42], ["x", null]],
  "ArrayLike<number>": [undefined, null, 42, "x", Number.NaN, {}, [-1, "x"], [-1, 1.5], [-1, Number.NaN]],
  "isSettingValue(value)": [],
  // readEncoder makes it, as a whole.
  EncoderData: [...NOT_OBJECTS, {}],
  // Whatever encodes will do.
  WordEncoder: [...NOT_OBJECTS, {}],
  // Any object will do.
  "ThreadOptions(workerData)": NOT_OBJECTS,
  ...{
    "Partial<SystemTraining>": NOT_OBJECTS,
    SystemSettings: NOT_OBJECTS,
    SystemSetting: [...NOT_OBJECTS, {}],
    How: NOT_OBJECTS,
  },
  ...{
    "Record<string, unknown>": NOT_OBJECTS,
    "Readonly<Record<string, unknown>>": NOT_OBJECTS,
    'Omit<WorkerParserOptions, "worker">': NOT_OBJECTS,
  },
  ModelSource: [undefined, null, 42, Number.NaN, {}, []],
  "string | number": [null, Number.NaN, {}, []],
  LossBound: [undefined, null, "x", "20", "0%", Number.NaN, {}, []],
  "string | URL": [undefined, null, 42, "", Number.NaN, {}, []],
  "string | Readonly<Attributes>": [undefined, 42, Number.NaN, true, { Case: 3 }],
  "readonly number[]": [undefined, null, 42, "x", Number.NaN, {}, ["x"], [Number.NaN]],
  "readonly string[]": [undefined, null, 42, "x", Number.NaN, {}, [42]],
};
