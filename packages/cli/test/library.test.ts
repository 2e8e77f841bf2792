import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const examples = [...readFileSync(`${root}docs/library.md`, "utf8").matchAll(/```js\n([\s\S]*?)```/g)].map(
  (match) => match[1]!,
);
const EXPECTED = [
  /^turns The\/DET old\/ADJ/,
  /The old committee → reject → the new proposal\nThe old committee ← nsubj\nthe new proposal ← obj\nthe budget ← nsubj\n/,
  /^# sent_id = s1\n# text = She reads map\n1\tShe\tshe\tPRON\t_\tNumber=Sing\t2\tnsubj:outer\t_\t_\n2-3\treadsmap\t[_\t]*\n2\t.*\n3\tmap\tmap\tNOUN\t_\tNumber=Sing\t2\tobj\t_\tSpaceAfter=No\n/,
  /^2 nsubj Nobody uses it\.\n$/,
  /2\treads\tread\tVERB[\s\S]*\n2\n$/,
  /^1 -?[\d.]+ nsubj root [\s\S]*\nduck NOUN\n$/,
  /^true\n$/,
  /^One sentence\.\none is enough\n$/,
  /^stands\nuses\nreads\n$/,
  /^true\n$/,
  /^epoch 1: [\d.]+\nepoch 2: [\d.]+\n100 likes true\n$/,
];

describe("the examples in docs/library.md", () => {
  test("are all here", () => expect(examples).toHaveLength(EXPECTED.length));

  test.skipIf(!existsSync(`${root}packages/model-en/en.stemma`)).each(EXPECTED.map((_, i) => i))("run: %i", (i) => {
    // Beside the packages, so that the imports are resolved as for a user.
    const script = `${root}packages/cli/example-${process.pid}-${i}.mjs`;
    writeFileSync(script, examples[i]!);
    try {
      const { stdout, stderr } = spawnSync(process.execPath, [script], { cwd: root, encoding: "utf8" });
      expect(stderr).toBe("");
      expect(stdout).toMatch(EXPECTED[i]!);
    } finally {
      rmSync(script);
    }
  });
});
