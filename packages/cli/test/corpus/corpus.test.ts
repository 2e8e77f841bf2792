// Corpora in parts: how they are divided, what kills do to them, and what a check finds.
import { spawn } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { toyTreebank } from "../../../core/test/toy-pipeline.js";
import { toyPipelineFile } from "../../../core/test/toy-pipeline-file.js";
import { atCuts } from "../../src/corpus/cuts.js";
import { type Plan, type PlannedInput, partsOf, shardOf, usualPartSize } from "../../src/corpus/plan.js";
import { parseShard, parseSize } from "../../src/corpus/shard-option.js";
import type { InputFormat } from "../../src/documents/inputs.js";
import { STEMMA, shell, stemma } from "../stemma.js";

let folder: string;
const path = (...names: string[]) => join(folder, ...names);
const file = (name: string, content: string | Uint8Array) => {
  writeFileSync(path(name), content);
  return name;
};
const run = (...args: string[]) => stemma(args, { cwd: folder });
const COMMON = ["--model", "toy.stemma", "--part-size", "6k"];
const sentence = (i: number) => ["Mina sells maps. ", "Rek doesn't like old ponds! ", "Toru finds lamps. "][i % 3]!;
const text = (i: number) => Array.from({ length: 1 + ((i * 7) % 11) }, (_, k) => sentence(i + k)).join("");

/** All files of a directory with their bytes. */
function contentOf(directory: string): Map<string, string> {
  const names = readdirSync(path(directory), { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  const files = names.map(({ parentPath, name }) => join(parentPath, name)).filter((name) => !name.endsWith(".tmp"));
  return new Map(files.map((name) => [name.slice(path(directory).length), readFileSync(name, "latin1")]));
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "stemma-corpus-"));
  file("toy.stemma", toyPipelineFile());
  const documents = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, i) => JSON.stringify({ id: `d${from + i}`, n: i, text: text(from + i) }));
  file("a.jsonl", documents(0, 200).join("\n"));
  file("b.jsonl.gz", gzipSync(`${documents(200, 260).join("\n")}\n`));
  file("c.jsonl", `${documents(260, 270).join("\r\n")}\nwrong\n`);
});

describe("a plan", () => {
  const input = (size: number, packed = false): PlannedInput => {
    return { file: `f${size}${packed}`, size, format: "jsonl", packed, weight: packed ? 4 * size : size };
  };

  test("has every byte in one part, and shards have every part once and are even", () => {
    const files = fc.array(fc.tuple(fc.nat(3000), fc.boolean()), { maxLength: 30 });
    fc.assert(
      fc.property(files, fc.integer({ min: 1, max: 500 }), fc.integer({ min: 1, max: 9 }), (sizes, partSize, count) => {
        const inputs = sizes.map(([size, packed], k) => ({ ...input(size, packed), file: `f${k}` }));
        const parts = partsOf({ inputs, partSize });
        const ends = new Map<string, number>();
        for (const { input, start, end } of parts.flatMap(({ segments }) => segments)) {
          expect(start).toBe(ends.get(input.file) ?? 0);
          if (input.packed) expect([start, end]).toEqual([0, input.size]);
          ends.set(input.file, end);
        }
        expect([...ends]).toEqual(inputs.map(({ file, size }) => [file, size]));
        const shards = Array.from({ length: count }, (_, index) => shardOf(parts, { index, count }));
        expect(shards.flat().sort((a, b) => a.number - b.number)).toEqual(parts);
        const loads = shards.map((shard) => shard.reduce((sum, { weight }) => sum + weight + 1, 0));
        const largest = Math.max(0, ...parts.map(({ weight }) => weight + 1));
        expect(Math.max(...loads) - Math.min(...loads)).toBeLessThanOrEqual(largest);
      }),
    );
  });

  test("puts small files together and cuts large ones into equal ranges", () => {
    const plan: Pick<Plan, "inputs" | "partSize"> = {
      partSize: 100,
      inputs: [input(30), input(60), input(20), input(250), input(70, true), input(10)],
    };
    const shown = partsOf(plan).map(({ segments }) => segments.map(({ start, end }) => [start, end]));
    expect(shown).toEqual([
      [
        [0, 30],
        [0, 60],
      ],
      [[0, 20]],
      [[0, 83]],
      [[83, 166]],
      [[166, 250]],
      [[0, 70]],
      [[0, 10]],
    ]);
    expect(usualPartSize([input(100)])).toBe(1 << 20);
    expect(usualPartSize([input(1 << 29), input(1 << 29)])).toBe(1 << 22);
    expect(usualPartSize([input(2 ** 50)])).toBe(1 << 26);
  });

  test("cuts files only where it may, whatever it is given", async () => {
    const paragraphs = Array.from({ length: 60 }, (_, i) => text(i) + "\n".repeat(1 + (i % 4))).join("");
    const treebank = toyTreebank(40, 1);
    const cases: [string, InputFormat, string, RegExp][] = [
      ["lines.jsonl", "jsonl", Array.from({ length: 90 }, (_, i) => `{"text":"${text(i)}"}`).join("\n"), /\n$/],
      ["p.txt", "text", paragraphs, /\n\n+$/],
      ["t.conllu", "conllu", treebank.map((each) => each.toConllu()).join(""), /\n\n$/],
    ];
    for (const [name, format, content, ending] of cases) {
      const planned = { file: path(file(name, content)), size: Buffer.byteLength(content), format, packed: false };
      for (const partSize of [1000, 1777, 5000]) {
        let at = 0;
        for (const { segments } of partsOf({ inputs: [{ ...planned, weight: planned.size }], partSize })) {
          for (const { start, end } of await Promise.all(segments.map(atCuts))) {
            expect(start).toBe(at);
            if (end > start && end < content.length) expect(content.slice(start, end)).toMatch(ending);
            at = end;
          }
        }
        expect(at).toBe(content.length);
      }
    }
    // Where documents begin, if the treebank says it.
    const documents = treebank.map((each, i) => (i % 4 === 0 ? `# newdoc id = ${i}\n` : "") + each.toConllu()).join("");
    const size = documents.length;
    const planned = {
      file: path(file("n.conllu", documents)),
      size,
      format: "conllu" as const,
      packed: false,
      weight: size,
    };
    for (const { segments } of partsOf({ inputs: [planned], partSize: 1500 })) {
      const { start, end } = await atCuts(segments[0]!);
      if (end > start) expect(documents.slice(start)).toMatch(/^# newdoc\b/);
    }
  });

  test("takes shards and sizes as they are written", () => {
    expect(parseShard("3/16")).toEqual({ index: 3, count: 16 });
    for (const wrong of ["8/8", "1", "-1/2", "a/b", "0/0"])
      expect(() => parseShard(wrong)).toThrow("expected its number");
    expect([parseSize("64m"), parseSize("1.5K"), parseSize("2gb")]).toEqual([1 << 26, 1536, 2 ** 31]);
    for (const wrong of ["0", "5", "x", "1t"]) expect(() => parseSize(wrong)).toThrow("expected a number of bytes");
  });
});

/** Kills shards again and again, and lets them end at last. */
async function killed(args: string[], kills: number): Promise<void> {
  let wait = 500;
  for (let k = 0; ; k++) {
    const child = spawn(process.execPath, [STEMMA, ...args], { cwd: folder, stdio: "ignore" });
    const timer = k < kills ? setTimeout(() => child.kill("SIGKILL"), wait * (0.3 + Math.random())) : undefined;
    const status = await new Promise((resolve) => child.on("close", resolve));
    clearTimeout(timer);
    if (status !== null) return expect(status).toBeLessThan(2);
    wait *= 1.2;
  }
}

describe("stemma parse --output-dir", () => {
  const INPUTS = ["a.jsonl", "b.jsonl.gz", "c.jsonl"];

  test("ends in the same bytes however often its shards are killed, and is what one run gives", async () => {
    const whole = run("parse", ...INPUTS, ...COMMON, "--output-dir", "whole");
    expect(whole.status).toBe(1);
    expect(whole.err).toContain("c.jsonl:11: invalid JSON: wrong (expected");
    const expected = contentOf("whole");
    expect(expected.size).toBeGreaterThan(15);
    const shard = (i: number) => [
      ...["parse", ...INPUTS, ...COMMON, "--output-dir", "killed", "--shard", `${i}/3`, "--resume", "--quiet"],
    ];
    await Promise.all([0, 1, 2].map((i) => killed(shard(i), 3)));
    expect(contentOf("killed")).toEqual(expected);
    expect(run("corpus", "check", "killed")).toMatchObject({
      status: 0,
      out: expect.stringMatching(/^complete: (\d+) of \1 parts, 270 documents, .*, 1 skipped\n$/),
    });
    // Repeated, with another number of shards, and in place of what is there.
    expect(run("parse", ...INPUTS, ...COMMON, "--output-dir", "killed", "--shard", "1/2").status).toBeLessThan(2);
    expect(contentOf("killed")).toEqual(expected);
    const again = run("parse", ...INPUTS, ...COMMON, "--output-dir", "killed", "--resume");
    expect(again.err).toMatch(/^(\d+) of \1 parts done, \1 of them before\nstemma: 1 document skipped, 270 read\n$/);
    expect(readdirSync(path("killed", "_manifests")).filter((name) => name.endsWith(".tmp"))).toEqual([]);
    // Without parts, but for lines that are none.
    const parts = [...expected].filter(([name]) => name.endsWith(".jsonl")).map(([, content]) => content);
    const direct = run("parse", "--model", "toy.stemma", "--quiet", ...INPUTS).out;
    expect(Buffer.from(parts.join(""), "latin1").toString()).toBe(direct);
  }, 240_000);

  test("has tables of the same rows, texts and treebanks, and packs parts", () => {
    const treebank = toyTreebank(60, 2).map((each, i) => `# sent_id = s${i}\n${each.toConllu()}`);
    file("t.conllu", treebank.join(""));
    file("long.txt", Array.from({ length: 40 }, (_, i) => text(i)).join("\n\n"));
    file("short.txt", text(3));
    expect(run("parse", "t.conllu", ...COMMON, "--output-dir", "trees", "--gzip").status).toBe(0);
    const parts = readdirSync(path("trees")).filter((name) => name.endsWith(".conllu.gz"));
    expect(parts.length).toBeGreaterThan(1);
    const unpacked = parts.map((name) => run("convert", join("trees", name)).out).join("");
    expect(unpacked).toBe(run("parse", "--model", "toy.stemma", "t.conllu").out);
    expect(run("parse", "short.txt", "long.txt", ...COMMON, "--output-dir", "texts", "--to", "parquet").status).toBe(0);
    const tables = readdirSync(path("texts")).filter((name) => name.endsWith(".parquet"));
    const rows = tables.map((name) => run("convert", "--from", "parquet", join("texts", name)).out).join("");
    const names = rows.match(/^# newdoc id = .*$/gm)!;
    expect(names.slice(0, 2)).toEqual(["# newdoc id = short.txt", "# newdoc id = long.txt"]);
    expect(names.slice(2).every((name) => /long\.txt@\d+$/.test(name))).toBe(true);
    const forms = (conllu: string) => conllu.match(/^\d+\t.*$/gm)!.map((line) => line.split("\t").slice(0, 8));
    expect(forms(rows)).toEqual(forms(run("parse", "--model", "toy.stemma", "short.txt", "long.txt").out));
    expect(run("corpus", "check", "texts").status).toBe(0);
  });

  test("is merged into the file of one run, if it is complete", () => {
    const bytes = (name: string) => readFileSync(path(name)).toString("latin1");
    run("parse", ...INPUTS, "--model", "toy.stemma", "-o", "one.jsonl");
    expect(run("corpus", "merge", "whole", "-o", "merged.jsonl")).toEqual({ status: 0, out: "", err: "" });
    expect(bytes("merged.jsonl")).toBe(bytes("one.jsonl"));
    const tables = ["--model", "toy.stemma", "--to", "parquet", "--scores"];
    run("parse", ...INPUTS, ...tables, "-o", "one.parquet");
    run("parse", ...INPUTS, ...tables, "--part-size", "6k", "--output-dir", "tables");
    expect(run("corpus", "merge", "tables", "-o", "merged.parquet")).toEqual({ status: 0, out: "", err: "" });
    expect(bytes("merged.parquet")).toBe(bytes("one.parquet"));
    run("parse", "a.jsonl", ...COMMON, "--output-dir", "packed", "--gzip");
    expect(run("corpus", "merge", "packed").out).toBe(run("parse", "a.jsonl", "--model", "toy.stemma").out);
    for (const [folder, ending] of [
      ["whole", "jsonl"],
      ["tables", "parquet"],
      ["packed", "jsonl.gz"],
    ]) {
      cpSync(path(folder!), path("spoilt"), { recursive: true });
      const name = join("spoilt", `part-00001.${ending}`);
      const spoilt = readFileSync(path(name));
      spoilt[spoilt.length >> 1]! ^= 1;
      file(name, spoilt);
      const damaged = run("corpus", "merge", "spoilt", "-o", "none");
      expect(damaged).toMatchObject({ status: 2, out: "", err: expect.stringContaining(name) });
      rmSync(path("spoilt", "_manifests", "part-00001.json"));
      expect(run("corpus", "merge", "spoilt", "-o", "none").err).toBe(
        `${name}: is missing (expected a complete corpus: stemma parse --resume makes what is missing)\n`,
      );
      expect(existsSync(path("none"))).toBe(false);
      rmSync(path("spoilt"), { recursive: true });
    }
  });

  test("keeps corpora of other inputs, models and options apart, and names what cannot be read", () => {
    const into = (...args: string[]) => run("parse", ...args, "--output-dir", "whole", "--resume");
    const refused = (...args: string[]) => {
      const { status, err } = into(...args);
      expect(status).toBe(2);
      return err;
    };
    expect(refused(...INPUTS, "--part-size", "6k")).toContain("is of another model: ");
    expect(refused(...INPUTS, ...COMMON, "--scores")).toContain("is of other options: ");
    expect(refused(...INPUTS, "--model", "toy.stemma")).toContain("is of another --part-size: 6144, not 1048576");
    expect(refused("a.jsonl", ...COMMON)).toContain("is of other inputs");
    expect(refused(...INPUTS, "a.jsonl", ...COMMON)).toContain("a.jsonl: is given twice");
    expect(refused("Some text.", ...COMMON)).toContain('"Some text.": cannot be parsed into --output-dir');
    const packed = readFileSync(path("b.jsonl.gz"));
    file("torn.jsonl.gz", packed.subarray(0, packed.length - 40));
    const torn = run("parse", "a.jsonl", "torn.jsonl.gz", ...COMMON, "--output-dir", "torn");
    expect(torn.status).toBe(2);
    expect(torn.err).toMatch(/torn\.jsonl\.gz: cannot read: the gzip data ends too early: part-\d+ is not there\n/);
    expect(run("corpus", "check", "torn")).toMatchObject({ status: 1, out: expect.stringMatching(/^not complete: /) });
    expect(readdirSync(path("torn", "_manifests")).some((name) => name.endsWith(".tmp"))).toBe(false);
  });

  test.skipIf(process.platform === "win32")("leaves nothing behind where there is no room, and goes on later", () => {
    const args = ["parse", ...INPUTS, ...COMMON, "--output-dir", "full", "--resume"];
    const line = `ulimit -f 100; $stemma ${args.join(" ")}`;
    const { status, err } = shell(line, { cwd: folder });
    expect([status, err]).toEqual([2, expect.stringContaining("the file would be larger than permitted")]);
    expect([...contentOf("full").keys()].filter((name) => !name.includes("_manifests")).length).toBeLessThan(8);
    expect(readdirSync(path("full", "_manifests")).some((name) => name.endsWith(".tmp"))).toBe(false);
    expect(run(...args).status).toBe(1);
    expect(contentOf("full")).toEqual(contentOf("whole"));
  });

  test("a line of a range has its number in the whole file", () => {
    const lines = readFileSync(path("a.jsonl"), "utf8").split("\n");
    lines[150] = "{}";
    // More of them than anybody wants to read.
    const empty = Array.from({ length: 500 }, () => "{}");
    file("e.jsonl", [...lines, ...empty].join("\n"));
    const { err } = run("parse", "e.jsonl", ...COMMON, "--output-dir", "e", "--quiet");
    expect(err).toContain('e.jsonl:151: invalid field "text": missing');
    const manifests = [...contentOf("e")]
      .filter(([name]) => /_manifests.part/.test(name))
      .map(([, json]) => JSON.parse(json));
    const problems = manifests.flatMap(({ problems }) => problems) as { kind: string; message: string }[];
    expect(problems.map(({ kind }) => kind)).toEqual(Array.from({ length: 501 }, () => 'field "text"'));
    const numbers = problems.map(({ message }) => Number(/^e\.jsonl:(\d+): /.exec(message)![1]));
    expect(numbers).toEqual([151, ...empty.map((_, i) => lines.length + 1 + i)]);
    // In the place of each, with what is wrong with it.
    expect(
      run("parse", "e.jsonl", ...COMMON, "--output-dir", "kept", "--error-field", "error", "--quiet"),
    ).toMatchObject({ status: 1, err: "stemma: 501 documents skipped, 199 read\n" });
    const kept = [...contentOf("kept")].filter(([name]) => name.endsWith(".jsonl")).map(([, content]) => content);
    const rows = kept.join("").trimEnd().split("\n");
    expect(rows).toHaveLength(700);
    expect(JSON.parse(rows[150]!)).toEqual({ error: expect.stringContaining("e.jsonl:151: ") });
    expect(run("parse", "e.jsonl", ...COMMON, "--output-dir", "kept", "--resume").err).toContain("is of other options");
  });
});

describe("stemma corpus check", () => {
  /** The problems found in a corpus after something was done to it. */
  function problems(change: (directory: string) => void, ...options: string[]): string[] {
    const directory = mkdtempSync(path("damaged-"));
    cpSync(path("whole"), directory, { recursive: true });
    change(directory);
    const { status, out } = run("corpus", "check", directory, "--json", ...options);
    const report = JSON.parse(out) as { complete: boolean; problems: string[] };
    expect(report.complete).toBe(report.problems.length === 0);
    expect(status).toBe(report.complete ? 0 : 1);
    return report.problems;
  }
  const part = (directory: string, k: number) => join(directory, `part-0000${k}.jsonl`);
  const manifest = (directory: string, k: number) => join(directory, "_manifests", `part-0000${k}.json`);
  const edit = (name: string, change: (text: string) => string) =>
    writeFileSync(name, change(readFileSync(name, "latin1")), "latin1");

  test("finds what is missing, damaged, double, or of something else", () => {
    expect(problems(() => {})).toEqual([]);
    expect(problems((d) => rmSync(part(d, 1)))).toEqual([
      expect.stringMatching(/^part-00001: .*cannot read: no such file/),
    ]);
    expect(problems((d) => rmSync(manifest(d, 2)))).toEqual(["part-00002: is missing: there is no manifest"]);
    expect(problems((d) => edit(manifest(d, 2), (text) => text.slice(0, 50)))[0]).toContain("its manifest is damaged");
    expect(problems((d) => edit(part(d, 3), (text) => text.slice(0, -1)))[0]).toMatch(
      /^part-00003: is damaged: it has \d+ bytes/,
    );
    expect(problems((d) => edit(part(d, 3), (text) => text.replace("Mina", "Nina")))[0]).toContain(
      "is damaged: its SHA-256 is",
    );
    expect(problems((d) => cpSync(part(d, 1), part(d, 99)))).toEqual([
      expect.stringContaining("is no part of this corpus"),
    ]);
    const swap = (d: string) => {
      for (const name of [part, manifest]) {
        renameSync(name(d, 1), `${name(d, 1)}.x`);
        renameSync(name(d, 2), name(d, 1));
        renameSync(`${name(d, 1)}.x`, name(d, 2));
      }
    };
    expect(problems(swap)[0]).toMatch(/^part-00001: is part 2 of \d+ \(expected 1 of \d+\)$/);
    const other = (from: string, to: string) => (d: string) => edit(manifest(d, 1), (text) => text.replace(from, to));
    expect(problems(other('"stemma": "', '"stemma": "9.'))[0]).toContain("is of another version: 9.");
    expect(problems(other('"model": "', '"model": "f'))[0]).toContain("is of another model: f");
    expect(problems(other('"plan": "', '"plan": "f'))[0]).toContain("is of another corpus");
    expect(problems((d) => edit(manifest(d, 1), (text) => text.replace(/"end": (\d+)/, '"end": 1$1')))[0]).toContain(
      "part-00001",
    );
    // Temporary files of killed runs do no harm.
    expect(problems((d) => writeFileSync(join(d, "_manifests", "part-00001.jsonl.host.1.tmp"), "x"))).toEqual([]);
    expect(run("corpus", "check", ".").err).toContain(
      "(expected a directory that stemma parse --output-dir has written)",
    );
    expect(run("corpus", "mend", "whole")).toMatchObject({
      status: 2,
      err: expect.stringContaining("(expected status, check, retry or merge)"),
    });
  });

  test("finds inputs that have changed, and --resume mends what is damaged", () => {
    const before = readFileSync(path("a.jsonl"), "utf8");
    const changed = problems(() => file("a.jsonl", before.replace("Mina", "Lopa")));
    expect(changed[0]).toMatch(/^part-00000: was made of another a\.jsonl: bytes 0 to \d+ have changed$/);
    expect(problems(() => {}, "--no-inputs")).toEqual([]);
    expect(problems(() => file("a.jsonl", `${before} `)).at(-1)).toContain("a.jsonl: the input has");
    file("a.jsonl", before);
    mkdirSync(path("mended"));
    cpSync(path("whole"), path("mended"), { recursive: true });
    edit(part(path("mended"), 1), (text) => text.replace("Mina", "Nina"));
    rmSync(part(path("mended"), 2));
    edit(manifest(path("mended"), 3), () => "{");
    const inputs = ["a.jsonl", "b.jsonl.gz", "c.jsonl"];
    const { err } = run("parse", ...inputs, ...COMMON, "--output-dir", "mended", "--resume");
    expect(err).toMatch(/^(\d+) of \1 parts done, \d+ of them before\n/);
    expect(contentOf("mended")).toEqual(contentOf("whole"));
  });
});

test("a directory stands for its files, and --allow-skipped counts what was skipped as done", () => {
  mkdirSync(path("input"));
  for (const name of ["a.jsonl", "b.jsonl.gz", "c.jsonl"]) cpSync(path(name), path("input", name));
  file("input/.hidden", "no document");
  const parse = (output: string, ...more: string[]) => run("parse", "--output-dir", output, ...COMMON, ...more);
  expect(parse("named", "input/a.jsonl", "input/b.jsonl.gz", "input/c.jsonl").status).toBe(1);
  const whole = parse("by-directory", "input", "--allow-skipped", "--quiet");
  expect(whole).toMatchObject({ status: 0, err: expect.stringContaining("c.jsonl:11") });
  expect(contentOf("by-directory")).toEqual(contentOf("named"));
  mkdirSync(path("empty"));
  expect(parse("none", "empty")).toMatchObject({ status: 2, err: "empty: cannot read: a directory without files\n" });
});

test("the status of a corpus: parts, words and failures of all shards, from manifests only", () => {
  const status = () => {
    const { out, status, err } = run("corpus", "status", "status", "--json");
    expect(err).toBe("");
    return { exit: status, ...JSON.parse(out) };
  };
  const shard = (index: number) =>
    run("parse", "a.jsonl", "c.jsonl", "--output-dir", "status", "--shard", `${index}/2`, ...COMMON, "--quiet");
  expect(shard(0).status).toBeLessThan(2);
  const half = status();
  expect(half).toMatchObject({ exit: 1, wrong: 0, unfinished: 0 });
  expect(half.done).toBeGreaterThan(1);
  expect(half.share).toBeGreaterThan(0.2);
  expect(half.share).toBeLessThan(0.8);
  expect(half.secondsLeft).toBeGreaterThan(0);
  expect(shard(1).status).toBeLessThan(2);
  const checked = JSON.parse(run("corpus", "check", "status", "--json").out);
  const { documents, sentences, words, parts } = checked;
  expect(status()).toMatchObject({ exit: 0, done: parts, share: 1, secondsLeft: 0, documents, sentences, words });
  expect(status().failures).toEqual({ JSON: 1 });
  expect(run("corpus", "status", "status").out).toMatch(/ parts \(100 %\), .* words\/s\n1 skipped: invalid JSON\n$/);
  expect(run("corpus", "status", ".").err).toContain("expected a directory that stemma parse --output-dir has written");
});

describe("stemma corpus retry", () => {
  const retried = (directory: string, ...more: string[]) =>
    run("corpus", "retry", directory, "--model", "toy.stemma", "--quiet", ...more);

  test("makes what is missing or damaged with the inputs and options of the plan", () => {
    const cases: [string, string[]][] = [
      ["plain", ["a.jsonl", "b.jsonl.gz", "c.jsonl"]],
      [
        "other",
        [
          ...["a.jsonl", "c.jsonl", "--to", "jsonl", "--scores", "--offsets", "--beam", "2", "--gzip"],
          ...["--text-field", "text", "--id-field", "id", "--error-field", "why"],
        ],
      ],
      ["table", ["a.jsonl", "--to", "parquet"]],
      ["lines", ["a.jsonl", "--from", "lines", "--to", "conllu"]],
    ];
    for (const [name, args] of cases) {
      const directory = `retry-${name}`;
      expect(run("parse", ...args, ...COMMON, "--output-dir", directory, "--quiet").status, name).toBeLessThan(2);
      const whole = contentOf(directory);
      const parts = [...whole.keys()].filter((part) => !part.includes("_manifests")).sort();
      rmSync(path(directory, parts[0]!));
      writeFileSync(path(directory, parts[1]!), "damaged");
      rmSync(path(directory, "_manifests", "part-00002.json"));
      const { status, err } = retried(directory, "--threads", "2");
      expect(status, err).toBeLessThan(2);
      expect(contentOf(directory)).toEqual(whole);
    }
  });

  test("needs the model of the corpus, and a corpus", () => {
    expect(run("corpus", "retry", "retry-plain")).toMatchObject({
      status: 2,
      err: expect.stringContaining("is of another model: "),
    });
    expect(retried("input").err).toContain("(expected a directory that stemma parse --output-dir has written)");
    expect(retried("retry-plain", "--threads", "many").status).toBe(2);
  });

  test("parses a line that was mended in place", () => {
    const lines = Array.from({ length: 100 }, (_, i) => JSON.stringify({ id: `d${i}`, text: text(i) }));
    const wrong = lines.map((line, i) => (i === 40 ? line.replace("{", "[") : line));
    file("mended.jsonl", wrong.join("\n"));
    expect(run("parse", "mended.jsonl", ...COMMON, "--output-dir", "mended-corpus", "--quiet").status).toBe(1);
    expect(retried("mended-corpus").status).toBe(1);
    file("mended.jsonl", lines.join("\n"));
    expect(retried("mended-corpus").status).toBe(0);
    expect(run("corpus", "merge", "mended-corpus").out).toBe(run("parse", "mended.jsonl", "--model", "toy.stemma").out);
  });
});
