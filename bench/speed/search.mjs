// Five queries over a treebank, here and in udapi (a package of PyPI): the same matches, and how fast.
// Processor time of one core, so that other work on the machine counts little; the best of several runs.
//   node bench/speed/search.mjs [FILE]      (after npm run build; UDAPI_PYTHON=venv/bin/python where udapi is not in python3)
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { readTreebank } from "../../packages/core/dist/index.js";
import { Matcher, TreebankIndex } from "../../packages/core/dist/search.js";
import { TreebankError, TreebankReader } from "../../packages/core/dist/treebank.js";

const RUNS = 10;
const CHUNK = 1 << 18;
const file =
  process.argv[2] ?? fileURLToPath(new URL("../../../shared/treebanks/en_ewt-ud-train.conllu", import.meta.url));
if (!existsSync(file)) {
  console.log("skipped: ../shared/treebanks is not there; give a CoNLL-U file");
  process.exit(0);
}

/** Pattern, and the same for udapi: an expression that gives the tuples of words for the node n. */
const QUERIES = [
  {
    name: "passive without agent",
    pattern: "{upos:VERB} >nsubj:pass {} !>obl:agent {}",
    python: `[(n, s) for s in n.children if s.deprel == "nsubj:pass"] if n.upos == "VERB" and not any(c.deprel == "obl:agent" for c in n.children) else []`,
  },
  {
    name: "subject, verb, object",
    pattern: "{upos:VERB} >nsubj {} >obj {}",
    python: `[(n, s, o) for s in n.children if s.udeprel == "nsubj" for o in n.children if o.udeprel == "obj"] if n.upos == "VERB" else []`,
  },
  {
    name: "what is taken",
    pattern: "{lemma:take} >obj {upos:NOUN}",
    python: `[(n, o) for o in n.children if o.udeprel == "obj" and o.upos == "NOUN"] if n.lemma == "take" else []`,
  },
  {
    name: "unlike conjuncts",
    pattern: "{}=a >conj {}=b ; a.upos != b.upos",
    python: `[(n, c) for c in n.children if c.udeprel == "conj" and c.upos != n.upos]`,
  },
  {
    name: "plural -ing under a verb",
    pattern: "{upos:VERB} >> {form:/ings$/; Number:Plur}",
    python: `[(n, d) for d in n.descendants if re.search("ings$", d.form) and d.feats["Number"] == "Plur"] if n.upos == "VERB" else []`,
  },
];

const PYTHON = `
import json, re, sys, time
import udapi.core.document
queries = json.load(sys.stdin)
start = time.process_time()
document = udapi.core.document.Document(sys.argv[1])
trees = [bundle.get_tree() for bundle in document.bundles]
reading = time.process_time() - start
results = []
for source in queries["queries"]:
    query = eval("lambda n: " + source)
    best = float("inf")
    for _ in range(queries["runs"]):
        start = time.process_time()
        found = [(t, match) for t, tree in enumerate(trees) for node in tree.descendants for match in query(node)]
        best = min(best, time.process_time() - start)
    results.append({"seconds": best, "matches": sorted([t, *[w.ord for w in match]] for t, match in found)})
json.dump({"sentences": len(trees), "reading": reading, "results": results}, sys.stdout)
`;

/**
 * @returns {{ sentences: number, reading: number, results: { seconds: number, matches: number[][] }[] } | undefined}
 */
function udapi() {
  const python = process.env.UDAPI_PYTHON ?? "python3";
  if (spawnSync(python, ["-c", "import udapi"]).status !== 0) return undefined;
  const input = JSON.stringify({ runs: 2, queries: QUERIES.map((query) => query.python) });
  const { stdout, stderr, status } = spawnSync(python, ["-c", PYTHON, file], {
    input,
    maxBuffer: 1 << 30,
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`udapi failed: ${stderr}`);
  return JSON.parse(stdout);
}

/** @template T @param {() => T} run @returns {[seconds: number, result: T]} */
function best(run) {
  let seconds = Number.POSITIVE_INFINITY;
  let result = /** @type {T} */ (/** @type {unknown} */ (undefined));
  for (let i = 0; i < RUNS; i++) {
    const start = process.cpuUsage();
    result = run();
    const { user, system } = process.cpuUsage(start);
    seconds = Math.min(seconds, (user + system) / 1e6);
  }
  return [seconds, result];
}

/**
 * Reads the file as the command line does, and looks for the pattern in each sentence as it comes. @param {Matcher}
 * matcher
 */
function readAndMatch(matcher) {
  const reader = new TreebankReader({ source: file });
  let count = 0;
  const pass = (/** @type {ReturnType<typeof reader.end>} */ results) => {
    for (const result of results) if (!(result instanceof TreebankError)) count += matcher.match(result).length;
  };
  for (let at = 0; at < bytes.length; at += CHUNK) pass(reader.push(bytes.subarray(at, at + CHUNK)));
  pass(reader.end());
  return count;
}

const bytes = readFileSync(file);
const sentences = readTreebank(bytes, { source: file });
const index = new TreebankIndex(sentences);
const places = new Map(sentences.map((sentence, t) => [sentence, t]));
const other = udapi();
if (other === undefined) {
  console.log("udapi is not installed (pip install udapi, or UDAPI_PYTHON=venv/bin/python): only Stemma is measured");
}
const rate = (/** @type {number} */ seconds) => Math.round(sentences.length / seconds).toLocaleString("en");
const ratio = (/** @type {number} */ ours, /** @type {number} */ theirs) => `${(theirs / ours).toFixed(0)}×`;
const row = (/** @type {(string | number)[]} */ cells) =>
  console.log(cells.map((cell, i) => (i === 0 ? String(cell).padEnd(26) : String(cell).padStart(13))).join(""));

console.log(`${file.replace(/.*[\\/]/, "")}: ${sentences.length} sentences; sentences/s in memory, and from the file`);
row(["query", "matches", "in memory", "udapi", "ratio", "from file", "udapi", "ratio"]);
let differences = 0;
QUERIES.forEach(({ name, pattern }, i) => {
  const matcher = new Matcher(pattern);
  const [whole, count] = best(() => readAndMatch(matcher));
  const [seconds, found] = best(() => matcher.matchAll(index));
  const matches = found.map(({ sentence, nodes }) => [places.get(sentence), ...nodes]);
  if (count !== matches.length) throw new Error(`${count} matches from the file, ${matches.length} in memory`);
  const theirs = other?.results[i];
  if (other === undefined || theirs === undefined) {
    row([name, matches.length, rate(seconds), "-", "-", rate(whole), "-", "-"]);
    return;
  }
  const same = JSON.stringify(matches) === JSON.stringify(theirs.matches);
  if (!same) differences++;
  row([
    name,
    same ? matches.length : `${matches.length}≠${theirs.matches.length}`,
    rate(seconds),
    rate(theirs.seconds),
    ratio(seconds, theirs.seconds),
    rate(whole),
    rate(theirs.seconds + other.reading),
    ratio(whole, theirs.seconds + other.reading),
  ]);
});
if (differences > 0) {
  console.log(`${differences} queries have other matches`);
  process.exitCode = 1;
} else if (other !== undefined) console.log("all matches are the same");
