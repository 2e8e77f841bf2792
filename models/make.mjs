// Makes models for languages: node models/make.mjs [OPTIONS] LANGUAGE ... | --all | --treebanks DIR (after npm run
// build). models/languages.json says what each is made of. The steps of a language: the treebanks are checked and
// divided, the encoder is fetched and pruned, a teacher with it learns from them and parses the text, a small student
// learns from both, is judged on what was held out, and becomes a package. A step whose output is there is not done
// again; one that was interrupted goes on from its last checkpoint or part. The same data and version give the same
// bytes.
//
//   --all               all languages of the table
//   --table FILE        another table than models/languages.json
//   --data DIR          where treebanks/ and text/more/ are (../shared if not given)
//   --work DIR          where steps leave what they make (tmp/models if not given)
//   --out DIR           where packages are written (packages if not given)
//   --encoders DIR      encoders that are there already, by name (WORK/encoders if not given)
//   --until STEP        stop after gold, encoder, teacher, silver, student or scores
//   --treebanks DIR     instead: every treebank of a UD release (DIR/UD_*/xx_*-ud-train.conllu) whose licence permits
//                       it, trained with --preset (fast if not given), judged on its development part; no packages
//
// Exit status: 0 if everything was made, 1 if a score was below its floor or something was refused, 2 for wrong usage.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { gunzipSync } from "node:zlib";
import { pruneEncoder } from "./encoder/prune.mjs";
import { checkLicence, DataError, goldOf, textOfBlocks, wordsIn } from "./gold.mjs";
import { jointLicence, writePackage } from "./package.mjs";
import { hashOf, step, writeWhole } from "./steps.mjs";

/** @typedef {import("./gold.mjs").TreebankEntry} TreebankEntry */
/** @typedef {{ encoder: string, layers: number, epochs: number, options?: string[] }} Teacher */
/** @typedef {{ preset: string, epochs?: number, options?: string[] }} Student */
/**
 * @typedef {object} Language
 * @property {TreebankEntry[]} treebanks
 * @property {{ file: string, licence: string, source: string }} [text]
 * @property {number} heldOut
 * @property {Teacher | null} teacher
 * @property {Student} student
 * @property {{ words: number }} silver
 * @property {number} largest bytes of the model
 * @property {Record<string, number>} floors of scores with gold tokens, by their names: LAS, UPOS, …
 */

/** @typedef {{ megabytes: number, table: { name: string, raw: number, tokens: number }[] }} Scores */

const STEPS = ["gold", "encoder", "teacher", "silver", "student", "scores"];
const path = (/** @type {string} */ relative) => fileURLToPath(new URL(relative, import.meta.url));
const STEMMA = path("../packages/cli/bin/stemma.js");
const { version: VERSION } = JSON.parse(readFileSync(path("../packages/core/package.json"), "utf8"));

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    all: { type: "boolean", default: false },
    table: { type: "string", default: path("languages.json") },
    data: { type: "string", default: path("../../shared") },
    work: { type: "string", default: path("../tmp/models") },
    out: { type: "string", default: path("../packages") },
    encoders: { type: "string" },
    until: { type: "string" },
    treebanks: { type: "string" },
    preset: { type: "string", default: "fast" },
  },
});
if (values.until !== undefined && !STEPS.includes(values.until))
  usage(`invalid --until ${values.until} (expected ${STEPS.join(", ")})`);

/** @param {string} message */
function usage(message) {
  console.error(`${message}\nusage: node models/make.mjs [OPTIONS] LANGUAGE ... | --all | --treebanks DIR`);
  process.exit(2);
}

/** A score below its floor, or a model that is too large. */
class TooPoor extends Error {}

/**
 * @param {string[]} args
 * @param {"ignore" | "pipe"} stdout
 */
function run(args, stdout = "ignore") {
  const command = ["--max-old-space-size=6000", ...args];
  const options = { maxBuffer: 1 << 28, encoding: /** @type {const} */ ("utf8") };
  const ended = spawnSync(process.execPath, command, { ...options, stdio: ["ignore", stdout, "inherit"] });
  if (ended.status !== 0) throw new DataError(`node ${args.join(" ")}: ${ended.signal ?? `status ${ended.status}`}`);
  return ended.stdout;
}

/**
 * Trains a model, from its last checkpoint if there is one.
 *
 * @param {string} model
 * @param {string[]} args
 */
function train(model, args) {
  const resume = existsSync(`${model}.checkpoint`) ? ["--resume"] : [];
  run([STEMMA, "train", ...args, "--model", model, "--seed", "1", ...resume]);
}

/** A language in the making. */
class Making {
  /**
   * @param {string} code
   * @param {Language} entry
   * @param {readonly string[]} folders of treebanks
   */
  constructor(code, entry, folders) {
    this.code = code;
    this.entry = entry;
    this.work = join(values.work, code);
    mkdirSync(this.work, { recursive: true });
    this.gold = goldOf(entry.treebanks, entry.heldOut, folders);
    for (const { file, sentences } of this.gold.leftOut)
      this.say(`${file}: ${sentences} left out: no trees, or posts of several sentences`);
    this.files = this.gold.train.map(({ name }) => `${name}.conllu`);
    this.hasSilver = entry.teacher !== null && entry.text !== undefined;
    const ofText = this.hasSilver ? (entry.text?.licence.split(/, */) ?? []) : [];
    this.licences = [...new Set([...entry.treebanks.map(({ licence }) => licence), ...ofText])];
  }

  /** @param {string} name */
  at(name) {
    return join(this.work, name);
  }

  /** @param {string} text */
  say(text) {
    console.error(`${this.code}: ${text}`);
  }

  /**
   * @param {string} name
   * @param {unknown} input
   * @param {readonly string[]} outputs
   * @param {() => void} run
   */
  step(name, input, outputs, run) {
    step(this.work, name, input, outputs, run, (text) => this.say(text));
    return values.until === name;
  }

  /** The files of the treebanks, each so many times as often as the table says. */
  weighted(factor = 1) {
    return this.gold.train.map(({ weight }, k) => {
      const file = this.at(this.files[k] ?? "");
      return weight * factor === 1 ? file : `${file}:${weight * factor}`;
    });
  }

  /** @returns {Scores | undefined} undefined if it was to stop before */
  make() {
    const { entry, gold, files } = this;
    const input = { sources: gold.sources, treebanks: entry.treebanks, heldOut: entry.heldOut };
    const isEnd = this.step("gold", input, [...files, "held.conllu"], () => {
      for (const [k, { train }] of gold.train.entries()) writeWhole(this.at(files[k] ?? ""), textOfBlocks(train));
      writeWhole(this.at("held.conllu"), textOfBlocks(gold.held));
    });
    if (isEnd || (this.hasSilver && this.makeSilver())) return undefined;
    return this.makeStudent() ? undefined : this.judge();
  }

  get goldHash() {
    return [...this.files, "held.conllu"].map((file) => hashOf(this.at(file)));
  }

  /** Text that a teacher has parsed. */
  makeSilver() {
    const { code, files, goldHash } = this;
    const { text, silver } = this.entry;
    const teacher = /** @type {Teacher} */ (this.entry.teacher);
    for (const one of text?.licence.split(/, */) ?? []) checkLicence(text?.file ?? "", one);
    const source = join(values.data, "text/more", text?.file ?? "");
    if (!existsSync(source))
      throw new DataError(`${source}: not there (expected the text of ${code}, or none in the table)`);
    this.step("text", { source: hashOf(source), words: silver.words }, ["text.txt"], () => {
      writeWhole(this.at("text.txt"), firstWords(gunzipSync(readFileSync(source)).toString("utf8"), silver.words));
    });
    const textHash = hashOf(this.at("text.txt"));
    const whole = this.encoder(teacher.encoder);
    const input = { whole: hashOf(join(whole, "tokenizer.json")), goldHash, textHash };
    const isEnd = this.step("encoder", input, ["encoder"], () => {
      const texts = [...files, "text.txt"].map((name) => this.at(name));
      this.say(`encoder: ${pruneEncoder(whole, this.at("encoder"), texts)} pieces`);
    });
    if (isEnd) return true;
    const learned = { goldHash, teacher, encoder: hashOf(this.at("encoder")), VERSION };
    const isTaught = this.step("teacher", learned, ["teacher.stemma"], () => {
      const layers = ["--encoder", this.at("encoder"), "--encoder-layers", String(teacher.layers)];
      const parts = ["--pipeline", "--folds", "2", "--network", "--system", "arc-hybrid", ...layers];
      const rest = ["--epochs", String(teacher.epochs), "--language", code, ...(teacher.options ?? [])];
      train(this.at("teacher.stemma"), [...this.weighted(), "--dev", this.at("held.conllu"), ...parts, ...rest]);
    });
    if (isTaught) return true;
    return this.step("silver", { teacher: hashOf(this.at("teacher.stemma")), textHash }, ["silver.conllu"], () => {
      const parts = this.at("silver");
      const formats = ["--from", "text", "--to", "conllu", "--scores", "--threads", "0"];
      // Parts that are there, and whole, are not parsed again.
      const inParts = ["--output-dir", parts, "--part-size", "64k", "--resume"];
      run([STEMMA, "parse", this.at("text.txt"), "--model", this.at("teacher.stemma"), ...formats, ...inParts]);
      const names = readdirSync(parts).filter((name) => name.endsWith(".conllu"));
      const all = names.sort().map((name) => readFileSync(join(parts, name)));
      writeWhole(this.at("silver.conllu"), Buffer.concat(all));
      rmSync(parts, { recursive: true });
    });
  }

  makeStudent() {
    const { code, licences, goldHash, hasSilver } = this;
    const { student } = this.entry;
    const silver = hasSilver ? ["--silver", this.at("silver.conllu")] : [];
    const input = { goldHash, silver: hasSilver && hashOf(this.at("silver.conllu")), student, licences, VERSION };
    return this.step("student", input, ["student.stemma"], () => {
      const epochs = student.epochs === undefined ? [] : ["--epochs", String(student.epochs)];
      const how = ["--pipeline", "--preset", student.preset, ...epochs, ...(student.options ?? [])];
      const origin = ["--language", code.slice(0, 3).replace("_", ""), "--licence", licences.join(", ")];
      const data = [...this.weighted(hasSilver ? 2 : 1), "--dev", this.at("held.conllu"), ...silver];
      train(this.at("student.stemma"), [...data, ...how, ...origin]);
    });
  }

  judge() {
    const { entry } = this;
    const [model, held] = [this.at("student.stemma"), this.at("held.conllu")];
    this.step("scores", { student: hashOf(model), held: hashOf(held) }, ["scores.json"], () => {
      const script = path("../bench/accuracy/pipeline.mjs");
      writeWhole(this.at("scores.json"), run([script, "--json", "--runs", "1", model, held], "pipe"));
    });
    /** @type {Scores} */
    const scores = JSON.parse(readFileSync(this.at("scores.json"), "utf8"));
    const missed = Object.entries(entry.floors).flatMap(([name, floor]) => {
      const found = scores.table.find((row) => row.name === name)?.tokens ?? 0;
      return found >= floor ? [] : [`${name} ${found} (expected at least ${floor})`];
    });
    const size = readFileSync(model).length;
    if (size > entry.largest) missed.push(`${size} bytes (expected at most ${entry.largest})`);
    if (missed.length > 0) throw new TooPoor(`${missed.join(", ")}: no package was written`);
    return scores;
  }

  /**
   * @param {Scores} scores
   * @param {string} target
   */
  pack(scores, target) {
    const { code, entry, gold, hasSilver, licences } = this;
    const model = this.at("student.stemma");
    writePackage(target, model, {
      code,
      version: VERSION,
      licence: jointLicence(licences),
      treebanks: entry.treebanks,
      sources: gold.sources,
      text: hasSilver ? entry.text : undefined,
      teacher: entry.teacher ? `${entry.teacher.layers} layers of ${entry.teacher.encoder}, same treebanks` : undefined,
      sha256: hashOf(model),
      scores,
      held: { sentences: gold.held.length, words: wordsIn(gold.held) },
    });
    this.say(`${target}: LAS ${scores.table.find(({ name }) => name === "LAS")?.tokens}`);
  }

  /** @param {string} name */
  encoder(name) {
    const folder = join(values.encoders ?? join(values.work, "encoders"), name);
    if (existsSync(join(folder, "model.safetensors"))) return folder;
    this.say(`fetching ${name}`);
    run([path("../bench/data/fetch-encoder.mjs"), name, folder]);
    return folder;
  }
}

/** A character of these scripts is half a word, in Thai a quarter; no word of others has more than twelve on average. */
const IDEOGRAPHIC = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu;
const THAI = /\p{Script=Thai}/gu;
const LONGEST_WORD = 12;

/**
 * The first paragraphs of a text, as many as have so many words.
 *
 * @param {string} text
 * @param {number} most
 */
function firstWords(text, most) {
  const count = (/** @type {string} */ paragraph, /** @type {RegExp} */ script) => paragraph.match(script)?.length ?? 0;
  const kept = [];
  let words = 0;
  for (const paragraph of text.split(/\n\s*\n/)) {
    if (words >= most) break;
    const spaceless = count(paragraph, IDEOGRAPHIC) / 2 + count(paragraph, THAI) / 4;
    words += Math.max(paragraph.split(/\s+/).length, paragraph.length / LONGEST_WORD, spaceless);
    kept.push(paragraph.trim());
  }
  return `${kept.join("\n\n")}\n`;
}

/**
 * The treebanks of a release of UD.
 *
 * @param {string} folder
 * @returns {Generator<[folder: string, entry: TreebankEntry]>}
 */
function* releaseIn(folder) {
  const found = readdirSync(folder).filter((name) => name.startsWith("UD_"));
  if (found.length === 0) usage(`${folder}: no folders UD_… (expected an unpacked release of UD)`);
  for (const name of found.sort()) {
    const own = join(folder, name);
    const files = readdirSync(own);
    const [file] = files.filter((file) => /-ud-(train|dev|test)\.conllu$/.test(file));
    if (file === undefined) continue;
    const treebank = file.replace(/-ud-.*/, "");
    const parts = ["train", "dev"].filter((part) => files.includes(`${treebank}-ud-${part}.conllu`));
    const readme = files.find((file) => /^README(\.md|\.txt)?$/.test(file));
    const [, licence = ""] = /^License: *(.*)$/m.exec(readme ? readFileSync(join(own, readme), "utf8") : "") ?? [];
    yield [own, { name: treebank, parts, licence: licence.trim() }];
  }
}

/** @type {{ name: string, words?: number, scores?: Scores | undefined, error?: string }[]} */
const rows = [];

/**
 * @param {string} code
 * @param {Language} entry
 * @param {readonly string[]} folders
 * @param {string} [target] the package
 */
function attempt(code, entry, folders, target) {
  try {
    const making = new Making(code, entry, folders);
    const scores = making.make();
    if (scores && target !== undefined && values.until === undefined) making.pack(scores, target);
    rows.push({ name: code, scores, words: making.gold.sources.reduce((sum, { words }) => sum + words, 0) });
  } catch (error) {
    if (!(error instanceof DataError || error instanceof TooPoor || error instanceof RangeError)) throw error;
    console.error(`${code}: ${error.message}`);
    rows.push({ name: code, error: error.message });
  }
}

const table = JSON.parse(readFileSync(values.table, "utf8"));
if (values.treebanks !== undefined) {
  for (const [folder, entry] of releaseIn(values.treebanks)) {
    const student = { preset: values.preset };
    const plain = { ...table.defaults, teacher: null, student, floors: {}, largest: Number.POSITIVE_INFINITY };
    attempt(entry.name, { ...plain, treebanks: [entry] }, [folder]);
  }
} else {
  const codes = values.all ? Object.keys(table.languages) : positionals;
  if (codes.length === 0) usage("no languages");
  const unknown = codes.filter((code) => !Object.hasOwn(table.languages, code));
  if (unknown.length > 0) usage(`unknown: ${unknown.join(", ")} (expected ${Object.keys(table.languages).join(", ")})`);
  const folders = ["treebanks", "treebanks/more"].map((name) => join(values.data, name));
  for (const code of codes) {
    const entry = { ...table.defaults, ...table.languages[code] };
    attempt(code, entry, folders, join(values.out, `model-${code}`));
  }
}

console.log("| | words | MB | UPOS | UAS | LAS | LAS, raw text |\n| --- | ---: | ---: | ---: | ---: | ---: | ---: |");
for (const { name, scores, words, error } of rows) {
  const of = (/** @type {string} */ score) => scores?.table.find((row) => row.name === score);
  if (error !== undefined) console.log(`| ${name} | ${error.replaceAll("|", "\\|")} |`);
  else if (scores) {
    const [upos, uas, las] = ["UPOS", "UAS", "LAS"].map(of);
    console.log(
      `| ${name} | ${words} | ${scores.megabytes} | ${upos?.tokens} | ${uas?.tokens} | ${las?.tokens} | ${las?.raw} |`,
    );
  }
}
process.exitCode = rows.some(({ error }) => error !== undefined) ? 1 : 0;
