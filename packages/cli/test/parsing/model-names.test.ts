import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, expect, it } from "vitest";
import { toyPipelineFile } from "../../../core/test/toy-pipeline-file.js";
import { STEMMA } from "../stemma.js";

let folder: string;
const run = (...args: string[]) => spawnSync(process.execPath, [STEMMA, ...args], { encoding: "utf8", cwd: folder });

beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "stemma-names-")));
  const model = join(folder, "node_modules/@stemma/model-xx-large");
  mkdirSync(model, { recursive: true });
  writeFileSync(join(model, "xx-large.stemma"), toyPipelineFile());
  const exports = { "./xx-large.stemma": "./xx-large.stemma" };
  writeFileSync(join(model, "package.json"), JSON.stringify({ name: "@stemma/model-xx-large", exports }));
});

it("a model is found by the name of its package, in the project that the command is used in", () => {
  const { status, stdout, stderr } = run("parse", "--model", "xx-large", "Mina likes boats.");
  expect(status, stderr).toBe(0);
  expect(stdout).toContain("\tboats\tboat\tNOUN\t");
  expect(run("info", "xx-large").stdout).toContain("node_modules/@stemma/model-xx-large/xx-large.stemma");
});

it("a file of that name comes first", () => {
  writeFileSync(join(folder, "xx-large"), "no model");
  expect(run("info", "xx-large").stderr).toContain("xx-large: not a Stemma model");
});

it("says how to get a model that is not installed", () => {
  const { status, stderr } = run("parse", "--model", "yy-large", "x");
  expect(status).toBe(2);
  expect(stderr).toContain(
    "yy-large: no such file, and no package @stemma/model-yy-large " +
      "(npm install @stemma/model-yy-large, or give a model file)",
  );
  expect(run("serve", "--model", "yy-large").stderr).toContain("npm install @stemma/model-yy-large");
  expect(run("studio", "--no-open", "--model", "yy-large").stderr).toContain("npm install @stemma/model-yy-large");
  expect(run("parse", "--model", "missing.stemma", "x").stderr).toContain("missing.stemma");
});

it.each(["en-large", "en-roles", "en-small"])("the package of %s has what that of en has", (other) => {
  const read = (name: string, file: string) => {
    const path = fileURLToPath(new URL(`../../../model-${name}/${file}`, import.meta.url));
    return readFileSync(path, "utf8").replaceAll(`${name}.stemma`, "MODEL").replaceAll(`model-${name}`, "PACKAGE");
  };
  const [own, english] = [other, "en"].map((name) => JSON.parse(read(name, "package.json")));
  expect(own.exports).toEqual(english.exports);
  expect(own.files).toEqual(english.files);
  for (const file of ["browser.js", "node.js", "node.cjs"]) expect(read(other, file)).toBe(read("en", file));
  for (const file of ["README.md", "NOTICES.md", "LICENSE", `${other}.stemma`])
    expect(existsSync(fileURLToPath(new URL(`../../../model-${other}/${file}`, import.meta.url)))).toBe(true);
});
