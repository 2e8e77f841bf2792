import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Command } from "commander";
import { afterAll, afterEach, beforeEach, expect, test, vi } from "vitest";
import { register } from "../../src/commands/treebanks/draw.js";

const folder = mkdtempSync(join(tmpdir(), "stemma-draw-"));
afterAll(() => rmSync(folder, { recursive: true }));
beforeEach(() => {
  for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true });
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

const WORDS = (form: string) =>
  `1\t${form}\tsmall\tADJ\t_\t_\t2\tamod\t_\t_\n2\tboats\tboat\tNOUN\t_\t_\t0\troot\t_\t_\n\n`;
const THREE = `# sent_id = one\n${WORDS("small")}# sent_id = two\n${WORDS("<red>")}${WORDS("A_&_B")}`;
const WRONG = "1\twrong\t_\t_\t_\t_\t7\troot\t_\t_\n\n";

function file(content: string, name = "trees.conllu"): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

/** Runs the command in this process, so that standard output can play a terminal. */
async function draw(args: string[], terminal = false) {
  let stdout = "";
  let stderr = "";
  const isTTY = Object.getOwnPropertyDescriptor(process.stdout, "isTTY");
  Object.defineProperty(process.stdout, "isTTY", { value: terminal, configurable: true });
  vi.spyOn(process.stdout, "write").mockImplementation((chunk, ...rest) => {
    stdout += chunk;
    for (const callback of rest) if (typeof callback === "function") callback();
    return true;
  });
  vi.spyOn(process.stderr, "write").mockImplementation((chunk) => {
    stderr += chunk;
    return true;
  });
  const before = process.exitCode;
  process.exitCode = undefined;
  let status: unknown = 0;
  try {
    const program = new Command();
    program
      .exitOverride()
      .configureOutput({ writeOut: (text) => (stdout += text), writeErr: (text) => (stderr += text) });
    register(program);
    for (const command of program.commands) command.copyInheritedSettings(program);
    await program.parseAsync(["node", "stemma", "draw", ...args]);
    status = process.exitCode ?? 0;
  } catch (error) {
    status = (error as { code?: string }).code ?? error;
  } finally {
    process.exitCode = before;
    vi.restoreAllMocks();
    if (isTTY) Object.defineProperty(process.stdout, "isTTY", isTTY);
    else Reflect.deleteProperty(process.stdout, "isTTY");
  }
  return { stdout, stderr, status };
}

const FIRST = "# 1 one\n ┌── small  ADJ   amod\n─┴── boats  NOUN  root\n";
const SECOND = "# 2 two\n ┌── <red>  ADJ   amod\n─┴── boats  NOUN  root\n";
const THIRD = "# 3\n ┌── A_&_B  ADJ   amod\n─┴── boats  NOUN  root\n";

test("text: every tree with its number and sent_id", async () => {
  expect(await draw([file(THREE)])).toEqual({ stdout: `${FIRST}\n${SECOND}\n${THIRD}`, stderr: "", status: 0 });
  expect((await draw([file("")])).stdout).toBe("");
});

test("sentences by number, range and sent_id", async () => {
  const path = file(THREE);
  expect((await draw(["--sentence", "2", path])).stdout).toBe(SECOND);
  expect((await draw(["--sentences", "2-3", path])).stdout).toBe(`${SECOND}\n${THIRD}`);
  expect((await draw(["--sentences", "2-", path])).stdout).toBe(`${SECOND}\n${THIRD}`);
  expect((await draw(["--sentences", "1-2", path])).stdout).toBe(`${FIRST}\n${SECOND}`);
  expect((await draw(["--id", "two", path])).stdout).toBe(SECOND);
});

test("a sentence that is not there is an error", async () => {
  const path = file(THREE);
  const message = (problem: string) => ({ stdout: "", stderr: `${path}: ${problem}\n`, status: 2 });
  expect(await draw(["--sentence", "4", path])).toEqual(message("sentence 4 does not exist: there are 3"));
  expect(await draw(["--id", "four", path])).toEqual(message('no sentence with sent_id "four"'));
  const output = join(folder, "tree.svg");
  expect((await draw(["--id", "four", "--format", "svg", "-o", output, path])).status).toBe(2);
  expect(existsSync(output)).toBe(false);
});

test("wrong options are named", async () => {
  const path = file(THREE);
  for (const [args, message] of [
    [["--sentence", "0"], "expected a whole number above 0"],
    [["--sentences", "5-3"], "Expected FROM-TO, such as 3-5"],
    [["--sentence", "1", "--id", "x"], "cannot be used with option"],
    [["--output", "a", "--output-dir", "b"], "cannot be used with option"],
    [["--format", "png"], "Allowed choices are text, svg, latex"],
    [["--standalone"], "--standalone needs --format latex"],
  ] as const) {
    const { stdout, stderr, status } = await draw([...args, path]);
    expect(stderr).toContain(message);
    expect(stdout).toBe("");
    expect(status).not.toBe(0);
  }
});

test("a wrong sentence is skipped but counted, or stops with --strict", async () => {
  const path = file(WORDS("small") + WRONG + WORDS("A_&_B"));
  const { stdout, stderr, status } = await draw(["--sentence", "3", path]);
  expect(stdout).toBe(THIRD);
  expect(stderr).toContain("invalid HEAD");
  expect(status).toBe(1);
  expect((await draw(["--sentence", "2", path])).stderr).toContain("sentence 2 cannot be drawn: it was skipped");
  expect((await draw(["--strict", path])).status).toBe(1);
});

test("options of text", async () => {
  const path = file(WORDS("red"));
  expect((await draw(["--no-tags", "--lemmas", path])).stdout).toBe(
    "# 1\n ┌── red    small  amod\n─┴── boats  boat   root\n",
  );
  const horizontal = (await draw(["--style", "horizontal", path])).stdout;
  expect(horizontal).toMatchInlineSnapshot(`
    "# 1
              root
      ┌─amod──┐ │
      ▼       │ ▼
     red     boats
     ADJ     NOUN
    "
  `);
  expect((await draw(["--style", "horizontal", "--rtl", path])).stdout).toMatchInlineSnapshot(`
    "# 1
    root
      │ ┌─amod──┐
      ▼ │       ▼
     boats     red
     NOUN      ADJ
    "
  `);
});

test("colours on a terminal only, and not with NO_COLOR or into a file", async () => {
  const path = file(THREE);
  const ansi = "\u001b[";
  vi.stubEnv("NO_COLOR", "");
  expect((await draw([path], true)).stdout).toContain(ansi);
  expect((await draw([path], false)).stdout).not.toContain(ansi);
  const output = join(folder, "out.txt");
  await draw(["-o", output, path], true);
  expect(readFileSync(output, "utf8")).toBe(`${FIRST}\n${SECOND}\n${THIRD}`);
  vi.stubEnv("NO_COLOR", "1");
  expect((await draw([path], true)).stdout).not.toContain(ansi);
});

test("SVG: one tree, several in one picture, none", async () => {
  const path = file(THREE);
  const one = (await draw(["--format", "svg", "--id", "two", path])).stdout;
  expect(one.match(/<svg /g)).toHaveLength(1);
  expect(one).toContain('role="img"');
  expect(one).toContain(">&#60;red&#62;</text>");
  const all = (await draw(["--format", "svg", path])).stdout;
  expect(all.match(/<svg /g)).toHaveLength(4);
  expect(all.match(/role="img"/g)).toHaveLength(3);
  expect((await draw(["--format", "svg", file("")])).stdout).toContain("</svg>");
});

test("a file for each sentence", async () => {
  const target = join(folder, "new", "trees");
  for (const [format, extension] of [
    ["text", "txt"],
    ["svg", "svg"],
    ["latex", "tex"],
  ] as const) {
    const result = await draw(["--format", format, "--sentences", "2-", "--output-dir", target, file(THREE)]);
    expect(result).toEqual({ stdout: "", stderr: "", status: 0 });
    expect(readdirSync(target).filter((name) => name.endsWith(extension))).toEqual([
      `sentence-000002.${extension}`,
      `sentence-000003.${extension}`,
    ]);
  }
  expect(readFileSync(join(target, "sentence-000002.txt"), "utf8")).toBe(SECOND.replace("# 2 two\n", ""));
  expect((await draw(["--output-dir", file("", "taken"), file(THREE)])).status).toBe(2);
});

test("LaTeX: environments, or a document", async () => {
  const path = file(THREE);
  const parts = (await draw(["--format", "latex", path])).stdout;
  expect(parts).toMatch(/^% 1 one\n\\begin\{dependency\}/);
  expect(parts.match(/\\end\{dependency\}/g)).toHaveLength(3);
  expect(parts).toContain("A\\_\\symbol{38}\\_B");
  const document = (await draw(["--format", "latex", "--standalone", path])).stdout;
  expect(document).toMatch(/^\\documentclass[\s\S]*\\begin\{document\}[\s\S]*\\end\{document\}\n$/);
  expect(document.match(/\\end\{dependency\}/g)).toHaveLength(3);
});

test("the picture in the documentation is what the command draws", async () => {
  const images = fileURLToPath(new URL("../../../../docs/images/", import.meta.url));
  const { stdout } = await draw(["--format", "svg", join(images, "tree.conllu")]);
  await expect(stdout).toMatchFileSnapshot(join(images, "tree.svg"));
});

test("a picture of a long chain of words is too large for text, but not for LaTeX", async () => {
  const word = (i: number) => `${i}\tw\t_\t_\t_\t_\t${i - 1}\t${i === 1 ? "root" : "dep"}\t_\t_\n`;
  const long = file(`${Array.from({ length: 5000 }, (_, i) => word(i + 1)).join("")}\n`);
  const { status, stdout, stderr } = await draw([long]);
  expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
  expect(stderr).toMatch(/^sentence 1 cannot be drawn: too large for text: 5000 lines of \d+ characters \(expected/);
  expect(await draw([long, "--format", "latex"])).toMatchObject({ status: 0, stderr: "" });
});

test("--enhanced: labels of the graph, empty nodes, and a column or row for what the tree does not have", async () => {
  const graph = file(
    [
      "1\tAnn\tAnn\tPROPN\t_\t_\t2\tnsubj\t2:nsubj|3:nsubj:xsubj\tPred=x.01|Args=3:A1",
      "2\twants\twant\tVERB\t_\t_\t0\troot\t0:root\t_",
      "2.1\t_\t_\t_\t_\t_\t_\t_\t0:root|2:conj:and\t_",
      "3\tsing\tsing\tVERB\t_\t_\t2\txcomp\t2:xcomp|2.1:xcomp\t_",
      "4\ttown\ttown\tNOUN\t_\t_\t3\tobl\t3:obl:in\t_\n\n",
    ].join("\n"),
  );
  const lines = ({ stdout }: { stdout: string }) => stdout.split("\n").slice(1, -1);
  expect(lines(await draw([graph, "--enhanced", "--no-roles", "--no-tags"]))).toEqual([
    " ┌──── Ann    nsubj                          nsubj:xsubj",
    "─┼──── wants  root          head",
    "·│──── 2.1            root  conj:and  head",
    " └─┬── sing   xcomp                   xcomp  head",
    "   └── town   obl:in",
  ]);
  const svg = (await draw([graph, "--enhanced", "--format", "svg"])).stdout;
  expect(svg).toContain(">nsubj:xsubj</text>");
  expect(svg).toContain(">A1</text>");
  // Without graphs nothing changes, and without the option graphs are not looked at.
  const three = file(THREE, "three.conllu");
  expect((await draw([three, "--enhanced"])).stdout).toBe((await draw([three])).stdout);
  expect(lines(await draw([graph, "--no-roles", "--no-tags"]))).toHaveLength(4);
});
