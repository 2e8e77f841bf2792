// Right and wrong arguments of the public interface, by their types, for arguments.test.ts.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Agreement, Calibration, Evaluation, evaluate, RoleScores, Score } from "../src/evaluation.js";
import * as core from "../src/index.js";
import { Matcher, TreebankIndex, TreeEditor } from "../src/search.js";
import * as systems from "../src/systems.js";
import * as training from "../src/training.js";
import * as treebank from "../src/treebank.js";
import { tinyEncoder } from "./encoder/tiny-encoder.js";
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
const MADE = "is made by the library, for others to look at";

/** Callables that need not check their arguments, and why. "Class": its constructor and all its methods. */
export const EXCEPTIONS: Readonly<Record<string, string>> = {
  Configuration: HOT,
  TransitionSystem: HOT,
  FixedMovesSystem: HOT,
  "GoldTree.has": HOT,
  "GoldTree.agrees": HOT,
  isArc: HOT,
  kindOf: HOT,
  leftArc: HOT,
  rightArc: HOT,
  moveOfKind: HOT,
  "Segmenter.next": "is what segment and SegmenterStream are made of, and runs for every stretch of a text",
  "new Sentence": MADE,
  "new Word": MADE,
  "new Predicate": MADE,
  "new Span": MADE,
  "new Match": MADE,
  "new ParserModel": MADE,
  "new ImpossibleConstraints": MADE,
  "new ModelFileError": MADE,
  "new PatternError": MADE,
  "new SentenceTooLong": MADE,
  "new TreebankError": MADE,
  "new TemplateError": MADE,
  "new TooManyMatches": MADE,
  "new Score": MADE,
};

/** Objects that are known by what they have: others in them are not looked at. */
export const OPEN = new Set<string>([
  ...["Drawable", "PartialTree", "Words", "Confidence", "Block", "SystemDescription", "MoveContext"],
  ...["Plot", "WrittenWords"],
]);

const HEADS = [-1, 2, 0, 2];
const LABELS = ["", "nsubj", "root", "obj"];
const system = () => systems.createSystem("arc-eager");

function withPredicate(sentence = sentences[0]!): core.Sentence {
  const copy = core.Sentence.from(sentence.toJSON());
  copy.setPredicates([{ word: 1, sense: "x.01", arguments: [] }]);
  return copy;
}

function withDeps(sentence: core.Sentence): core.Sentence {
  const copy = core.Sentence.from(sentence.toJSON());
  for (const { index, headIndex, deprel } of copy.words) copy.set("deps", index, `${headIndex}:${deprel}`);
  return copy;
}

let made = 0;

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
  "addEnhanced(sentences)": () => sentences.map(withDeps),
  "roleSteps(sentences)": () => sentences.map(withPredicate),
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
  "joinWords(to)": () => 2,
  "splitWord(forms)": () => ["x", "y"],
  "splitSentence(at)": () => 3,
  CountableSentence: () => sentences[0],
  Words: () => sentences[0],
  "ArrayLike<number>": () => HEADS,
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
  ExhaustiveOracle: () => systems.exhaustiveOracle(system()),
  PipelineModel: () => model,
  "PipelineModel | TreeParserModel": () => model,
  'Pick<PipelineModel, "origin"> | string': () => model,
  Validator: () => new treebank.Validator(),
  RoleScores: () => new RoleScores(),
  "readonly RoleSentence[]": () => [withPredicate()],
  TreeParserModel: () => model.parser,
  'Pick<TreeParserModel, "createParser">': () => model.parser,
  PipelineParts: () => ({ parser: model.parser }),
  ParserModel: () => model.parser,
  Pipeline: () => new core.Pipeline(model, { beam: 4 }),
  "readonly Pipeline[]": () => [new core.Pipeline(model), new core.Pipeline(model)],
  "readonly VotingTree[]": () => [{ heads: HEADS, labels: LABELS }],
  SegmenterModel: () => model.segmenter,
  TaggerModel: () => model.tagger,
  LemmatizerModel: () => model.lemmatizer,
  Segmenter: () => new core.Segmenter(model.segmenter!),
  SegmenterStream: () => new core.SegmenterStream(new core.Segmenter(model.segmenter!)),
  "RawSentence[]": () => [],
  ModelSource: () => core.writeModel(model),
  Uint8Array: () => core.writeModel(model),
  "TreebankReader.push(chunk)": () => new TextEncoder().encode(sentences.join("")),
  "readonly (string | GivenToken)[]": () => ["Mina", "sleeps"],
  "Document.from(json)": () => new core.Document(sentences).toJSON(),
  TextSource: () => ["Mina sleeps."],
  PartialTree: () => ({ heads: sentences[0]!.heads.map(() => -1) }),
  "string | Uint8Array": () => sentences.join(""),
  "string | URL": () => join(folder, "a.conllu"),
  TreebankReader: () => new treebank.TreebankReader(),
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
  "IndexedTreebank<S>": () => new TreebankIndex(sentences),
  IndexedTreebank: () => new TreebankIndex(sentences),
  Column: () => "upos",
  Agreement: () => new Agreement(),
  "readonly EditAction[]": () => [{ set: "x.upos", to: "X" }],
  "readonly EpochScore[]": () => [{ epoch: 1 }],
  TreeEditor: () => new TreeEditor("{}=x", []),
  "parsePattern(source)": () => "{}",
  Drawable: () => ({ forms: ["", "a", "b", "c"], heads: HEADS }),
  "readonly Drawable[]": () => [{ forms: ["", "a", "b", "c"], heads: HEADS }],
  Evaluation: () => new Evaluation(),
  Calibration: () => new Calibration(),
  Binning: () => "width",
  "readonly NamedEvaluation[]": () => [],
  SentenceCounts: () => evaluate(sentences, sentences).counts,
  '"uas" | "las"': () => "las",
  Plot: () => ({ title: "x", series: [], x: { label: "x" }, y: { label: "y" } }),
  "readonly WordInput[]": () => [{ form: "x" }],
  "readonly SystemSetting[]": () => [],
  SystemDescription: () => ({ ...systems.describeSystem("arc-eager"), name: `made-up-${++made}` }),
  SystemSettings: () => ({}),
  "Readonly<Record<string, unknown>>": () => ({}),
  SystemSetting: () => systems.describeSystem("attardi").settings[0],
  Given: () => ({}),
  "jackknife(k)": () => 2,
  Confidence: () => core.confidenceOf(model.parser as core.ParserModel),
  "Document.at(offset)": () => 1,
  "Sentence.removeMultiWordToken(from)": () => 1,
  TrainOptions: trainOptions,
  InstanceOptions: () => ({ system: "arc-eager", root: "last", templates: "s0.upos" }),
  Instances: () => {
    const instances = new training.Instances({ system: "arc-eager", root: "last", templates: "s0.upos" });
    for (const sentence of sentences) instances.add(sentence, () => {});
    return instances;
  },
  LiblinearReader: () => new training.LiblinearReader("x"),
  "LiblinearReader.push(line)": () => "nr_class 2",
  TrainRequest: () => ({ sentences, epochs: 1, templates: "s0.upos s1.upos" }),
  VectorReader: () => new training.VectorReader("x", 3),
  "VectorReader.push(text)": () => "boats 1 2 3",
  "parseTemplates(text)": () => "s0.upos",
  "createSystem(name)": () => "arc-eager",
  "featureTemplates(system)": () => "arc-eager",
  "featureTemplates(name)": () => "default",
  "zhangNivreTemplates(system)": () => "arc-eager",
  URL: () => new URL("data:text/javascript,"),
  EncoderData: () => encoder,
  EncoderFiles: encoderFiles,
  "{ range: boolean; score: boolean; }": () => ({ range: true, score: true }),
  Score: () => new Score(),
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
  // readEncoder makes it, as a whole.
  EncoderData: [...NOT_OBJECTS, {}],
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
  "Readonly<Record<string, true | readonly string[]>>": NOT_OBJECTS,
  "SentenceOptions | number": [null, "x", Number.NaN, []],
  "boolean | readonly number[]": [null, 42, "x", {}, ["x"]],
  ModelSource: [undefined, null, 42, Number.NaN, {}, []],
  'Pick<PipelineModel, "origin"> | string': [undefined, null, 42, Number.NaN, {}, []],
  "identifyLanguage(options)": [...NOT_OBJECTS, { nonsense: 1 }, { among: "es" }, { among: [42] }],
  "string | number": [null, Number.NaN, {}, []],
  LossBound: [undefined, null, "x", "20", "0%", Number.NaN, {}, []],
  "string | URL": [undefined, null, 42, "", Number.NaN, {}, []],
  "string | Readonly<Attributes>": [undefined, 42, Number.NaN, true, { Case: 3 }],
  "readonly number[]": [undefined, null, 42, "x", Number.NaN, {}, ["x"], [Number.NaN]],
  "readonly string[]": [undefined, null, 42, "x", Number.NaN, {}, [42]],
};
