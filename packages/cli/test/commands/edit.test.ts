import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, expect, test } from "vitest";
import { runStemma } from "../stemma.js";

const folder = mkdtempSync(join(tmpdir(), "stemma-edit-"));
afterAll(() => rmSync(folder, { recursive: true }));

const word = (id: number, form: string, upos: string, head: number, deprel: string) =>
  `${id}\t${form}\t${form}\t${upos}\t_\t_\t${head}\t${deprel}\t_\t_\n`;
const sentence = (name: string) =>
  `# sent_id = ${name}\n${word(1, "we", "PRON", 2, "nsubj")}${word(2, "saw", "VERB", 0, "root")}${word(3, name, "NOUN", 2, "obj")}${word(4, "there", "ADV", 2, "advmod")}\n`;
const ODD = "\n\n# on its own\n\n";
const ALL = `\ufeff${sentence("one")}\n${sentence("two").replaceAll("\n", "\r\n")}${sentence("three")}${ODD}`;

const edit = (args: string[], input: string | Uint8Array = ALL) => runStemma(["edit", ...args], { input, cwd: folder });

test("changes what fits and keeps every other byte", async () => {
  const { stdout, stderr, status } = await edit(["{form:two}=x", "--set", "x.deprel=iobj", "--set", "x.misc.Old=obj"]);
  expect(stdout).toBe(ALL.replace("NOUN\t_\t_\t2\tobj\t_\t_\r\n", "NOUN\t_\t_\t2\tiobj\t_\tOld=obj\r\n"));
  expect({ stderr, status }).toEqual({ stderr: "stemma: 1 match; 1 of 3 sentences changed\n", status: 0 });
  expect((await edit(["{form:four}", "--set", "upos=X"])).stdout).toBe(ALL);
  expect((await edit(["{form:two}", "--set", "upos=X"], gzipSync(ALL))).stdout).toContain("3\ttwo\ttwo\tX");
});

test("actions in the order in which they are given", async () => {
  const args = [
    "{root}=v >obj {}=o >advmod {}=a",
    "--attach",
    "a=o",
    "--comment",
    "first",
    "--set",
    "a.deprel=x",
    "--comment",
    "{o.form}",
    "--delete",
    "a",
  ];
  const { stdout } = await edit(args, sentence("one"));
  expect(stdout).toBe(
    sentence("one")
      .replace("one\n", "one\n# first\n# one\n")
      .replace(/^4.*\n/m, ""),
  );
  expect((await edit(["{deprel:obj}=o", "--delete-subtree", "o"], sentence("one"))).stdout).toContain("\n3\tthere");
});

test("in place, and JSON", async () => {
  writeFileSync(join(folder, "a.conllu"), ALL);
  await edit(["{form:three}", "--set", "lemma=3", "-o", "a.conllu", "a.conllu"]);
  expect(readFileSync(join(folder, "a.conllu"), "utf8")).toBe(ALL.replace("3\tthree\tthree", "3\tthree\t3"));
  const { stdout: json } = await runStemma(["convert", "--to", "json"], { input: sentence("one") });
  const { stdout } = await edit(["{form:one}", "--set", "lemma=1", "--format", "json"], json);
  expect(JSON.parse(stdout).words[2].lemma).toBe("1");
});

test("refused edits leave the sentence, with the place and status 1", async () => {
  const args = ["{root}=v >obj {form:two}=o", "--attach", "v=o"];
  const { stdout, stderr, status } = await edit(args);
  expect(stdout).toBe(ALL);
  expect(stderr).toMatch(
    /^<stdin>:10:7: invalid HEAD: 3 .*no cycle.*: sentence left as it was\nstemma: 0 matches; 0 of 3 sentences changed, 1 left as it was\n$/,
  );
  expect(status).toBe(1);
  const strict = await edit(["--strict", ...args, "-o", "strict.conllu"]);
  expect(strict.status).toBe(1);
  expect(() => readFileSync(join(folder, "strict.conllu"))).toThrow();
});

test("a dry run is a diff that can be applied", async () => {
  const many = Array.from({ length: 30 }, (_, i) => sentence(`w${i}`)).join("");
  const args = [
    "{form:/^w[0235]$|7/}=x < {}=v",
    "--set",
    "x.upos=X",
    "--comment",
    "changed",
    "--set",
    "v.lemma=see",
    "old.conllu",
  ];
  writeFileSync(join(folder, "old.conllu"), many);
  const { stdout: edited } = await edit(args);
  const { stdout: diff, stderr } = await edit(["--dry-run", ...args]);
  expect(stderr).toBe("stemma: 7 matches; 7 of 30 sentences would be changed\n");
  expect(diff).toMatch(/^--- old\.conllu\n\+\+\+ old\.conllu\n@@ -1,\d+ \+1,\d+ @@\n/);
  writeFileSync(join(folder, "a.diff"), diff.replaceAll("old.conllu", "a/old.conllu").replace("+++ a/", "+++ b/"));
  const { status, stderr: problem } = spawnSync("git", ["apply", "a.diff"], { cwd: folder, encoding: "utf8" });
  expect({ status, problem }).toEqual({ status: 0, problem: "" });
  expect(readFileSync(join(folder, "old.conllu"), "utf8")).toBe(edited);
  expect((await edit(["--dry-run", "{form:none}", "--set", "upos=X"])).stdout).toBe("");
});

test("a diff shows deletions with the lines that they renumber", async () => {
  const { stdout } = await edit(["--dry-run", "{form:one}", "--delete", ""], sentence("one"));
  expect(stdout).toBe(
    "--- <stdin>\n+++ <stdin>\n@@ -3,4 +3,3 @@\n 2\tsaw\tsaw\tVERB\t_\t_\t0\troot\t_\t_\n" +
      "-3\tone\tone\tNOUN\t_\t_\t2\tobj\t_\t_\n-4\tthere\tthere\tADV\t_\t_\t2\tadvmod\t_\t_\n+3\tthere\tthere\tADV\t_\t_\t2\tadvmod\t_\t_\n \n",
  );
});

test("wrong usage", async () => {
  const wrong = async (args: string[], message: string) => {
    const { stdout, stderr, status } = await edit(args);
    expect(stderr).toContain(message);
    expect({ stdout, status }).toEqual({ stdout: "", status: 2 });
  };
  await wrong(["{}"], "nothing to do");
  await wrong(["{}=x", "--set", "x.deprel"], "Expected an attribute, = and a value");
  await wrong(["{}=x", "--attach", "x"], "Expected two words");
  await wrong(["{}=x", "--set", "y.deprel=a"], "unknown name y in y.deprel: expected one of x, sentence");
  await wrong(["{} >", "--set", "deprel=a"], "expected a word after >");
});
