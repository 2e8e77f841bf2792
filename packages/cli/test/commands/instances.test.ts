import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SYSTEM_NAMES } from "@stemma/core/systems";
import { beforeAll, describe, expect, it } from "vitest";
import { makeUp } from "../../../core/test/made-up-language.js";
import { STEMMA } from "../stemma.js";

let folder: string;
let train: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "stemma-instances-"));
  train = join(folder, "train.conllu");
  writeFileSync(train, makeUp(60, 1).join(""));
});

const run = (...args: string[]) => spawnSync(process.execPath, [STEMMA, "instances", ...args], { encoding: "utf8" });
const lines = (text: string) => text.trimEnd().split("\n");

const TREE = `1\tta\tta\tDET\tDET\t_\t2\tdet\t_\t_
2\ttor\ttor\tNOUN\tNOUN\t_\t3\tnsubj\t_\t_
3\tkara\tkara\tVERB\tVERB\t_\t0\troot\t_\t_

`;

describe("stemma instances", () => {
  it("writes the moves of a derivation with the values of the templates", () => {
    const file = join(folder, "one.conllu");
    const templates = join(folder, "two.templates");
    const classes = join(folder, "classes.txt");
    writeFileSync(file, TREE);
    writeFileSync(templates, "s0.upos\ns0.form\n");
    const args = ["--system", "arc-standard", "--root", "first", "--features", templates, "--classes", classes];
    const { stdout, stderr, status } = run(file, ...args);
    expect({ stderr, status }).toEqual({ stderr: "6 instances of 1 tree, 4 classes, 8 features\n", status: 0 });
    // The top of the stack is 0, ta, tor, tor (after LEFT-ARC det), kara, kara (after LEFT-ARC nsubj).
    expect(lines(stdout)).toEqual(["1 1:1 2:1", "1 3:1 4:1", "2 5:1 6:1", "1 5:1 6:1", "3 7:1 8:1", "4 7:1 8:1"]);
    expect(readFileSync(classes, "utf8")).toBe("1 SHIFT\n2 LEFT-ARC det\n3 LEFT-ARC nsubj\n4 RIGHT-ARC root\n");
  });

  it.each(SYSTEM_NAMES)("%s: ascending features, classes in the order of occurrence, all words attached", (system) => {
    const classes = join(folder, `${system}.classes`);
    const { stdout, stderr, status } = run(train, "--system", system, "--classes", classes);
    expect(status, stderr).toBe(0);
    let highestClass = 0;
    let highestFeature = 0;
    for (const line of lines(stdout)) {
      expect(line).toMatch(/^[1-9]\d*( [1-9]\d*:1)+$/);
      const [cls, ...features] = line
        .split(/:1 | |:1$/)
        .filter(Boolean)
        .map(Number) as [number, ...number[]];
      expect(cls).toBeLessThanOrEqual(highestClass + 1);
      highestClass = Math.max(highestClass, cls);
      expect(features.every((feature, i) => i === 0 || feature > features[i - 1]!)).toBe(true);
      highestFeature = Math.max(highestFeature, features.at(-1)!);
    }
    const names = lines(readFileSync(classes, "utf8"));
    expect(names.map((name) => Number(name.split(" ")[0]))).toEqual(names.map((_, i) => i + 1));
    expect(stderr).toContain(
      `${lines(stdout).length} instances of 60 trees, ${names.length} classes, ${highestFeature} features`,
    );
    expect(highestClass).toBe(names.length);
    const arcs = names.map((name) => /(LEFT|RIGHT)-ARC/.test(name));
    const words = makeUp(60, 1).reduce((sum, sentence) => sum + sentence.length, 0);
    expect(lines(stdout).filter((line) => arcs[Number.parseInt(line, 10) - 1])).toHaveLength(words);
    if (system === "lr-spines") expect(names.join("\n")).not.toMatch(/ARC-\d/);
  });

  it("leaves trees out that the system cannot build, and counts them", () => {
    const file = join(folder, "crossing.conllu");
    writeFileSync(file, makeUp(50, 3, 0.5).join(""));
    const left = run(file, "--system", "arc-eager");
    expect(left.status).toBe(0);
    const [, count] = /; (\d+) trees left out because arc-eager cannot build them/.exec(left.stderr)!;
    expect(left.stderr).toContain(`of ${50 - Number(count)} trees`);
    expect(run(file, "--projectivize", "head").stderr).not.toContain("left out");
    expect(run(file, "--system", "swap").stderr).not.toContain("left out");
  });

  it("names the line of a bad template and writes nothing", () => {
    const templates = join(folder, "bad.templates");
    writeFileSync(templates, "s0.form\ns0.colour\n");
    const { stdout, stderr, status } = run(train, "--features", templates);
    expect({ stdout, status }).toEqual({ stdout: "", status: 2 });
    expect(stderr).toContain("bad.templates:2: invalid");
  });
});
