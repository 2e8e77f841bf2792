// What the documentation names is there.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
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
  "packages/studio/src/",
  "docs/",
];
const PAGES = [
  ...["README.md", "CONTRIBUTING.md"],
  ...readdirSync(join(ROOT, "docs"), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".md"))
    .map((path) => join("docs", path)),
];

test.each(PAGES)("the files that %s names exist", (page) => {
  const text = readFileSync(join(ROOT, page), "utf8");
  const named = [...text.matchAll(/`((?:[\w@.-]+\/)*[\w.-]+\.(?:ts|tsx|mjs))`/g)].map((match) => match[1]!);
  const missing = named.filter(
    (path) => !path.includes("NAME") && !PLACES.some((place) => existsSync(join(ROOT, place, path))),
  );
  // A bare name may stand for a file in any folder.
  const all = PLACES.slice(4, 7).flatMap((place) =>
    readdirSync(join(ROOT, place), { recursive: true, encoding: "utf8" }),
  );
  const tests = readdirSync(join(ROOT, "packages/core/test"));
  expect(
    missing.filter((path) => path.includes("/") || ![...all, ...tests].some((file) => file.endsWith(path))),
  ).toEqual([]);
});

test.each(PAGES)("the pages and pictures that %s links to exist", (page) => {
  const text = readFileSync(join(ROOT, page), "utf8").replace(/```[\s\S]*?```/g, "");
  const links = [...text.matchAll(/\]\(([^)\s#]+)[^)]*\)/g)].map((match) => match[1]!);
  const local = links.filter((link) => !/^[a-z]+:/.test(link));
  expect(local.filter((link) => !existsSync(join(ROOT, dirname(page), link)))).toEqual([]);
});
