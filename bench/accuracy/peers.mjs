// Other parsers, trained and measured on the same data: LAS on the development part with gold tags and with their own,
// processor time of training, words parsed in a second of it, memory, size. After npm run build:
//   node bench/accuracy/peers.mjs                      measures what is missing, then writes docs/experiments/peers.md
//   node bench/accuracy/peers.mjs --report             writes the page from what is there
//   --sentences N (all; the first of the training part)  --peers a,b  --models FOLDER (tmp/peers)
//   --results FILE (docs/experiments/peers/results.json)
//   and names of treebanks (en_ewt el_gdt tr_imst af_afribooms), or es: the Spanish ones, divided as models/make.mjs does
// Parsers that are not installed are skipped with a message. PYTHON names an interpreter with the package ufal.udpipe;
// jars are looked for in Maven's repository (MAVEN names it; ~/.m2/repository):
//   python3 -m venv peers && peers/bin/pip install ufal.udpipe
//   mvn dependency:get -Dartifact=org.maltparser:maltparser:1.9.2
// Every result is kept as soon as it is there, so that an interrupted run goes on where it was. Needs Linux: processor
// time and memory are read from /proc.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { goldOf } from "../../models/gold.mjs";
import { evaluate } from "../../packages/core/dist/evaluation.js";
import { readTreebank } from "../../packages/core/dist/treebank.js";
import { percent, table } from "../data/markdown.mjs";
import { trainingFile } from "../data/treebanks.mjs";

/** @param {string} path */
const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    sentences: { type: "string" },
    peers: { type: "string" },
    results: { type: "string", default: here("../../docs/experiments/peers/results.json") },
    models: { type: "string", default: here("../../tmp/peers") },
    report: { type: "boolean" },
  },
});
const PYTHON = process.env.PYTHON ?? "python3";
const MAVEN = process.env.MAVEN ?? join(homedir(), ".m2/repository");
const LANGUAGES = /** @type {Record<string, string>} */ ({
  en_ewt: "English",
  el_gdt: "Greek",
  tr_imst: "Turkish",
  af_afribooms: "Afrikaans",
  es: "Spanish",
});
/** Copies of the development part by which the time of loading and that of parsing are told apart. */
const COPIES = 4;
/** The rest of the page, after it, is written here. */
const MARK = "<!-- node bench/accuracy/peers.mjs writes the rest -->";
const PAGE = here("../../docs/experiments/peers.md");

/**
 * @typedef {{ cpu: number, memory: number }} Measured   seconds of processor time, and MB
 * @typedef {[string, ...string[]]} Argv
 * @typedef {{
 *   title: string,
 *   install: string,
 *   version(): string | undefined,
 *   train(train: string, model: string): Argv,
 *   parse(model: string, tags: "gold" | "own", from: string, to: string): Argv | undefined,
 * }} Peer
 */

const stemma = here("../../packages/cli/bin/stemma.js");
/** @param {...string} settings */
const stemmaPeer = (...settings) => ({
  install: "npm run build",
  version: () => spawnSync(process.execPath, [stemma, "--version"], { encoding: "utf8" }).stdout.trim(),
  train: (/** @type {string} */ train, /** @type {string} */ model) =>
    /** @type {Argv} */ ([...[process.execPath, stemma, "train", train, "--pipeline", "--model", model], ...settings]),
  parse: (
    /** @type {string} */ model,
    /** @type {string} */ tags,
    /** @type {string} */ from,
    /** @type {string} */ to,
  ) =>
    /** @type {Argv} */ ([
      ...[process.execPath, stemma, "parse", "--model", model, "--output", to],
      ...(tags === "own" ? ["--retag"] : []),
      from,
    ]),
});

/** @type {Record<string, Peer>} */
const PEERS = {
  stemma: { title: "Stemma, greedy", ...stemmaPeer() },
  "stemma-network": { title: "Stemma, network", ...stemmaPeer("--network", "--threads", "1") },
  udpipe: {
    title: "UDPipe 1",
    install: "pip install ufal.udpipe; PYTHON=…",
    version: () => pythonVersion("../data/udpipe.py"),
    train: (train, model) => [PYTHON, here("../data/udpipe.py"), "train", train, model],
    parse: (model, tags, from, to) => [PYTHON, here("../data/udpipe.py"), "parse", model, from, to, tags],
  },
  maltparser: {
    title: "MaltParser",
    install: "mvn dependency:get -Dartifact=org.maltparser:maltparser:1.9.2",
    version: () => jarVersion("org/maltparser/maltparser"),
    train: (train, model) => [...malt(model), "-m", "learn", "-a", "stacklazy", "-l", "liblinear", "-i", train],
    // It has no tagger.
    parse: (model, tags, from, to) =>
      tags === "own" ? undefined : [...malt(model), "-m", "parse", "-i", from, "-o", to],
  },
};

/**
 * The versions of a jar in Maven's repository, the last of them.
 * @param {string} artifact
 */
function jarVersion(artifact) {
  const folder = join(MAVEN, artifact);
  const name = artifact.replace(/.*\//, "");
  if (!existsSync(folder)) return undefined;
  return readdirSync(folder)
    .filter((version) => existsSync(join(folder, version, `${name}-${version}.jar`)))
    .at(-1);
}

/**
 * The jars of an artifact and of those it needs.
 * @param {...string} artifacts
 */
function classPath(...artifacts) {
  return artifacts
    .map((artifact) => {
      const version = jarVersion(artifact) ?? "";
      return join(MAVEN, artifact, version, `${artifact.replace(/.*\//, "")}-${version}.jar`);
    })
    .join(":");
}

/** @param {string} model @returns {Argv} */
function malt(model) {
  const path = classPath(
    ...["org/maltparser/maltparser", "de/bwaldvogel/liblinear", "tw/edu/ntu/csie/libsvm", "log4j/log4j"],
  );
  const [folder, name] = [dirname(model), model.replace(/.*\//, "").replace(/\.mco$/, "")];
  // CoNLL-U has the columns of CoNLL-X, in which it knows no multi-word tokens.
  return ["java", "-Xmx4g", "-XX:+UseSerialGC", "-cp", path, "org.maltparser.Malt", "-w", folder, "-c", name];
}

/** @param {string} script */
function pythonVersion(script) {
  const { status, stdout } = spawnSync(PYTHON, [here(script), "version"], { encoding: "utf8" });
  return status === 0 ? stdout.trim() : undefined;
}

/**
 * Runs a command; what it used is read while it runs, ten times a second.
 * @param {Argv} argv
 * @returns {Promise<Measured>}
 */
function measured([program, ...args]) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ["ignore", "ignore", "pipe"] });
    let errors = "";
    child.stderr.on("data", (text) => {
      errors = (errors + text).slice(-2000);
    });
    const used = { cpu: 0, memory: 0 };
    const look = () => {
      try {
        const stat = readFileSync(`/proc/${child.pid}/stat`, "utf8").replace(/.*\) /, "").split(" ");
        // Its own time, in ticks of which Linux shows 100 in a second wherever it runs.
        const cpu = (Number(stat[11]) + Number(stat[12])) / 100;
        const memory =
          Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"))?.[1] ?? 0) / 1024;
        Object.assign(used, { cpu: Math.max(used.cpu, cpu), memory: Math.max(used.memory, memory) });
      } catch {
        // It has just ended.
      }
    };
    const timer = setInterval(look, 100);
    child.on("error", reject);
    child.on("exit", (status) => {
      clearInterval(timer);
      if (status === 0) resolve(used);
      else reject(new Error(`${[program, ...args].join(" ")}: exit status ${status}\n${errors}`));
    });
  });
}

/**
 * The lines of each sentence that are learned from, and of each that is measured; undefined if they are not there.
 * @param {string} treebank @returns {{ train: string[][], dev: string[][] } | undefined}
 */
function dataOf(treebank) {
  const file = trainingFile(treebank);
  if (existsSync(file)) {
    const lines = (/** @type {string} */ path) =>
      readFileSync(path, "utf8")
        .trim()
        .split("\n\n")
        .map((block) => block.split("\n"));
    return { train: lines(file), dev: lines(file.replace("-train", "-dev")) };
  }
  const { languages, defaults } = JSON.parse(readFileSync(here("../../models/languages.json"), "utf8"));
  const folders = [dirname(file), join(dirname(file), "more")];
  if (!Object.hasOwn(languages, treebank) || !existsSync(folders[1] ?? "")) return undefined;
  const { train, held } = goldOf(languages[treebank].treebanks, defaults.heldOut, folders);
  return { train: train.flatMap((part) => part.train.map(({ lines }) => lines)), dev: held.map(({ lines }) => lines) };
}

/**
 * Sentences as a file: words only, since not all peers know multi-word tokens and empty nodes.
 * @param {readonly string[][]} sentences
 */
function plain(sentences) {
  return sentences.map((lines) => `${lines.filter((line) => /^\d+\t/.test(line)).join("\n")}\n\n`).join("");
}

/** @param {string} path */
function sizeOf(path) {
  const info = statSync(path);
  if (!info.isDirectory()) return info.size;
  /** @type {number} */
  let sum = 0;
  for (const name of readdirSync(path)) sum += sizeOf(join(path, name));
  return sum;
}

/**
 * The scores of the trees in a file.
 * @param {string} gold @param {string} file
 */
function scoresOf(gold, file) {
  const { uas, las } = evaluate(readTreebank(gold), readTreebank(readFileSync(file)), { labels: "full" }).scores;
  return { uas: uas.f1, las: las.f1 };
}

/**
 * @param {string} treebank @param {{ train: string[][], dev: string[][] }} data
 * @param {string} name @param {string} version
 */
async function measure(treebank, data, name, version) {
  const peer = /** @type {Peer} */ (PEERS[name]);
  const most = values.sentences === undefined ? undefined : Number(values.sentences);
  mkdirSync(values.models, { recursive: true });
  const file = (/** @type {string} */ end) => join(values.models, `${treebank}-${name}${end}`);
  const [train, dev, copies, out] = [".train.conllu", ".dev.conllu", ".copies.conllu", ".out.conllu"].map(file);
  const text = plain(data.train.slice(0, most));
  const gold = plain(data.dev);
  writeFileSync(train, text);
  writeFileSync(dev, gold);
  writeFileSync(copies, gold.repeat(1 + COPIES));
  const model = file(name === "maltparser" ? ".mco" : ".model");
  rmSync(model, { recursive: true, force: true });
  const training = await measured(peer.train(train, model));
  /** @type {Record<string, unknown>} */
  const result = {
    version,
    sentences: text.split("\n\n").length - 1,
    training,
    size: sizeOf(model),
  };
  const words = readTreebank(gold).reduce((sum, { length }) => sum + length, 0);
  for (const tags of /** @type {const} */ (["gold", "own"])) {
    const once = peer.parse(model, tags, dev, out);
    if (!once) continue;
    const one = await measured(once);
    const scores = scoresOf(gold, out);
    const all = await measured(/** @type {Argv} */ (peer.parse(model, tags, copies, out)));
    const speed = all.cpu > one.cpu ? Math.round((COPIES * words) / (all.cpu - one.cpu)) : undefined;
    result[tags] = { ...scores, wordsPerSecond: speed, memory: Math.round(one.memory) };
  }
  return result;
}

/** @typedef {Record<string, Record<string, any>>} Results   by treebank and sentences, then by peer */
/** @type {Results} */
const results = existsSync(values.results) ? JSON.parse(readFileSync(values.results, "utf8")) : {};

if (!values.report) {
  const versions = Object.fromEntries(Object.entries(PEERS).map(([name, peer]) => [name, peer.version()]));
  const asked = values.peers?.split(",") ?? Object.keys(PEERS);
  for (const name of asked) {
    if (!Object.hasOwn(PEERS, name))
      throw new RangeError(`invalid --peers: ${name} (expected ${Object.keys(PEERS).join(", ")})`);
    if (versions[name] === undefined) console.log(`${name}: not installed, skipped (${PEERS[name]?.install})`);
  }
  for (const treebank of positionals.length > 0 ? positionals : Object.keys(LANGUAGES)) {
    const data = dataOf(treebank);
    if (data === undefined) {
      console.log(`${treebank}: skipped: ../shared/treebanks does not have it`);
      continue;
    }
    const key = `${treebank} ${values.sentences ?? "all"}`;
    for (const name of asked) {
      const version = versions[name];
      if (version === undefined) continue;
      if (results[key]?.[name]?.version === version) {
        console.log(`${key}: ${name} ${version} is there`);
        continue;
      }
      console.log(`${key}: ${name} ${version}`);
      results[key] = { ...results[key], [name]: await measure(treebank, data, name, version) };
      mkdirSync(dirname(values.results), { recursive: true });
      writeFileSync(`${values.results}.new`, `${JSON.stringify(results, null, 2)}\n`);
      renameSync(`${values.results}.new`, values.results);
    }
  }
}

/** @param {{ las: number } | undefined} scores */
const las = (scores) => (scores ? percent(scores.las) : "–");
const rows = Object.entries(results).flatMap(([key, peers]) => {
  const [treebank] = /** @type {[string]} */ (key.split(" "));
  return Object.keys(PEERS)
    .filter((name) => peers[name])
    .map((name) => {
      const { version, sentences, training, size, gold, own } = peers[name];
      return [
        ...[LANGUAGES[treebank] ?? treebank, sentences, `${PEERS[name]?.title} ${version}`, las(gold), las(own)],
        ...[training.cpu.toFixed(0), gold.wordsPerSecond?.toLocaleString("en") ?? "–", gold.memory],
        (size / 1e6).toFixed(1),
      ];
    });
});
const head = ["treebank", "sentences", "parser", "LAS, gold tags", "LAS, own tags"];
const lines = table([...head, "training, s", "words/s", "memory, MB", "size, MB"], rows, 3);
console.log(`\n${lines}`);
if (existsSync(PAGE)) {
  const page = readFileSync(PAGE, "utf8");
  const [before, after] = page.split(MARK);
  if (after === undefined) throw new Error(`${PAGE}: the line ${MARK} is not there`);
  writeFileSync(PAGE, `${before}${MARK}\n\n${lines}\n`);
}
