import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { writeModel } from "../../src/model-file/model-file.js";
import { toyPipeline } from "../toy-pipeline.js";

const CORE = new URL("../../dist/index.js", import.meta.url).href;
const folder = mkdtempSync(join(tmpdir(), "stemma-caches-"));
const model = join(folder, "toy.stemma");

beforeAll(() => writeFileSync(model, writeModel(toyPipeline())));
afterAll(() => rmSync(folder, { recursive: true }));

/**
 * Ways to read a text with `forms`, of which each is long enough for an engine to keep all of the text alive for it.
 */
const WAYS = {
  "of a text": `for (const sentence of parser.parse(flat(forms.join(" ") + "\\n\\n" + filler))) break;`,
  "of tokens with tags": `const [tag, feats, ...rest] = flat(forms.join(" ") + filler).slice(0, 200).split(" ");
      parser.parseTokens(rest.slice(0, 4).map((form) => ({ form, upos: tag, xpos: tag, feats })));`,
  "of a treebank": `const line = (form, i) => [i + 1, form, "_", "_", "_", "_", "_", "_", "_", "_"].join("\\t") + "\\n";
      const [sentence] = readTreebank(flat("# " + filler + "\\n" + forms.map(line).join("") + "\\n"));
      parser.annotate(sentence);`,
};

test.each(Object.entries(WAYS))("caches keep nothing alive %s", (_, way) => {
  const script = `
    import { readFileSync } from "node:fs";
    import { load, readTreebank } from ${JSON.stringify(CORE)};
    const parser = await load(readFileSync(${JSON.stringify(model)}));
    const filler = "Mina sells boats. ".repeat(11_000);
    // One string, as if it had been read from somewhere.
    const flat = (text) => Buffer.from(text).toString("latin1");
    const names = ["Misinterpretation", "counterproductive", "unquestionably-so", "straightforwardly", "incomprehensibly"];
    const read = (n) => {
      const forms = names.map((name) => name + n.toString(36));
      ${way}
    };
    const used = () => {
      gc();
      return process.memoryUsage().heapUsed;
    };
    for (let n = 0; n < 50; n++) read(n);
    const before = used();
    for (let n = 50; n < 450; n++) read(n);
    console.log(JSON.stringify({ before, after: used() }));
  `;
  const { stdout, stderr } = spawnSync(process.execPath, ["--expose-gc", "--input-type=module", "-e", script], {
    encoding: "utf8",
    cwd: fileURLToPath(new URL(".", import.meta.url)),
  });
  expect(stderr).toBe("");
  const { before, after } = JSON.parse(stdout) as { before: number; after: number };
  // One text that is kept alive takes 200 kB, all of them 80 MB.
  expect(after - before).toBeLessThan(8e6);
});
