// Keeps CHANGELOG.md: node release/changelog.mjs writes what the files in .changeset say under "Unreleased" (npm run
// changelog); with --release it makes a version of that section, after changesets has set the version of the packages
// (npm run release:version).
import { readdirSync, readFileSync, writeFileSync } from "node:fs";

const CHANGESETS = new URL("../.changeset/", import.meta.url);
const CHANGELOG = new URL("../CHANGELOG.md", import.meta.url);
const PACKAGE = new URL("../packages/cli/package.json", import.meta.url);
const UNRELEASED = /^## Unreleased\n[\s\S]*?(?=^## |$(?![\s\S]))/m;

/** The texts of the changesets, in the order of their names. */
function changes() {
  const files = readdirSync(CHANGESETS).filter((name) => name.endsWith(".md") && name !== "README.md");
  const texts = files.sort().map((name) => {
    const [, text] = /^---\n[\s\S]*?\n---\n([\s\S]*)$/.exec(readFileSync(new URL(name, CHANGESETS), "utf8")) ?? [];
    if (text === undefined)
      throw new Error(`.changeset/${name}: expected packages between two lines of ---, then a text`);
    return text.trim();
  });
  return texts.length > 0 ? texts.join("\n\n") : "Nothing yet.";
}

const changelog = readFileSync(CHANGELOG, "utf8");
if (!UNRELEASED.test(changelog)) throw new Error('CHANGELOG.md: expected a section "## Unreleased"');
let written;
if (process.argv.includes("--release")) {
  const { version } = JSON.parse(readFileSync(PACKAGE, "utf8"));
  if ([...changelog.matchAll(/^## (\S+)/gm)].some(([, known]) => known === version))
    throw new Error(`CHANGELOG.md has version ${version} already`);
  const date = new Date().toISOString().slice(0, 10);
  written = changelog.replace("## Unreleased\n", () => `## Unreleased\n\nNothing yet.\n\n## ${version} (${date})\n`);
} else written = changelog.replace(UNRELEASED, () => `## Unreleased\n\n${changes()}\n\n`);
if (process.argv.includes("--check")) {
  if (written !== changelog)
    throw new Error("CHANGELOG.md does not have what is in .changeset: npm run changelog writes it");
} else writeFileSync(CHANGELOG, written);
