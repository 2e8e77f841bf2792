// Agreement of Sentence.nounChunks() with spaCy's rules for English on gold trees: node bench/accuracy/noun-chunks.mjs [FILE
// [SENTENCES]] (after npm run build). SPACY_PYTHON is a python that has spacy (no model is needed); --show prints the
// first differences. spaCy's rules read trees in the style of ClearNLP, in which prepositions and copulas are heads, so
// the trees of Universal Dependencies are turned into those first.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { readTreebank } from "../../packages/core/dist/index.js";

const show = process.argv.includes("--show");
const [given, count = "300"] = process.argv.slice(2).filter((argument) => !argument.startsWith("--"));
const file = given ?? fileURLToPath(new URL("../../../shared/treebanks/en_ewt-ud-dev.conllu", import.meta.url));
const python = process.env.SPACY_PYTHON;
if (!existsSync(file) || !python) {
  console.log("skipped: set SPACY_PYTHON to a python with spacy, and give a CoNLL-U file or have ../shared/treebanks");
  process.exit(0);
}
// Every so many, so that all genres are there.
const all = readTreebank(readFileSync(file));
const step = Math.max(1, Math.floor(all.length / Number(count)));
const sentences = all.filter((_, k) => k % step === 0).slice(0, Number(count));

const SCRIPT = `import json, sys, spacy
from spacy.tokens import Doc
vocab = spacy.blank("en").vocab
chunks = []
for s in json.load(sys.stdin):
    doc = Doc(vocab, words=s["words"], heads=s["heads"], deps=s["deps"], pos=s["pos"])
    chunks.append([[c.start + 1, c.end] for c in doc.noun_chunks])
print(json.dumps(chunks))`;
const input = JSON.stringify(sentences.map(clearTree));
const { stdout, stderr, status } = spawnSync(python, ["-c", SCRIPT], { input, encoding: "utf8", maxBuffer: 1 << 28 });
if (status !== 0) {
  console.error(stderr);
  process.exit(2);
}
/** @type {[number, number][][]} */
const theirs = JSON.parse(stdout);

let [both, ours, spacys, shown] = [0, 0, 0, 0];
sentences.forEach((sentence, k) => {
  const key = (/** @type {number} */ from, /** @type {number} */ to) => `${from}-${to}`;
  const mine = sentence.nounChunks();
  const own = new Set(mine.map(({ from, to }) => key(from, to)));
  // Quotation marks and brackets before a noun are below it in the tree, and so in spaCy's chunk; here they are not.
  const other = new Set(
    /** @type {[number, number][]} */ (theirs[k]).map(([from, to]) => {
      while (from < to && sentence.upos(from) === "PUNCT") from++;
      return key(from, to);
    }),
  );
  const common = [...own].filter((chunk) => other.has(chunk)).length;
  both += common;
  ours += own.size;
  spacys += other.size;
  if (!show || (common === own.size && common === other.size) || shown++ >= 60) return;
  const text = (/** @type {string} */ chunk) => {
    const [from = 1, to = 1] = chunk.split("-").map(Number);
    return `${sentence.span(from, to).text} (${sentence.deprel(to)})`;
  };
  console.log(sentence.text);
  console.log(
    `  only here:  ${[...own]
      .filter((chunk) => !other.has(chunk))
      .map(text)
      .join(" | ")}`,
  );
  console.log(
    `  only spaCy: ${[...other]
      .filter((chunk) => !own.has(chunk))
      .map(text)
      .join(" | ")}`,
  );
});
const percent = (/** @type {number} */ part, /** @type {number} */ of) => ((100 * part) / of).toFixed(1);
console.log(
  `${file.replace(/.*[\\/]/, "")}: ${sentences.length} sentences, ${ours} chunks here, ${spacys} of spaCy, ${both} the same: ` +
    `precision ${percent(both, ours)}, recall ${percent(both, spacys)}, F1 ${percent(2 * both, ours + spacys)}`,
);

/**
 * The tree in the style of ClearNLP, as spaCy's Doc takes it: numbers from 0, a root is its own head.
 * @param {import("../../packages/core/dist/index.js").Sentence} s
 */
function clearTree(s) {
  const n = s.length;
  const heads = [...s.heads];
  const deps = heads.map((_, i) => (i === 0 ? "" : s.deprel(i)));
  const dependents = (/** @type {number} */ h) => heads.flatMap((head, d) => (d > 0 && head === h ? [d] : []));
  const base = (/** @type {number} */ d) => /** @type {string} */ (/** @type {string} */ (deps[d]).split(":")[0]);
  const attach = (/** @type {number} */ d, /** @type {number} */ h, deprel = /** @type {string} */ (deps[d])) => {
    heads[d] = h;
    deps[d] = deprel;
  };
  const raise = (/** @type {number} */ d, /** @type {number} */ h, /** @type {string} */ below) => {
    attach(d, /** @type {number} */ (heads[h]), deps[h]);
    attach(h, d, below);
  };
  const OF_CLAUSE =
    /^(nsubj|csubj|aux|expl|mark|punct|obl|advcl|parataxis|discourse|vocative|ccomp|xcomp|dislocated|cc|obj)$/;

  // Names: the last word is the head.
  for (let w = 1; w <= n; w++) {
    const flat = dependents(w).filter((d) => base(d) === "flat" && d > w);
    const last = flat.at(-1);
    if (last === undefined) continue;
    raise(last, w, "compound");
    for (const d of flat) if (d !== last) attach(d, last, "compound");
    for (const d of dependents(w)) attach(d, last);
  }
  // Copulas: head of the clause.
  for (let c = 1; c <= n; c++) {
    if (base(c) !== "cop") continue;
    const w = /** @type {number} */ (heads[c]);
    if (w <= 0 || /** @type {number} */ (heads[w]) < 0) continue;
    raise(c, w, /^(NOUN|PROPN|PRON)$/.test(s.upos(w)) ? "attr" : "acomp");
    for (const d of dependents(w)) {
      const isAdverb = base(d) === "advmod" && (d < c || d > w);
      const isClause = base(d) === "conj" && !/^(NOUN|PROPN|PRON)$/.test(s.upos(d));
      if (OF_CLAUSE.test(base(d)) || isAdverb || isClause) attach(d, c);
    }
  }
  // Prepositions: heads of their nouns.
  for (let w = 1; w <= n; w++) {
    const [first, ...more] = dependents(w).filter((d) => base(d) === "case" && d < w);
    if (first === undefined || /** @type {number} */ (heads[w]) < 0) continue;
    const isConjunct = base(w) === "conj";
    raise(first, w, "pobj");
    if (heads[first] !== 0 && !isConjunct) deps[first] = "prep";
    for (const d of more) attach(d, first);
    for (const d of dependents(w)) if (d < first) attach(d, first);
  }
  // Conjunctions: with the first conjunct.
  for (let w = 1; w <= n; w++) {
    if (base(w) !== "conj") continue;
    for (const d of dependents(w)) {
      if (d < w && (base(d) === "cc" || base(d) === "punct")) attach(d, /** @type {number} */ (heads[w]));
    }
  }
  const LABELS = new Map(
    Object.entries({
      "nsubj:pass": "nsubjpass",
      "nsubj:outer": "nsubj",
      obj: "dobj",
      iobj: "dative",
      xcomp: "oprd",
      obl: "npadvmod",
      "obl:unmarked": "npadvmod",
      "obl:agent": "npadvmod",
      "nmod:poss": "poss",
      root: "ROOT",
      vocative: "npadvmod",
      "acl:relcl": "relcl",
    }),
  );
  return {
    words: heads.slice(1).map((_, k) => s.form(k + 1)),
    heads: heads.slice(1).map((head, k) => (head <= 0 ? k : head - 1)),
    deps: deps.slice(1).map((label, k) => {
      if (/** @type {number} */ (heads[k + 1]) <= 0) return "ROOT";
      if (label === "expl") return /^it$/i.test(s.form(k + 1)) ? "nsubj" : "expl";
      return LABELS.get(label) ?? label;
    }),
    pos: heads.slice(1).map((_, k) => s.upos(k + 1)),
  };
}
