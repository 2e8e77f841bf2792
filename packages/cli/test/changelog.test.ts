import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { MODEL_FORMAT_VERSION } from "@stemma/core";
import { expect, test } from "vitest";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const CHANGELOG = readFileSync(`${ROOT}CHANGELOG.md`, "utf8");
const nameAndVersion = (folder: string): { name: string; version: string } =>
  JSON.parse(readFileSync(`${ROOT}packages/${folder}/package.json`, "utf8"));

test("the changelog has what the changesets say, and the present version", () => {
  const { stderr, status } = spawnSync(process.execPath, [`${ROOT}release/changelog.mjs`, "--check"], {
    encoding: "utf8",
  });
  expect({ stderr, status }).toEqual({ stderr: "", status: 0 });
  expect(CHANGELOG).toMatch(new RegExp(`^## ${nameAndVersion("cli").version.replaceAll(".", "\\.")}\\b`, "m"));
});

test("changesets name packages that are there", () => {
  const folders = readdirSync(`${ROOT}packages`, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const names = folders.map((folder) => nameAndVersion(folder.name).name);
  for (const file of readdirSync(`${ROOT}.changeset`).filter((name) => name.endsWith(".md") && name !== "README.md")) {
    const [, packages] = /^---\n([\s\S]*?)\n---\n/.exec(readFileSync(`${ROOT}.changeset/${file}`, "utf8"))!;
    for (const line of packages!.split("\n")) {
      const [, name] = /^"([^"]+)": (?:patch|minor|major)$/.exec(line) ?? [];
      expect({ file, line, isKnown: names.includes(name ?? "") }).toEqual({ file, line, isKnown: true });
    }
  }
});

test("the policy for model files knows the newest format", () => {
  const formats = [...readFileSync(`${ROOT}docs/releasing.md`, "utf8").matchAll(/^\| (\d+) +\|/gm)].map(
    (row) => +row[1]!,
  );
  expect(Math.max(...formats)).toBe(MODEL_FORMAT_VERSION);
});
