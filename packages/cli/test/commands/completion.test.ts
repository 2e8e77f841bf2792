import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { STEMMA } from "../stemma.js";

const MANUAL = fileURLToPath(new URL("../../man/stemma.1", import.meta.url));
const WRITE_MANUAL = fileURLToPath(new URL("../../man.mjs", import.meta.url));

function run(command: string, args: string[]): { stdout: string; stderr: string; status: number | null } {
  const { stdout, stderr, status } = spawnSync(command, args, { encoding: "utf8" });
  return { stdout, stderr, status };
}

const isInstalled = (shell: string) => spawnSync(shell, ["-c", "true"]).status === 0;
const installed = { bash: isInstalled("bash"), zsh: isInstalled("zsh"), fish: isInstalled("fish") };
for (const [shell, isThere] of Object.entries(installed))
  if (!isThere) console.log(`there is no ${shell}: its completion is not tried`);

describe("stemma completion", () => {
  let folder: string;
  const script = (shell: string) => join(folder, `completion.${shell}`);
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "stemma-completion-"));
    for (const shell of Object.keys(installed)) {
      const { stdout, stderr, status } = run(process.execPath, [STEMMA, "completion", shell]);
      expect({ shell, stderr, status }).toEqual({ shell, stderr: "", status: 0 });
      writeFileSync(script(shell), stdout);
    }
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  /** Bash's completions of the last of the words. */
  function offeredByBash(...words: string[]): string[] {
    const call = `source '${script("bash")}'; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _stemma; printf '%s\\n' "\${COMPREPLY[@]}"`;
    return run("bash", ["-c", call, "bash", "stemma", ...words])
      .stdout.trim()
      .split("\n");
  }

  test.skipIf(!installed.bash)("bash completes commands, options and their values", () => {
    expect(offeredByBash("ser")).toEqual(["serve"]);
    expect(offeredByBash("parse", "--off")).toEqual(["--offsets"]);
    expect(offeredByBash("parse", "--to", "conll")).toEqual(["conllu", "conllx", "conll09"]);
    expect(offeredByBash("completion", "")).toEqual(["bash", "zsh", "fish"]);
    // Nothing: bash then completes files.
    expect(offeredByBash("parse", "--model", "-")).toEqual([""]);
    expect(offeredByBash("parse", "art")).toEqual([""]);
  });

  test.skipIf(!installed.fish)("fish completes commands, options and their values", () => {
    const offered = (line: string) =>
      run("fish", ["--no-config", "-c", `source '${script("fish")}'; complete -C "${line}"`])
        .stdout.trim()
        .split("\n")
        .map((choice) => choice.split("\t")[0]);
    expect(offered("stemma ser")).toEqual(["serve"]);
    expect(offered("stemma parse --off")).toEqual(["--offsets"]);
    expect(offered("stemma parse --to conll").sort()).toEqual(["conll09", "conllu", "conllx"]);
  });

  test.skipIf(!installed.zsh)("zsh takes the script", () => {
    // Everything is defined by it, and the descriptions of the options are read when they are used.
    const call = `autoload -U compinit; compinit -u -D; source '${script("zsh")}'; print -r -- $_comps[stemma]; _arguments() { print -r -- "$@" }; words=(stemma parse --to ''); CURRENT=4; _stemma`;
    const { stdout, stderr } = run("zsh", ["-f", "-c", call]);
    expect(stderr).toBe("");
    expect(stdout).toMatch(/^_stemma\n/);
    expect(stdout).toContain(":format:(conllu conllx conll09 json jsonl parquet columns tree svg latex)");
  });

  test("another shell is an error that lists those it knows", () => {
    const { stderr, status } = run(process.execPath, [STEMMA, "completion", "tcsh"]);
    expect(stderr).toMatch(/tcsh.*bash, zsh, fish/);
    expect(status).toBe(2);
  });
});

test("the manual page is that of the present help (npm run man writes it)", () => {
  const folder = mkdtempSync(join(tmpdir(), "stemma-man-"));
  try {
    const file = join(folder, "stemma.1");
    expect(run(process.execPath, [WRITE_MANUAL, file])).toEqual({ stdout: "", stderr: "", status: 0 });
    expect(readFileSync(MANUAL, "utf8")).toBe(readFileSync(file, "utf8"));
  } finally {
    rmSync(folder, { recursive: true });
  }
});
