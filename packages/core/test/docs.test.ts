// The files that the documentation names are there.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const PLACES = [
  "",
  "packages/",
  "packages/core/",
  "packages/core/kernels/",
  "packages/core/src/",
  "packages/cli/src/",
  "packages/server/src/",
  "packages/studio/src/",
  "docs/",
];
const PAGES = [
  ...["README.md", "CONTRIBUTING.md", "bench/README.md"],
  ...readdirSync(join(ROOT, "docs"), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".md"))
    .map((path) => join("docs", path)),
];

/** Pages whose files are those of the reader's project. */
const RECIPES = [join("docs", "frameworks.md")];

test.each(PAGES.filter((page) => !RECIPES.includes(page)))("the files that %s names exist", (page) => {
  const text = readFileSync(join(ROOT, page), "utf8");
  const named = [...text.matchAll(/`((?:[\w@.-]+\/)*[\w.-]+\.(?:ts|tsx|mjs))`/g)].map((match) => match[1]!);
  const missing = named.filter(
    (path) => !path.includes("NAME") && !PLACES.some((place) => existsSync(join(ROOT, place, path))),
  );
  // A bare name may stand for a file in any folder.
  const all = PLACES.slice(4, 7).flatMap((place) =>
    readdirSync(join(ROOT, place), { recursive: true, encoding: "utf8" }),
  );
  const tests = readdirSync(join(ROOT, "packages/core/test"), { recursive: true, encoding: "utf8" });
  expect(
    missing.filter((path) => path.includes("/") || ![...all, ...tests].some((file) => file.endsWith(path))),
  ).toEqual([]);
});

/** Pages about the code itself; on all others a reader does not need it. */
const ABOUT_CODE = /^(CONTRIBUTING|bench|docs\/(architecture|mutation-testing|releasing|experiments\/))/;

test.each(PAGES.filter((page) => !ABOUT_CODE.test(page)))("%s names no source file", (page) => {
  const text = readFileSync(join(ROOT, page), "utf8");
  expect(text.match(/packages\/[\w-]+\/(src|test|kernels)\b|`(?:[\w-]+\/)*[\w-]+\.tsx?`/g)).toBeNull();
});

test("every measurement is in the index of bench/, and on the page that the index gives", () => {
  const index = readFileSync(join(ROOT, "bench/README.md"), "utf8");
  const rows = [...index.matchAll(/^\| `node (?:--expose-gc )?(bench\/[\w/-]+\.mjs).*\|([^|\n]*)\|$/gm)];
  expect(rows.length).toBeGreaterThan(40);
  for (const [, file, pages] of rows) {
    const [, page] = /\]\(\.\.\/([^)#]+)/.exec(pages!) ?? [];
    const names = { file, page, isThere: existsSync(join(ROOT, file!)) && page !== undefined };
    expect({ ...names, isNamed: readFileSync(join(ROOT, page!), "utf8").includes(file!) }).toEqual({
      ...names,
      isThere: true,
      isNamed: true,
    });
  }
  const unnamed = readdirSync(join(ROOT, "bench"), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".mjs") && !/^mutation|node_modules/.test(path))
    .filter((path) => !index.includes(path.split(sep).at(-1)!));
  expect(unnamed).toEqual([]);
  const listed = rows.map(([, file]) => file);
  const scripts = ["speed", "accuracy"].flatMap((folder) =>
    readdirSync(join(ROOT, "bench", folder)).map((name) => `bench/${folder}/${name}`),
  );
  expect(scripts.filter((file) => !listed.includes(file))).toEqual([]);
});

test("the README is short enough to be read", () => {
  expect(readFileSync(join(ROOT, "README.md"), "utf8").split("\n").length - 1).toBeLessThanOrEqual(120);
});

test.each(PAGES)("the pages and pictures that %s links to exist", (page) => {
  const text = readFileSync(join(ROOT, page), "utf8").replace(/```[\s\S]*?```/g, "");
  const links = [...text.matchAll(/\]\(([^)\s#]+)[^)]*\)/g)].map((match) => match[1]!);
  const local = links.filter((link) => !/^[a-z]+:/.test(link));
  expect(local.filter((link) => !existsSync(join(ROOT, dirname(page), link)))).toEqual([]);
});
