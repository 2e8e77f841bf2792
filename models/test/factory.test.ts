// The factory, on made-up treebanks with a random encoder.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { tinyEncoder } from "../../packages/core/test/encoder/tiny-encoder.js";
import { piecesOf } from "../encoder/prune.mjs";
import { bundleEntries, encoderTensors, tensorName } from "../encoder/saved-model.mjs";
import { checkBlocks, checkLicence, goldOf, readBlocks, withSpaces } from "../gold.mjs";

const MAKE = fileURLToPath(new URL("../make.mjs", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "stemma-factory-"));
const SUBJECTS = ["mill", "boat", "girl", "baker", "old"];
const VERBS = ["turns", "sinks", "sings", "bakes", "waits"];

/** Sentences such as "The mill sings." */
function treebank(count: number, { deprel = "nsubj", space = "SpaceAfter=No" } = {}): string {
  return Array.from({ length: count }, (_, i) => {
    const [subject, verb] = [SUBJECTS[i % 5]!, VERBS[(i * 3 + Math.floor(i / 5)) % 5]!];
    return [
      `# text = The ${subject} ${verb}.`,
      "1\tThe\tthe\tDET\t_\t_\t2\tdet\t_\t_",
      `2\t${subject}\t${subject}\tNOUN\t_\t_\t3\t${deprel}\t_\t_`,
      `3\t${verb}\t${verb}\tVERB\t_\t_\t0\troot\t_\t${space}`,
      "4\t.\t.\tPUNCT\t_\t_\t3\tpunct\t_\t_",
      "\n",
    ].join("\n");
  }).join("");
}

function data(name: string, files: Record<string, string | Uint8Array>): string {
  const root = join(folder, name);
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(root, path, ".."), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  return root;
}

const make = (...args: string[]) => spawnSync(process.execPath, [MAKE, ...args], { encoding: "utf8" });

it("refuses licences, labels and files that a model cannot be made of, and says what was found and expected", () => {
  for (const licence of ["CC BY-SA 4.0", "CC BY 4.0", "CC0", "LGPL-LR", "CC BY-SA 3.0"]) checkLicence("x", licence);
  for (const licence of ["CC BY-NC-SA 3.0", "CC BY-ND 4.0", "", "see LICENSE"])
    expect(() => checkLicence("eu_bdt", licence)).toThrow(
      /^eu_bdt: licence .*expected one that lets a model be published/,
    );
  const blocks = (text: string) => readBlocks(join(data("blocks", { "x.conllu": text }), "x.conllu"));
  expect(() => checkBlocks("x", blocks(treebank(3, { deprel: "dobj" })))).toThrow(
    "x: labels of UD 1: dobj (3) (expected UD 2",
  );
  expect(() => checkBlocks("x", blocks(treebank(3, { deprel: "subj" })))).toThrow(
    "labels that are none of UD 2's: subj (3)",
  );
  expect(() => checkBlocks("x", blocks(treebank(30, { space: "_" })))).toThrow(
    "30 of 30 commas and stops have a space",
  );
  checkBlocks("x", blocks(treebank(30, { space: "_" })), { spaces: false });
  checkBlocks("x", blocks(treebank(30)));
  expect(withSpaces(blocks(treebank(1, { space: "_" }))[0]!).lines.join("\n")).toBe(treebank(1).trim());
  expect(() => checkBlocks("x", [])).toThrow("no sentences");
  const entry = { name: "xx_none", parts: ["train"], licence: "CC0" };
  expect(() => goldOf([entry], 0.1, [folder])).toThrow("xx_none: no xx_none-ud-train.conllu");
});

it("holds out the development part, or the last share of each file", () => {
  const root = data("gold", {
    "xx_a-ud-train.conllu": treebank(20),
    "xx_a-ud-dev.conllu": treebank(5),
    "xx_b-ud-test.conllu.gz": gzipSync(treebank(30)),
  });
  const entries = [
    { name: "xx_a", parts: ["train", "dev"], licence: "CC0" },
    { name: "xx_b", parts: ["test"], licence: "CC0" },
  ];
  const { train, held } = goldOf(entries, 0.1, [root]);
  expect(train.map(({ name, train }) => [name, train.length])).toEqual([
    ["xx_a-train", 20],
    ["xx_b-test", 27],
  ]);
  expect(held.length).toBe(5 + 3);
});

it("leaves out sentences that are no trees, and says how many", () => {
  const whole = treebank(10);
  const looped = whole.replace(/^(1\t.*\t)\d+(\t[^\t]+\t_\t[^\t]*)$/m, "$11$2");
  expect(looped).not.toBe(whole);
  const root = data("looped", { "xx_a-ud-train.conllu": looped, "xx_a-ud-dev.conllu": treebank(3) });
  const { train, sources, leftOut } = goldOf([{ name: "xx_a", parts: ["train", "dev"], licence: "CC0" }], 0.1, [root]);
  expect(train[0]!.train.length).toBe(9);
  expect(sources[0]!.sentences).toBe(9);
  expect(leftOut).toEqual([{ file: "xx_a-ud-train", sentences: 1 }]);
});

it("leaves out posts of several sentences", () => {
  const post = treebank(1).replace(/^# text = .*$/m, "# text = Up at last. Off we go.");
  expect(post).toContain("Up at last.");
  const root = data("posts", { "xx_a-ud-train.conllu": treebank(9) + post, "xx_a-ud-dev.conllu": treebank(3) });
  const entry = { name: "xx_a", parts: ["train", "dev"], licence: "CC0" };
  expect(goldOf([entry], 0.1, [root]).leftOut).toEqual([]);
  expect(goldOf([{ ...entry, posts: true as const }], 0.1, [root]).leftOut).toEqual([
    { file: "xx_a-ud-train", sentences: 1 },
  ]);
});

it("reads the variables of a SavedModel", () => {
  const varint = (value: number): number[] =>
    value < 128 ? [value] : [(value % 128) | 128, ...varint(Math.floor(value / 128))];
  const field = (number: number, value: number | number[]) =>
    typeof value === "number" ? [8 * number, ...varint(value)] : [8 * number + 2, ...varint(value.length), ...value];
  const entry = (shape: number[], offset: number, size: number) => [
    ...field(1, 1),
    ...field(
      2,
      shape.flatMap((n) => field(2, field(1, n))),
    ),
    ...field(4, offset),
    ...field(5, size),
  ];
  const block = (rows: [string, number[]][]) => {
    const body = rows.flatMap(([key, value]) => [
      0,
      ...varint(key.length),
      ...varint(value.length),
      ...Buffer.from(key),
      ...value,
    ]);
    return [...body, 0, 0, 0, 0, 1, 0, 0, 0];
  };
  const kernel = "module/bert/encoder/layer_0/attention/self/query/kernel";
  const data = block([
    ["", []],
    ["module/bert/embeddings/word_embeddings", entry([2, 3], 0, 24)],
    [kernel, entry([3, 2], 24, 24)],
  ]);
  const index = block([["z", [0, ...varint(data.length)]]]);
  const at = data.length + 5;
  const handles = [0, 0, ...varint(at), ...varint(index.length)];
  const magic = [...Buffer.from("57fb808b247547db", "hex")];
  const file = Buffer.from([
    ...data,
    0,
    0,
    0,
    0,
    0,
    ...index,
    0,
    0,
    0,
    0,
    0,
    ...handles,
    ...Array(40 - handles.length).fill(0),
    ...magic,
  ]);
  expect(bundleEntries(file).get(kernel)).toEqual({ type: 1, shape: [3, 2], shard: 0, offset: 24, size: 24 });
  const numbers = Buffer.from(Float32Array.from([1, 2, 3, 4, 5, 6, 10, 20, 30, 40, 50, 60]).buffer);
  const tensors = encoderTensors(file, numbers);
  const query = tensors.get("encoder.layer.0.attention.self.query.weight")!;
  expect(query.shape).toEqual([2, 3]);
  // A row for each output.
  expect([...new Float32Array(query.bytes.buffer)]).toEqual([10, 30, 50, 20, 40, 60]);
  expect(tensorName("module/bert/encoder/layer_3/output/LayerNorm/gamma")).toBe(
    "encoder.layer.3.output.LayerNorm.weight",
  );
  expect(tensorName("module/bert/pooler/dense/kernel")).toBeUndefined();
  expect(() => encoderTensors(file, numbers.subarray(0, 30))).toThrow("the file is incomplete");
  expect(() => bundleEntries(file.subarray(0, -3))).toThrow("not an index of variables");
});

it("prunes pieces, and refuses an encoder that lacks the script", () => {
  const { tokenizer } = tinyEncoder({ lowercase: false });
  const { vocabulary } = piecesOf(tokenizer, ["old", "mill", "the"]);
  expect(vocabulary).toEqual(expect.arrayContaining(["[UNK]", "[CLS]", "old", "mill", "the", "o", "##l"]));
  expect(vocabulary).not.toContain("boat");
  expect(() => piecesOf(tokenizer, ["мельница", "река"])).toThrow(
    /cannot read 100\.0 % of the words: its vocabulary lacks/,
  );
});

it("makes a package with a teacher, does nothing twice, and overwrites nothing when a score is too low", () => {
  const { safetensors, tokenizer, config } = tinyEncoder();
  // As bench/data/fetch-encoder.mjs names tensors.
  const root = data("whole", {
    "treebanks/xx_a-ud-train.conllu": treebank(40),
    "treebanks/xx_a-ud-dev.conllu": treebank(10),
    "text/more/xx.txt.gz": gzipSync("The boat sings.\n\nThe baker waits.\n\nThe girl turns.\n"),
    "encoders/tiny/model.safetensors": withoutPrefix(safetensors),
    "encoders/tiny/tokenizer.json": tokenizer,
    "encoders/tiny/config.json": config,
  });
  const table = (floors: Record<string, number>) => {
    const small = ["--width", "8", "--hidden", "8", "--layers", "1"];
    const languages = {
      xx: {
        treebanks: [{ name: "xx_a", parts: ["train", "dev"], licence: "CC BY-SA 4.0" }],
        text: { file: "xx.txt.gz", licence: "CC0", source: "a mill" },
        heldOut: 0.1,
        teacher: { encoder: "tiny", layers: 2, epochs: 1, options: small },
        student: { preset: "fast", epochs: 2 },
        silver: { words: 6 },
        largest: 1e6,
        floors,
      },
    };
    writeFileSync(join(root, "table.json"), JSON.stringify({ defaults: {}, languages }));
  };
  const args = [
    "--data",
    root,
    "--work",
    join(root, "work"),
    "--out",
    join(root, "out"),
    "--encoders",
    join(root, "encoders"),
  ];
  const run = () => make("xx", "--table", join(root, "table.json"), ...args);
  table({ LAS: 101 });
  const poor = run();
  expect(poor.stderr).toContain("(expected at least 101): no package was written");
  expect(poor.status).toBe(1);
  expect(existsSync(join(root, "out"))).toBe(false);
  table({ LAS: 50 });
  const second = run();
  expect(second.status, second.stderr).toBe(0);
  for (const step of ["gold", "text", "encoder", "teacher", "silver", "student", "scores"])
    expect(second.stderr).toContain(`xx: ${step}: there`);
  const made = join(root, "out/model-xx");
  expect(readdirSync(made)).toEqual(
    expect.arrayContaining(["xx.stemma", "package.json", "README.md", "node.js", "browser.js"]),
  );
  expect(readFileSync(join(made, "README.md"), "utf8")).toMatch(
    /xx_a\/.*CC BY-SA 4\.0[\s\S]*Text of a mill under CC0[\s\S]*\| LAS +\| +\d/,
  );
  const bytes = readFileSync(join(made, "xx.stemma"));
  // A step that is lost is done again, with the same bytes.
  writeFileSync(join(root, "work/xx/student.stemma"), "half");
  expect(run().status).toBe(0);
  expect(readFileSync(join(made, "xx.stemma")).equals(bytes)).toBe(true);
  expect(make("--treebanks", join(root, "none"), ...args).status).not.toBe(0);
  expect(make("yy", "--table", join(root, "table.json"), ...args).stderr).toContain("unknown: yy (expected xx)");
});

it("goes over a release of UD, and refuses what its licence does not permit", () => {
  const root = data("release", {
    "UD_Made-Up/xx_up-ud-train.conllu": treebank(30),
    "UD_Made-Up/xx_up-ud-dev.conllu": treebank(10),
    "UD_Made-Up/README.md": "# Summary\n\nLicense: CC BY-SA 4.0\n",
    "UD_Made-Closed/xx_closed-ud-train.conllu": treebank(30),
    "UD_Made-Closed/README.md": "License: CC BY-NC-SA 4.0\n",
  });
  const { stdout, status } = make("--treebanks", root, "--work", join(root, "work"));
  expect(stdout).toMatch(/\| xx_closed \| xx_closed: licence CC BY-NC-SA 4\.0 \(expected/);
  expect(stdout).toMatch(/\| xx_up \| 160 \| [\d.]+ \| [\d.]+ \| [\d.]+ \| [\d.]+ \| [\d.]+ \|/);
  expect(status).toBe(1);
});

/** The file with names that do not begin with "bert.". */
function withoutPrefix(file: Uint8Array): Uint8Array {
  const bytes = Buffer.from(file);
  const length = bytes.readUInt32LE(0);
  const { __metadata__, ...header } = JSON.parse(bytes.toString("utf8", 8, 8 + length));
  const text = JSON.stringify(
    Object.fromEntries(Object.entries(header).map(([name, entry]) => [name.slice(5), entry])),
  );
  const start = Buffer.alloc(8);
  start.writeUInt32LE(Buffer.byteLength(text), 0);
  return Buffer.concat([start, Buffer.from(text), bytes.subarray(8 + length)]);
}
