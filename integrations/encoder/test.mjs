// Adapts a tiny random encoder to a made-up treebank, trains a parser on it and parses: npm run test:encoder (after npm
// run build), where Python with JAX and tokenizers is (PYTHON names the interpreter).
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const python = process.env.PYTHON ?? "python3";
const here = (/** @type {string} */ path) => fileURLToPath(new URL(path, import.meta.url));
if (spawnSync(python, ["-c", "import jax, tokenizers"]).status !== 0) {
  console.log("skipped: adapting an encoder: there is no Python with jax and tokenizers (PYTHON names another one)");
} else {
  const folder = mkdtempSync(join(tmpdir(), "stemma-adapt-"));
  try {
    test(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** @param {string} program @param {string[]} args */
function run(program, ...args) {
  const { status, stdout, stderr } = spawnSync(program, args, {
    encoding: "utf8",
    env: { ...process.env, JAX_PLATFORMS: "cpu" },
  });
  if (status !== 0) throw new Error(`${program} ${args.slice(0, 2).join(" ")}: status ${status}\n${stdout}${stderr}`);
  return stdout;
}

/** @param {boolean} valid @param {string} what */
function hold(valid, what) {
  if (!valid) throw new Error(what);
  console.log(`ok: ${what}`);
}

/** @param {string} folder */
function test(folder) {
  const file = (/** @type {string} */ name) => join(folder, name);
  const subjects = ["dogs", "cats", "birds", "children", "teachers"];
  const verbs = ["see", "like", "follow", "hear"];
  const trees = subjects.flatMap((subject) =>
    verbs.flatMap((verb) =>
      subjects.map((object) =>
        [
          ["the", "the", "DET", 2, "det"],
          [subject, subject, "NOUN", 3, "nsubj"],
          [verb, verb, "VERB", 0, "root"],
          [object, object, "NOUN", 3, "obj"],
        ]
          .map(([form, lemma, upos, head, label], k) =>
            [k + 1, form, lemma, upos, "_", "_", head, label, "_", "_"].join("\t"),
          )
          .join("\n"),
      ),
    ),
  );
  const treebank = (/** @type {string[]} */ list) => `${list.join("\n\n")}\n\n`;
  writeFileSync(file("train.conllu"), treebank(trees.filter((_, k) => k % 4 > 0)));
  writeFileSync(file("dev.conllu"), treebank(trees.filter((_, k) => k % 4 === 0)));
  writeFileSync(file("text.txt"), "the birds follow teachers\nthe old dogs hear cats\n");
  run(python, here("tiny_encoder.py"), file("tiny"));
  const adapt = (/** @type {string[]} */ ...more) =>
    run(
      python,
      ...[here("adapt.py"), "--encoder", file("tiny"), "--treebank", file("train.conllu"), "--dev", file("dev.conllu")],
      ...[
        "--teacher",
        file("tiny"),
        "--text",
        file("text.txt"),
        "--work",
        file("work"),
        "--batch",
        "400",
        "--least",
        "1",
      ],
      ...["--epochs", "6", "--text-epochs", "6", "--rate", "3e-3", "--out", file("out"), ...more],
    );
  const said = adapt("--silver", file("silver.conllu.gz"));
  const scores = [...said.matchAll(/LAS ([\d.]+)/g)].map(([, las]) => Number(las));
  hold(scores.at(-1) === 100, `the adapted encoder parses the made-up language (LAS ${scores.join(", ")})`);
  hold(adapt().includes("kept from before"), "what is finished is kept");
  const weights = readFileSync(file("out/model.safetensors"));
  const stemma = here("../../packages/cli/bin/stemma.js");
  const size = "--network --system arc-hybrid --layers 0 --hidden 16 --epochs 2".split(" ");
  run(
    process.execPath,
    stemma,
    "train",
    file("train.conllu"),
    "--model",
    file("m.stemma"),
    ...size,
    "--encoder",
    file("out"),
  );
  const parsed = run(process.execPath, stemma, "parse", "--model", file("m.stemma"), file("dev.conllu"));
  hold(weights.length > 0 && parsed.split("\n").length > 100, "stemma train takes the folder, and its model parses");
}
