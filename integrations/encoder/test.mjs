// Adapts a tiny random encoder to a made-up treebank, trains a parser on it and parses: npm run test:encoder (after npm
// run build), where Python with PyTorch and tokenizers is (PYTHON names the interpreter).
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const python = process.env.PYTHON ?? "python3";
const here = (/** @type {string} */ path) => fileURLToPath(new URL(path, import.meta.url));
if (spawnSync(python, ["-c", "import torch, tokenizers"]).status !== 0) {
  console.log("skipped: adapting an encoder: there is no Python with torch and tokenizers (PYTHON names another one)");
} else {
  const folder = mkdtempSync(join(tmpdir(), "stemma-adapt-"));
  try {
    await test(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** @param {string} program @param {string[]} args */
function run(program, ...args) {
  const { status, stdout, stderr } = spawnSync(program, args, {
    encoding: "utf8",
    env: { ...process.env, CUDA_VISIBLE_DEVICES: "" },
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
async function test(folder) {
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
  const options = (/** @type {string} */ words, /** @type {string} */ out) => [
    ...[here("adapt.py"), "--encoder", file("tiny"), "--treebank", file("train.conllu"), "--dev", file("dev.conllu")],
    ...["--teacher", file("tiny"), "--text", file("text.txt"), "--words", words, "--batch", "400", "--least", "1"],
    ...["--epochs", "6", "--text-epochs", "6", "--rate", "3e-3", "--work", file(`${out}-work`), "--out", file(out)],
  ];
  const said = run(python, ...options("100", "out"), "--silver", file("silver.conllu.gz"));
  const scores = [...said.matchAll(/LAS ([\d.]+)/g)].map(([, las]) => Number(las));
  hold(scores.at(-1) === 100, `the adapted encoder parses the made-up language (LAS ${scores.join(", ")})`);
  hold(run(python, ...options("100", "out")).includes("kept from before"), "what is finished is kept");

  const killed = spawn(python, options("100", "again"), { env: { ...process.env, CUDA_VISIBLE_DEVICES: "" } });
  let printed = "";
  killed.stdout.on("data", (data) => {
    printed += data;
    if (printed.includes("epoch 4 of 6")) killed.kill("SIGKILL");
  });
  await once(killed, "exit");
  run(python, ...options("100", "again"));
  const [whole, resumed] = ["out", "again"].map((name) => readFileSync(file(`${name}/model.safetensors`)));
  hold(whole?.equals(/** @type {Buffer} */ (resumed)) === true, "after a kill it goes on, to the same bytes");
  writeFileSync(file("train.conllu"), treebank([...trees, trees[0]?.replaceAll("dogs", "zebras") ?? ""]));
  const other = spawnSync(python, options("100", "again"), { encoding: "utf8" });
  hold(/begun with other files \(expected the same/.test(other.stderr), "other data with the same --work is refused");
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
