// A language in which only an encoder can tell verbs and the ends of sentences: verbs have a q in the middle, and the
// last words of sentences a z, where no affix reaches, and words hardly ever come up twice.
import { beforeAll, describe, expect, test } from "vitest";
import { EncoderVectors } from "../../src/encoder/encoder-vectors.js";
import { EncodedTreebank } from "../../src/encoder/learning/encoded-treebank.js";
import { trainProbe } from "../../src/encoder/learning/probe-training.js";
import { readEncoder } from "../../src/encoder/learning/read-encoder.js";
import { TagProbe } from "../../src/encoder/probe/encoder-probes.js";
import { Probe, packGuesses } from "../../src/encoder/probe/probe.js";
import { encoder as program } from "../../src/encoder/program.js";
import { Random } from "../../src/math/random.js";
import { load } from "../../src/model-file/load.js";
import { readModel, writeModel } from "../../src/model-file/model-file.js";
import { Pipeline } from "../../src/pipeline/pipeline.js";
import { PipelineModel } from "../../src/pipeline/pipeline-model.js";
import { plainText, surfaceOf } from "../../src/pipeline/segmenter/segment-text.js";
import { Segmenter } from "../../src/pipeline/segmenter/segmenter.js";
import { SegmenterModel } from "../../src/pipeline/segmenter/segmenter-model.js";
import { Tagger } from "../../src/pipeline/tagger/tagger.js";
import { TaggerModel } from "../../src/pipeline/tagger/tagger-model.js";
import { roleSteps } from "../../src/roles/learning/role-steps.js";
import { roles } from "../../src/roles/program.js";
import { RoleLabeller } from "../../src/roles/role-labeller.js";
import { RolesModel } from "../../src/roles/roles-model.js";
import { rolesOf } from "../../src/roles/roles-of.js";
import { type KeptModel, preparationSteps } from "../../src/training/preparation/prepare.js";
import { train } from "../../src/training/train.js";
import { Sentence } from "../../src/treebank/sentence/sentence.js";
import { attachModel, shareModel } from "../../src/workers/shared-model.js";
import { replaceSection, sections } from "../model-file/model-sections.js";
import { tinyEncoder } from "./tiny-encoder.js";

function treebank(count: number, seed: number): Sentence[] {
  const random = new Random(seed);
  const letters = (n: number) =>
    Array.from({ length: n }, () => "abdegiklmnorstu"[Math.floor(15 * random.next())]).join("");
  return Array.from({ length: count }, (_, s) => {
    const length = 2 + Math.floor(4 * random.next());
    const words = Array.from({ length }, (_, i) => {
      const [isLast, isVerb] = [i === length - 1, random.next() < 0.5];
      return {
        form: `${letters(5)}${isVerb ? "qqq" : letters(3)}${isLast ? "zzz" : letters(3)}${letters(6)}`,
        lemma: "_",
        upos: isVerb ? "VERB" : "NOUN",
        head: i,
        deprel: i === 0 ? "root" : "dep",
      };
    });
    return Sentence.from({ words, comments: s % 20 === 0 ? ["newdoc"] : [] });
  });
}

const encoder = (() => {
  const { onnx: weights, tokenizer } = tinyEncoder({ size: 32, layers: 3, window: 128 });
  return readEncoder({ weights, tokenizer }, { layers: 3, mixed: 2 });
})();
const PROGRAMS = [program, roles];
const TRAIN = treebank(300, 1);
const NEW = treebank(60, 2);
const { text } = plainText(NEW.map(surfaceOf));
const SETTINGS = {
  sentences: TRAIN,
  pipeline: true,
  folds: 2,
  network: true,
  system: "arc-hybrid",
  epochs: 1,
  layers: 1,
  width: 8,
  hidden: 16,
} as const;
const { model } = await train({ ...SETTINGS, encoder });
const bytes = writeModel(model);

function tagged(tagger: Tagger): number {
  let [right, words] = [0, 0];
  for (const sentence of NEW) {
    tagger.tag(Array.from({ length: sentence.length }, (_, i) => sentence.form(i + 1)));
    for (let i = 1; i <= sentence.length; i++, words++) if (tagger.upos(i - 1) === sentence.upos(i)) right++;
  }
  return right / words;
}

test("the tagger learns from what an encoder makes of words", () => {
  const { header, linear } = model.tagger!;
  expect(tagged(new Tagger(model.tagger!))).toBeGreaterThan(0.85);
  // Without its probe it can only guess.
  expect(tagged(new Tagger(new TaggerModel(header, linear)))).toBeLessThan(0.7);
});

test("the segmenter learns from what an encoder makes of words", () => {
  const found = (segmenter: SegmenterModel) => {
    const ends = new Set([...new Segmenter(segmenter).segment(text)].map(({ end }) => end));
    const gold = NEW.map((sentence) => sentence.form(sentence.length)).map((form) => text.indexOf(form) + form.length);
    return gold.filter((end) => ends.has(end)).length / Math.max(gold.length, ends.size);
  };
  const { header, linear } = model.segmenter!;
  expect(found(model.segmenter!)).toBeGreaterThan(0.6);
  expect(found(new SegmenterModel(header, linear))).toBeLessThan(0.35);
});

test("text in pieces gives the same sentences as the whole", async () => {
  const pipeline = new Pipeline(model);
  const whole = [...pipeline.parse(text)].map(String);
  const parts = Array.from({ length: Math.ceil(text.length / 7) }, (_, k) => text.slice(7 * k, 7 * k + 7));
  const streamed: string[] = [];
  for await (const sentence of pipeline.parseStream(parts)) streamed.push(String(sentence));
  expect(streamed).toEqual(whole);
});

test("the same seed gives the same bytes; probes come along in the file and to other threads", async () => {
  const again = await train({ ...SETTINGS, encoder: structuredClone(encoder) });
  expect(Buffer.from(writeModel(again.model)).equals(Buffer.from(bytes))).toBe(true);
  const parsed = (pipeline: Pipeline) => [...pipeline.parse(text)].map(String);
  const expected = parsed(new Pipeline(model));
  const read = readModel(bytes, { programs: PROGRAMS });
  expect(Buffer.from(writeModel(read)).equals(Buffer.from(bytes))).toBe(true);
  expect(parsed(await load(bytes))).toEqual(expected);
  const attached = await attachModel(structuredClone(shareModel(read, 1)), 0);
  expect(attached.tagger!.guesser!.contextual).toBe(attached.parser.network!.contextual);
  expect(parsed(new Pipeline(attached))).toEqual(expected);
});

test("a preparation that was interrupted goes on with what it has kept, probes included", () => {
  const some = TRAIN.slice(0, 60);
  const encoded = new EncodedTreebank(encoder, some);
  for (const _ of encoded.steps());
  const prepared = (kept: Map<string, KeptModel>) => {
    const trained: string[] = [];
    const steps = preparationSteps(some, { seed: 1, folds: 2, encoded }, (name) => kept.get(name));
    for (;;) {
      const { done, value } = steps.next();
      if (done) return { ...value, trained };
      if (value.model) kept.set(value.name, structuredClone(value.model));
      else trained.push(value.name);
    }
  };
  const kept = new Map<string, KeptModel>();
  const first = prepared(kept);
  expect(first.trained).toContain("tags by the encoder");
  expect(first.trained).toContain("segmenter");
  kept.delete("fold 2 of 2: tagger");
  const second = prepared(kept);
  expect(second.trained).not.toContain("segmenter");
  expect(second.trained).toContain("fold 2 of 2: tagger");
  const written = ({ segmenter, tagger, lemmatizer }: typeof first) =>
    Buffer.from(writeModel(new PipelineModel({ segmenter, tagger, lemmatizer, parser: model.parser })));
  expect(written(second).equals(written(first))).toBe(true);
  const tagsOf = ({ sentences }: typeof first) => sentences.map((sentence) => sentence.upos(1));
  expect(tagsOf(second)).toEqual(tagsOf(first));
});

test("a probe needs the encoder of the parser", async () => {
  const { segmenter, tagger, lemmatizer, parser } = model;
  const other = new TagProbe(tagger!.guesser as TagProbe, EncoderVectors.of(structuredClone(encoder)));
  expect(
    () =>
      new PipelineModel({
        segmenter,
        lemmatizer,
        parser,
        tagger: new TaggerModel(tagger!.header, tagger!.linear, other),
      }),
  ).toThrow("other contextual vectors than the parser's");
});

test("what no writer writes is rejected", () => {
  const header = (change: (header: Record<string, Record<string, unknown>>) => void) => {
    const { start, end } = sections(bytes)[0]!;
    const value = JSON.parse(new TextDecoder().decode(bytes.subarray(start, end)));
    change(value);
    return () =>
      readModel(replaceSection(bytes, 0, new TextEncoder().encode(JSON.stringify(value))), {
        source: "m",
        programs: PROGRAMS,
      });
  };
  const change = (part: string, name: string, value: unknown) =>
    header((header) => Object.assign(header[part]!, { [name]: value }));
  expect(change("tagGuesser", "inputs", 64)).toThrow(
    "m: invalid header: tagGuesser.inputs: 64 (expected 32, as many as the encoder gives)",
  );
  expect(change("endGuesser", "inputs", 32)).toThrow("m: invalid header: endGuesser.inputs: 32 (expected 64");
  expect(change("tagGuesser", "hidden", 9)).toThrow(
    "m: invalid header: tagGuesser.hidden: 9 (expected a multiple of 8",
  );
  expect(change("tagGuesser", "classes", 0)).toThrow("m: invalid header: tagGuesser.classes: 0");
  expect(change("tagGuesser", "classes", 7)).toThrow("m: invalid section of the tagGuesser's scales");
  expect(change("endGuesser", "classes", 3)).toThrow(/m: invalid (header|section)/);
  expect(header((header) => delete header.contextual)).toThrow("m: invalid header: endGuesser: no encoder");
  // After the header: three sections of the encoder, then two of what guesses sentence ends.
  const weights = sections(bytes)[5]!;
  expect(() =>
    readModel(replaceSection(bytes, 5, bytes.subarray(weights.start, weights.end - 1)), {
      source: "m",
      programs: PROGRAMS,
    }),
  ).toThrow("m: invalid section of the endGuesser's weights");
});

describe("semantic roles that only an encoder can tell", () => {
  /** The sense of the first word, and the role of the second, depend on whether the word has a w in the middle. */
  function withRoles(sentences: Sentence[], seed: number): Sentence[] {
    const random = new Random(seed);
    for (const sentence of sentences) {
      const isMarked = [1, 2].map((i) => {
        const mark = random.next() < 0.5;
        const { form } = sentence.words[i - 1]!;
        if (mark) sentence.words[i - 1]!.form = `${form.slice(0, 5)}www${form.slice(8)}`;
        return mark;
      });
      const role = isMarked[1] ? "ARG1" : "ARG0";
      sentence.setPredicates([{ word: 1, sense: isMarked[0] ? "do.02" : "do.01", arguments: [{ word: 2, role }] }]);
    }
    return sentences;
  }
  const learn = () => {
    const dev = withRoles(treebank(60, 4), 4);
    const steps = roleSteps(model, withRoles(treebank(240, 3), 3), { dev, epochs: 3 });
    for (let step = steps.next(); ; step = steps.next()) if (step.done) return step.value;
  };
  let trained: ReturnType<typeof learn>;
  let file: Uint8Array;
  beforeAll(() => {
    trained = learn();
    file = writeModel(trained.model);
  });

  test("a network learns beside the linear model", () => {
    expect(trained.best.unlabelled).toBeGreaterThan(95);
    expect(trained.best.senses).toBeGreaterThan(80);
    expect(trained.best.labelled).toBeGreaterThan(80);
    const { header, linear } = rolesOf(trained.model)!;
    const found = (roles: RolesModel) => {
      const pipeline = new Pipeline(new PipelineModel({ ...trained.model, steps: [roles] }));
      let right = 0;
      for (const sentence of withRoles(treebank(60, 5), 5)) {
        const forms = sentence.words.map(({ form }) => form);
        if (String(pipeline.parseTokens(forms).predicates[0]) === String(sentence.predicates[0])) right++;
      }
      return right / 60;
    };
    expect(found(rolesOf(trained.model) as RolesModel)).toBeGreaterThan(0.8);
    expect(found(new RolesModel(header, linear))).toBeLessThan(0.7);
  });

  test("it comes along in the file and to other threads, and the same seed gives the same bytes", async () => {
    expect(Buffer.from(writeModel(learn().model)).equals(Buffer.from(file))).toBe(true);
    const read = readModel(file, { programs: PROGRAMS });
    expect(Buffer.from(writeModel(read)).equals(Buffer.from(file))).toBe(true);
    const parsed = (pipeline: Pipeline) => [...pipeline.parse(text)].map(String);
    const expected = parsed(new Pipeline(trained.model));
    expect(expected.join("")).toContain("Pred=");
    expect(parsed(await load(file))).toEqual(expected);
    expect(parsed(new Pipeline(await attachModel(structuredClone(shareModel(read, 1)), 0)))).toEqual(expected);
  });

  test("what no writer writes is rejected", () => {
    const change = (name: string, value: unknown) => () => {
      const { start, end } = sections(file)[0]!;
      const header = JSON.parse(new TextDecoder().decode(file.subarray(start, end)));
      Object.assign(header.roles.probe, { [name]: value });
      return new Pipeline(
        readModel(replaceSection(file, 0, new TextEncoder().encode(JSON.stringify(header))), {
          source: "m",
          programs: PROGRAMS,
        }),
      );
    };
    expect(change("unit", 0)).toThrow("m: invalid header: roles.probe.unit: 0 (expected a number above 0)");
    expect(change("paths", null)).toThrow("m: invalid header: roles.probe.paths: null (expected a whole number");
    expect(change("senses", 1)).toThrow("m: invalid header: roles.probe.senses: 1 (expected 2, as there are");
    const { header, linear, probe } = rolesOf(trained.model)!;
    const other = { ...header, roles: [...header.roles, "ARG7"] };
    expect(() => new RoleLabeller(new RolesModel(other, linear, probe))).toThrow("roles.probe.classes: 8 (expected 10");
    const [sentence] = NEW;
    const tree = { heads: sentence!.heads, labels: ["", ...sentence!.words.map(({ deprel }) => deprel)] };
    expect(() => new RoleLabeller(rolesOf(trained.model)!).label(sentence!, tree, new Float32Array(5))).toThrow(
      `invalid vectors: 5 numbers (expected ${32 * sentence!.length})`,
    );
  });
});

test("a probe scores the same with WebAssembly and without, row by row and together", () => {
  const random = new Random(5);
  const inputs = Float32Array.from({ length: 7 * 16 }, () => 4 * random.next() - 2);
  const classes = Int32Array.of(0, 1, 2, 0, 1, 2, 0);
  const examples = {
    classes,
    read: (example: number, out: Float32Array, at: number) =>
      out.set(inputs.subarray(16 * example, 16 * example + 16), at),
  };
  const header = { inputs: 16, hidden: 24, classes: 3 };
  const options = { epochs: 300, rate: 0.01, dropout: 0, seed: 1 };
  const data = trainProbe(header, examples, Int32Array.from(classes.keys()), options);
  expect(trainProbe(header, examples, Int32Array.from(classes.keys()), options)).toEqual(data);
  const [fast, plain] = [new Probe(data), new Probe(data, true)];
  const scores = fast.score(inputs);
  expect(plain.score(inputs)).toEqual(scores);
  expect([...packGuesses(scores, 3)].map((guess) => guess & 0xfff)).toEqual([...classes]);
  classes.forEach((_, k) => {
    const alone = fast.score(inputs.slice(16 * k, 16 * k + 16));
    expect(alone).toEqual(scores.slice(3 * k, 3 * k + 3));
  });
  // More rows than there was room for.
  const many = new Float32Array(500 * 16);
  for (let k = 0; k < 500; k++) many.set(inputs.subarray(0, 16), 16 * k);
  expect(fast.score(many).slice(-3)).toEqual(scores.slice(0, 3));
});

test("guesses hold the best class, the second, and how sure that is", () => {
  const parts = (scores: number[]) => {
    const [guess] = packGuesses(Float32Array.from(scores), scores.length);
    return [guess! & 0xfff, (guess! >> 12) & 0xfff, guess! >> 24];
  };
  expect(parts([1, 5, 3])).toEqual([1, 2, 2]);
  expect(parts([3, 1, 2.9])).toEqual([0, 2, 0]);
  expect(parts([0, 0, 20])).toEqual([2, 0, 4]);
  expect(parts([7])).toEqual([0, 0, 4]);
});
