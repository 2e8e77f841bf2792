import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { readTreebank } from "@stemma/core";
import { Matcher } from "@stemma/core/search";
import { afterAll, describe, expect, test } from "vitest";
import { matchText } from "../../src/searching/match-output.js";
import { hunks } from "../../src/searching/unified-diff.js";
import { runStemma, STEMMA } from "../stemma.js";

const folder = mkdtempSync(join(tmpdir(), "stemma-search-"));
afterAll(() => rmSync(folder, { recursive: true }));

const word = (id: number, form: string, upos: string, head: number, deprel: string, misc = "_") =>
  `${id}\t${form}\t${form.toLowerCase()}\t${upos}\t_\t_\t${head}\t${deprel}\t_\t${misc}\n`;
const BIRDS = `# sent_id = b\n${word(1, "Birds", "NOUN", 2, "nsubj")}${word(2, "sing", "VERB", 0, "root", "SpaceAfter=No")}${word(3, ".", "PUNCT", 2, "punct")}\n`;
const FISH = `# sent_id = f\n${word(1, "Fish", "NOUN", 2, "nsubj")}${word(2, "eat", "VERB", 0, "root")}${word(3, "fish", "NOUN", 2, "obj")}\n`;
const OH = `# sent_id = o\n${word(1, "Oh", "INTJ", 0, "root")}\n`;
const ALL = BIRDS + FISH + OH;

function file(name: string, content: string | Uint8Array): string {
  writeFileSync(join(folder, name), content);
  return name;
}

const search = (args: string[], input: string | Uint8Array = "") =>
  runStemma(["search", ...args], { input, cwd: folder });
const NOUN = "{upos:NOUN}=n";

describe("reads", () => {
  const found = (name: string) =>
    `${name}:1: [Birds]=n sing.\n${name}:6: [Fish]=n eat fish\n${name}:6: Fish eat [fish]=n\n`;

  test("files, several of them, gzip, and standard input", async () => {
    const plain = file("a.conllu", ALL);
    const packed = file("b.conllu.gz", gzipSync(ALL));
    expect(await search([NOUN, plain, packed])).toEqual({
      stdout: found(plain) + found(packed),
      stderr: "",
      status: 0,
    });
    expect(await search([NOUN], ALL)).toEqual({ stdout: found("<stdin>"), stderr: "", status: 0 });
    expect((await search([NOUN, "-"], gzipSync(ALL))).stdout).toBe(found("<stdin>"));
  });

  test("CoNLL-X and JSON", async () => {
    const x = ALL.replace(/^#.*\n/gm, "");
    expect((await search(["--count", "--from", "conllx", NOUN, file("a.conllx", x)])).stdout).toBe("3\n");
    const { stdout } = await runStemma(["convert", "--to", "json"], { input: ALL });
    expect((await search(["--count", NOUN, file("a.jsonl", stdout)])).stdout).toBe("3\n");
  });

  test("treebanks that are no trees", async () => {
    const cycle = word(1, "a", "X", 2, "dep") + word(2, "b", "X", 1, "dep");
    expect(await search(["--count", "{} >> {}"], `${cycle}\n`)).toEqual({ stdout: "2\n", stderr: "", status: 0 });
  });

  const hasModel = existsSync(fileURLToPath(new URL("../../../model-en/en.stemma", import.meta.url)));
  test.skipIf(!hasModel)("text, which is parsed", async () => {
    const pattern = "{}=verb >obj {}=object";
    const expected = "1: They [bought]=verb a [house]=object.\n2: She [likes]=verb [it]=object.\n";
    const text = "They bought a house. She likes it.";
    expect(await search([pattern, text])).toEqual({ stdout: expected, stderr: "", status: 0 });
    expect((await search(["--threads", "2", pattern], text)).stdout).toBe(
      expected.replace(/^/gm, "<stdin>:").slice(0, -8),
    );
    expect((await search([pattern, file("a.txt", text)])).stdout).toMatch(/^a\.txt:1: They \[bought\]/);
    const { stdout } = await search(["--to", "conllu", "{lemma:like}", text]);
    expect(stdout).toMatch(/^# sent_id = 2\n# text = She likes it\.\n# match = 1:2\n1\tShe/);
  });
});

describe("writes", () => {
  test("CoNLL-U, each matching sentence once with its matches", async () => {
    const marked = FISH.replace("# sent_id = f\n", "# sent_id = f\n# match = n:1\n# match = n:3\n");
    const { stdout, status } = await search(["--to", "conllu", `${NOUN} < {lemma:eat} `, file("a.conllu", ALL)]);
    expect(stdout).toBe(marked.replaceAll("n:1\n", "n:1 2:2\n").replaceAll("n:3\n", "n:3 2:2\n"));
    expect(status).toBe(0);
  });

  test("CoNLL-U that can be read again, whatever the files begin and end with", async () => {
    const one = file("bom.conllu", `\ufeff\n\n${BIRDS.slice(0, -1)}`);
    const two = file("crlf.conllu", FISH.replaceAll("\n", "\r\n"));
    const { stdout } = await search(["--to", "conllu", "{upos:VERB}", one, two]);
    const again = await runStemma(["convert", "--strict"], { input: stdout });
    expect({ ...again, stderr: "" }).toEqual({ stdout, stderr: "", status: 0 });
    expect(stdout).toMatch(/^# sent_id = b\n# match = 1:2\n1\tBirds/);
    expect(stdout).toContain("# sent_id = f\r\n# match = 1:2\r\n1\tFish");
  });

  test("JSON", async () => {
    const { stdout } = await search(["--json", `${NOUN} <nsubj {} ?>det {}=d`, file("a.conllu", ALL)]);
    const lines = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines).toHaveLength(2);
    expect(lines[0]).toMatchObject({ file: "a.conllu", line: 1, id: "b", text: "Birds sing.", nodes: [1, 2, 0] });
    expect(Object.keys(lines[0].captures)).toEqual(["n"]);
    expect(lines[0].captures.n).toMatchObject({ id: 1, form: "Birds", lemma: "birds", upos: "NOUN", head: 2 });
  });

  test("counts and groups", async () => {
    const name = file("a.conllu", ALL);
    expect((await search(["--count", NOUN, name])).stdout).toBe("3\n");
    expect((await search(["--count", "--json", NOUN, name])).stdout).toBe('{"matches":3,"matching":2,"sentences":3}\n');
    expect((await search(["--count-by", "n.lemma", NOUN, name])).stdout).toBe("2  fish\n1  birds\n");
    expect((await search(["--count-by", "lemma, n.deprel,sentence.id", NOUN, name])).stdout).toBe(
      "1  birds  nsubj  b\n1  fish   nsubj  f\n1  fish   obj    f\n",
    );
    expect((await search(["--count-by", "x.lemma", "{upos:VERB} ?>obj {}=x", name])).stdout).toBe("1  _\n1  fish\n");
    expect((await search(["--json", "--count-by", "lemma", "--limit", "1", NOUN, name])).stdout).toBe(
      '{"values":["fish"],"count":2}\n',
    );
    expect((await search(["--group-by", "lemma", "--limit", "1", NOUN, name])).stdout).toBe(
      "fish (2)\n  a.conllu:6: [Fish]=n eat fish\n\nbirds (1)\n  a.conllu:1: [Birds]=n sing.\n",
    );
  });

  test("sentences without a match", async () => {
    const name = file("a.conllu", ALL);
    expect(await search(["--not", NOUN, name])).toEqual({ stdout: "a.conllu:11: Oh\n", stderr: "", status: 0 });
    expect((await search(["--not", "--to", "conllu", NOUN, name])).stdout).toBe(OH);
    expect((await search(["--not", "--count", NOUN, name])).stdout).toBe("1\n");
    expect((await search(["--not", "{}", name])).status).toBe(1);
  });

  test("as many as wanted", async () => {
    const name = file("a.conllu", ALL.repeat(50_000));
    expect((await search(["--limit", "2", NOUN, name])).stdout.split("\n")).toHaveLength(3);
  });

  test("words of a multiword token, and no control characters", async () => {
    const token = `1-2\tdon't\t_\t_\t_\t_\t_\t_\t_\t_\n${word(1, "do", "AUX", 3, "aux")}${word(2, "n't", "PART", 3, "advmod")}`;
    const text = `${token}${word(3, "g\x1bo", "VERB", 0, "root")}\n`;
    expect((await search(["{upos:PART}"], text)).stdout).toMatch(/^<stdin>:1: do \[n't\] g.o\n$/);
    expect((await search(["{upos:VERB}"], text)).stdout).toMatch(/^<stdin>:1: don't \[g.o\]\n$/);
    expect((await search(["{upos:VERB}"], text)).stdout).not.toContain("\x1b");
  });

  test("to a file", async () => {
    await search(["-o", "found.txt", NOUN, file("a.conllu", ALL)]);
    expect(readFileSync(join(folder, "found.txt"), "utf8")).toContain("[Birds]=n");
  });
});

test("the same with any number of threads", async () => {
  const name = file("many.conllu", Array.from({ length: 3_000 }, (_, i) => (i % 3 ? FISH : BIRDS)).join(""));
  for (const options of [
    [],
    ["--count-by", "lemma"],
    ["--to", "conllu"],
    ["--limit", "1000"],
    ["--group-by", "lemma"],
  ]) {
    const one = await search([...options, NOUN, name]);
    expect(await search([...options, "--threads", "2", "--threads", "2", NOUN, name])).toEqual(one);
    expect(one.status).toBe(0);
  }
});

test("colours in place of brackets on a terminal", () => {
  const [sentence] = readTreebank(BIRDS);
  const matcher = new Matcher("{upos:VERB} >nsubj {}=n");
  const [found] = matcher.match(sentence!);
  expect(matchText(sentence!, found, matcher.names, true)).toBe(
    "\x1b[1;32mBirds\x1b[0m\x1b[2m=n\x1b[0m \x1b[1;31msing\x1b[0m.",
  );
  const diff = hunks("a\nb\n", "a\nc\n", { oldLine: 1, newLine: 1 }, true);
  expect(diff).toBe("\x1b[36m@@ -1,2 +1,2 @@\x1b[0m\n a\n\x1b[31m-b\x1b[0m\n\x1b[32m+c\x1b[0m\n");
});

test("the first match comes before the input has ended", async () => {
  const child = spawn(process.execPath, [STEMMA, "search", NOUN, "-"], { cwd: folder });
  child.stdin.write(ALL);
  const first = await new Promise((resolve) => child.stdout.once("data", (data) => resolve(String(data))));
  expect(first).toMatch(/^<stdin>:1: \[Birds\]=n sing\.\n/);
  child.stdin.end();
  await new Promise((resolve) => child.on("close", resolve));
});

describe("says what is wrong", () => {
  test("nothing found is status 1", async () => {
    expect(await search(["{upos:X}"], ALL)).toEqual({ stdout: "", stderr: "", status: 1 });
  });

  test("a wrong pattern, with the place", async () => {
    const { stderr, status, stdout } = await search(["{upos:NOUN} >"], ALL);
    expect(stderr).toMatch(/^invalid pattern: expected a word after >.*\n {2}\{upos:NOUN\} >\n {15}\^\n/);
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
    // Before anything is read: this standard input never ends.
    const child = spawn(process.execPath, [STEMMA, "search", "{upos:NOUN} >"]);
    expect(await new Promise((resolve) => child.on("exit", resolve))).toBe(2);
  });

  test("an unknown name or attribute to count by", async () => {
    const { stderr, status } = await search(["--count-by", "v.lemma", NOUN], ALL);
    expect(stderr).toContain("unknown name v in v.lemma: expected one of n, sentence");
    expect(status).toBe(2);
    expect((await search(["--count-by", "n.tag", NOUN], ALL)).stderr).toContain("unknown attribute tag");
  });

  test("a sentence that cannot be read, a missing file, contradictions", async () => {
    const broken = `${BIRDS}1\tx\n\n${FISH}`;
    const { stdout, stderr, status } = await search(["--count", NOUN], broken);
    expect(stdout).toBe("3\n");
    expect(stderr).toMatch(/^<stdin>:6:\d: invalid columns.*: sentence skipped\nstemma: 1 sentence skipped, 2 read\n$/);
    expect(status).toBe(2);
    expect((await search(["--strict", "--count", NOUN], broken)).stdout).toBe("");
    expect((await search([NOUN, "none.conllu"])).status).toBe(2);
    expect((await search(["--count", "--count-by", "lemma", NOUN], ALL)).stderr).toContain("cannot be combined");
    expect((await search(["--not", "--count-by", "lemma", NOUN], ALL)).status).toBe(2);
  });

  test("too many matches", async () => {
    const long = Array.from({ length: 150 }, (_, i) => word(i + 1, "a", "X", i, "dep")).join("");
    const { stderr, status } = await search(["{} ; {} ; {} ; {}"], `${long}\n`);
    expect(stderr).toContain(
      '<stdin>:1: invalid number of matches: "more than 1000000" (expected a more specific pattern)',
    );
    expect(status).toBe(2);
  });
});
