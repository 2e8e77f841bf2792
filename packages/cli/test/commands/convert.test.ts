import { type ChildProcess, spawn } from "node:child_process";
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { STEMMA } from "../stemma.js";

// The real command in its own process: exit status, pipes and signals are what is tested. Needs `npm run build`.

const folder = mkdtempSync(join(tmpdir(), "stemma-convert-"));
afterAll(() => rmSync(folder, { recursive: true }));
beforeEach(() => {
  for (const name of readdirSync(folder)) rmSync(join(folder, name));
});

const sentence = (form: string, head: number | string = 0) =>
  `# text = ${form}\n1\t${form}\t_\t_\t_\t_\t${head}\troot\t_\t_\n\n`;
const GOOD = sentence("Guten") + sentence("Tag");
const BAD = sentence("Guten") + sentence("falsch", 4) + sentence("Tag");

function file(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

function start(...args: string[]): ChildProcess {
  return spawn(process.execPath, [STEMMA, "convert", ...args], { cwd: folder });
}

async function run(args: string[], input: string | Uint8Array = "") {
  const child = start(...args);
  let stdout = "";
  let stderr = "";
  child.stdout!.setEncoding("utf8").on("data", (text) => (stdout += text));
  child.stderr!.setEncoding("utf8").on("data", (text) => (stderr += text));
  child.stdin!.on("error", () => {}).end(input);
  const status = await new Promise((resolve) => child.on("close", (code, signal) => resolve(code ?? signal)));
  return { stdout, stderr, status };
}

const fine = { stdout: GOOD, stderr: "", status: 0 };

describe("reads", () => {
  test("a file, standard input, and gzip of both whatever its name", async () => {
    const packed = gzipSync(GOOD);
    expect(await run([file("a.conllu", GOOD)])).toEqual(fine);
    expect(await run([file("b.txt", packed)])).toEqual(fine);
    expect(await run([], GOOD)).toEqual(fine);
    expect(await run(["-"], packed)).toEqual(fine);
    const parts = Buffer.concat([gzipSync(sentence("Guten")), gzipSync(sentence("Tag"))]);
    expect(await run([file("c.gz", parts)])).toEqual(fine);
    expect(await run([file("d.gz", GOOD)])).toEqual(fine);
    expect(await run([], "")).toEqual({ stdout: "", stderr: "", status: 0 });
    expect(await run([], "#")).toEqual({ stdout: "#", stderr: "", status: 0 });
  });

  test("a sentence at a time", async () => {
    const child = start();
    const answer = new Promise((resolve) => child.stdout!.once("data", (data) => resolve(String(data))));
    child.stdin!.write(GOOD);
    expect(await answer).toBe(GOOD);
    child.stdin!.end();
  });
});

describe("errors", () => {
  const message = "4:7: invalid HEAD: 4 (expected 0 to 1: the sentence has 1 word)".replace("4:", "5:");

  test("skip the sentence, say where, and go on", async () => {
    expect(await run([file("bad.conllu", BAD)])).toEqual({
      stdout: GOOD,
      stderr: `${join(folder, "bad.conllu")}:${message}: sentence skipped\nstemma: 1 sentence skipped, 2 read\n`,
      status: 1,
    });
  });

  test("stop with --strict, after what came before", async () => {
    const expected = { stdout: sentence("Guten"), stderr: `<stdin>:${message}\n`, status: 1 };
    expect(await run(["--strict"], BAD)).toEqual(expected);
  });

  test("--require-tree, --single-root, --allow-non-trees", async () => {
    const heads = (a: string, b: string) => `1\ta\t_\t_\t_\t_\t${a}\t_\t_\t_\n2\tb\t_\t_\t_\t_\t${b}\t_\t_\t_\n\n`;
    expect(await run([], heads("_", "0") + heads("0", "0"))).toMatchObject({ status: 0 });
    expect(await run(["--require-tree"], heads("_", "0"))).toMatchObject({ status: 1, stdout: "" });
    expect(await run(["--single-root"], heads("0", "0"))).toMatchObject({ status: 1, stdout: "" });
    expect(await run(["--allow-non-trees"], heads("2", "1"))).toMatchObject({ status: 0, stdout: heads("2", "1") });
  });

  test("of usage and files have status 2", async () => {
    const missing = await run(["nosuch.conllu"]);
    expect(missing).toMatchObject({ stderr: "nosuch.conllu: cannot read: no such file or directory\n", status: 2 });
    expect(await run([folder])).toMatchObject({ stderr: `${folder}: cannot read: is a directory\n`, status: 2 });
    const nowhere = await run(["-o", "no/where.conllu"], GOOD);
    expect(nowhere).toMatchObject({ stderr: "no/where.conllu: cannot write: no such file or directory\n", status: 2 });
    const format = await run(["--to", "xml"]);
    expect(format).toMatchObject({ stdout: "", status: 2 });
    expect(format.stderr).toContain("conllu, conllx, conll09, json");
  });

  test("in gzip come after the sentences before them", async () => {
    const many = GOOD.repeat(20_000);
    const cut = gzipSync(many).subarray(0, -20);
    const { stdout, stderr, status } = await run([file("cut.gz", cut)]);
    expect(stdout.length).toBeGreaterThan(many.length / 2);
    expect(many.startsWith(stdout)).toBe(true);
    expect(stderr).toBe(`${join(folder, "cut.gz")}: cannot read: the gzip data ends too early\n`);
    expect(status).toBe(2);
  });
});

describe("writes", () => {
  test("a file only when it is complete", async () => {
    const path = file("out.conllu", "before");
    expect(await run(["--strict", "--output", path], BAD)).toMatchObject({ stdout: "", status: 1 });
    expect(readFileSync(path, "utf8")).toBe("before");
    expect(await run(["--output", path], BAD)).toMatchObject({ stdout: "", status: 1 });
    expect(readFileSync(path, "utf8")).toBe(GOOD);
    expect(await run(["--output", path, path])).toMatchObject({ stdout: "", stderr: "", status: 0 });
    expect(readFileSync(path, "utf8")).toBe(GOOD);
    expect(readdirSync(folder)).toEqual(["out.conllu"]);
  });

  test.skipIf(process.platform === "win32")("through links, and to devices directly", async () => {
    const path = file("target.conllu", "before");
    symlinkSync(path, join(folder, "link.conllu"));
    expect(await run(["-o", "link.conllu"], GOOD)).toMatchObject({ status: 0 });
    expect(readFileSync(path, "utf8")).toBe(GOOD);
    expect(await run(["-o", "/dev/null"], GOOD)).toMatchObject({ status: 0, stderr: "" });
    expect(statSync("/dev/null").isCharacterDevice()).toBe(true);
  });

  test.skipIf(process.platform === "win32")("and leaves nothing behind when it is stopped", async () => {
    const child = start("-o", "stopped.conllu");
    const ended = new Promise((resolve) => child.on("close", (_, signal) => resolve(signal)));
    child.stdin!.write(GOOD);
    while (readdirSync(folder).length === 0) await sleep(10);
    await sleep(50);
    child.kill("SIGTERM");
    expect(await ended).toBe("SIGTERM");
    expect(readdirSync(folder)).toEqual([]);
  });

  test("to a reader that goes away without a word, with the status of SIGPIPE", async () => {
    const child = start(file("long.conllu", GOOD.repeat(50_000)));
    let stderr = "";
    child.stderr!.on("data", (text) => (stderr += text));
    child.stdout!.once("data", () => child.stdout!.destroy());
    expect(await new Promise((resolve) => child.on("close", resolve))).toBe(141);
    expect(stderr).toBe("");
  });
});

describe("converts", () => {
  test("and says once what it leaves out", async () => {
    const conllx = await run(["--to", "conllx"], GOOD);
    expect(conllx).toEqual({
      stdout: GOOD.replace(/#.*\n/g, ""),
      stderr: "stemma: left out because conllx cannot represent them: 2 comments\n",
      status: 0,
    });
    const back = await run(["--from", "conllx", "--to", "conllx"], conllx.stdout);
    expect(back).toEqual({ stdout: conllx.stdout, stderr: "", status: 0 });
  });

  test("to JSON and back", async () => {
    const json = await run(["--to", "json"], GOOD);
    expect(
      json.stdout
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line).text),
    ).toEqual(["Guten", "Tag"]);
    expect(await run(["--from", "json"], json.stdout)).toEqual(fine);
  });
});

const ENGLISH = fileURLToPath(new URL("../../../../../shared/treebanks/en_ewt-ud-dev.conllu", import.meta.url));
if (!existsSync(ENGLISH)) console.log("skipped: conversion of the English treebank, ../shared/treebanks is not there");
test.skipIf(!existsSync(ENGLISH))("the English treebank comes back byte for byte, also through JSON", async () => {
  expect(await run(["-o", "copy.conllu", ENGLISH])).toEqual({ stdout: "", stderr: "", status: 0 });
  await run(["-o", "copy.json", "--to", "json", ENGLISH]);
  await run(["-o", "again.conllu", "--from", "json", "copy.json"]);
  for (const name of ["copy.conllu", "again.conllu"]) {
    expect(readFileSync(join(folder, name)).equals(readFileSync(ENGLISH))).toBe(true);
  }
});
