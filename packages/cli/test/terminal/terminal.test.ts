// Messages on a terminal, and the look of help.
import { spawnSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { makeUp } from "../../../core/test/made-up-language.js";
import { toyPipelineFile } from "../../../core/test/toy-pipeline-file.js";
import { wrapped } from "../../src/terminal/help.js";
import { STEMMA, stemma } from "../stemma.js";

let folder: string;
let treebank: string;
let small: string;
let model: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "stemma-terminal-"));
  treebank = join(folder, "treebank.conllu");
  writeFileSync(treebank, makeUp(4000, 1).join(""));
  small = join(folder, "small.conllu");
  writeFileSync(small, makeUp(200, 1).join(""));
  model = join(folder, "toy.stemma");
  writeFileSync(model, toyPipelineFile());
});

/** Runs a command on a terminal; undefined, with a message, where there is no program that makes one. */
function onTerminal(line: string, env: Record<string, string> = {}): string | undefined {
  const command = `stty cols ${env.COLUMNS ?? "80"}; "${process.execPath}" "${STEMMA}" ${line}`;
  const { stdout, error } = spawnSync("script", ["-qec", command, "/dev/null"], {
    encoding: "utf8",
    maxBuffer: 1 << 28,
    env: { ...process.env, TERM: "xterm", SHELL: "/bin/bash", ...env },
  });
  if (!error) return stdout;
  console.warn("no terminal can be made: script is not installed");
  return undefined;
}

describe("the line that changes", () => {
  it("says how much is done, and how long the rest will take; in the width of the terminal", ({ skip }) => {
    const out = onTerminal(
      `parse --model "${model}" -o "${folder}/x.conllu" "${treebank}" "${treebank}" "${treebank}"`,
      {
        COLUMNS: "40",
      },
    );
    if (out === undefined) return skip();
    const lines = out.split("\r\x1b[K").slice(1, -1);
    expect(lines.length).toBeGreaterThan(0);
    for (const line of lines) expect(line.split("\r\n")[0]!.length).toBeLessThan(40);
    expect(out).toMatch(/\d+ %, \d+ (s|min) left; /);
    const trained = onTerminal(`train "${small}" --epochs 2 --model "${folder}/t.stemma"`);
    expect(trained).toMatch(/epoch 1\/2: \d+ %, \d+ words\/s, \d+ (s|min) left/);
  });

  it("is not there where results are shown, nor on a terminal that cannot show it, nor when all is to be quiet", ({
    skip,
  }) => {
    const shown = onTerminal(`parse --model "${model}" --to conllu "${treebank}"`);
    if (shown === undefined) return skip();
    expect(shown).not.toContain("\x1b[K");
    const train = `train "${small}" --epochs 1 --model "${folder}/u.stemma"`;
    expect(onTerminal(train, { TERM: "dumb" })).not.toContain("\x1b");
    expect(onTerminal(`${train} --quiet`)).toBe("");
  });
});

it("--quiet leaves out what is good to know, not what is wrong", () => {
  const args = ["train", small, "--epochs", "1", "--model", join(folder, "q.stemma")];
  expect(stemma([...args, "--quiet"])).toEqual({ status: 0, out: "", err: "" });
  expect(stemma(["convert", "-q", join(folder, "no.conllu")]).err).toContain("no such file or directory");
});

it("--color says when trees are coloured", () => {
  for (const args of [
    ["draw", "--sentence", "1", small],
    ["parse", "--model", model, "--to", "tree", "Rek paints ponds."],
  ]) {
    expect(stemma([...args, "--color", "always"]).out).toContain("\x1b[");
    expect(stemma([...args]).out).not.toContain("\x1b[");
  }
});

it("a terminal gets no control characters of the data, and files get all of them", ({ skip }) => {
  const controls = ["\x1b]0;title\x07", "\x1b[45m", "\x9b2J"];
  const file = join(folder, "controls.conllu");
  writeFileSync(file, `# sent_id = ${controls.join("")}\n1\tx${controls.join("")}\tx\tX\t_\t_\t0\troot\t_\t_\n\n`);
  for (const line of [
    `convert ${file}`,
    `search '{}=a' --count-by a.form ${file}`,
    `search '{}=a' --group-by a.form ${file}`,
    `edit '{}=a' --set a.upos=Y --dry-run ${file}`,
    `parse --model ${model} --to conllu ${file}`,
  ]) {
    const out = onTerminal(line);
    if (out === undefined) return skip();
    expect([line, out]).toEqual([line, expect.stringContaining("\ufffd[45m")]);
    expect([line, controls.filter((control) => out.includes(control))]).toEqual([line, []]);
  }
  expect(stemma(["convert", file]).out).toContain(controls.join(""));
});

it("help is wrapped to the terminal, and tables and examples are left alone", () => {
  const text =
    "A line that is longer than the columns there are, so it is wrapped.\nAnd more of it.\n  $ an example that stays as long as it is, whatever the width\n\nEnd.";
  expect(wrapped(text, 40)).toBe(
    [
      "A line that is longer than the columns",
      "there are, so it is wrapped. And more of",
      "it.",
      "  $ an example that stays as long as it is, whatever the width",
      "",
      "End.",
    ].join("\n"),
  );
  const { out } = stemma(["train", "--help", "all"]);
  const running = out.split("\n").filter((line) => /^[A-Z]/.test(line));
  for (const line of running) expect(line.length).toBeLessThanOrEqual(80);
  expect(out).toMatch(/^Exit status: 0/m);
});

describe("stemma info", () => {
  it("says what a model is", () => {
    const trained = join(folder, "i.stemma");
    stemma(["train", small, "--dev", small, "--epochs", "1", "--model", trained, "--licence", "free"]);
    const { out, status } = stemma(["info", trained]);
    expect(status).toBe(0);
    expect(out).toMatch(/^does +parses, says how sure it is$/m);
    expect(out).toMatch(/^trained on +small\.conllu, 200 sentences/m);
    expect(out).toMatch(/^licence +free$/m);
    expect(out).toMatch(/^scores +small\.conllu: UAS [\d.]+, LAS [\d.]+, epoch 1$/m);
    const json = JSON.parse(stemma(["info", "--json", model]).out);
    expect(json).toMatchObject({
      parser: { system: "arc-standard" },
      parts: { tagger: { features: expect.any(Number) } },
    });
    expect(json.does[0]).toBe("cuts text into sentences and tokens");
    expect(stemma(["info", treebank])).toMatchObject({ status: 2, out: "" });
    stemma(["train", small, "--epochs", "1", "--model", trained, "--licence", "\x1b[31mfree"]);
    expect(onTerminal(`info ${trained}`) ?? "licence \ufffd[31mfree").toMatch(/^licence +\ufffd\[31mfree/m);
  });
});
