// Lines of the sources by folder, in one revision or in two: node bench/data/lines.mjs [--at REV] [--before REV]
// Without --at those of the working tree. Folders are those directly in packages/*/src; files there count as "src".
// With --before also the lines in files that have no predecessor there, by git's detection of renames (two fifths alike).
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { table } from "./markdown.mjs";

const { values } = parseArgs({ options: { at: { type: "string" }, before: { type: "string" } } });
const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const PATHS = ["packages/*/src/*.ts", "packages/*/src/*.tsx"];

/** Lines and files of each folder. @param {string | undefined} revision */
function foldersAt(revision) {
  const at = revision === undefined ? [] : [revision];
  const args = ["grep", "--count", "", ...at, "--", ...PATHS];
  const { stdout, stderr, status } = spawnSync("git", args, { cwd: ROOT, encoding: "utf8", maxBuffer: 1 << 26 });
  if (status !== 0) throw new Error(stderr || `no sources in ${revision ?? "the working tree"}`);
  /** @type {Map<string, { lines: number, files: number }>} */
  const folders = new Map();
  for (const [, name, inside, lines] of stdout.matchAll(/packages\/([^/]+)\/src\/(?:([^/\n]+)\/)?[^:\n]*:(\d+)$/gm)) {
    for (const folder of [`${name}/${inside ?? "src"}`, name, "all"]) {
      const sum = folders.get(folder) ?? { lines: 0, files: 0 };
      folders.set(folder, { lines: sum.lines + Number(lines), files: sum.files + 1 });
    }
  }
  return folders;
}

/** Lines of the files that have no predecessor in a revision. @param {string} before */
function newLines(before) {
  const range = values.at === undefined ? [before] : [before, values.at];
  const args = ["diff", "-M40%", "-l9999", "--numstat", "--diff-filter=A", ...range, "--", ...PATHS];
  const { stdout } = spawnSync("git", args, { cwd: ROOT, encoding: "utf8", maxBuffer: 1 << 26 });
  return [...stdout.matchAll(/^(\d+)\t/gm)].reduce((sum, [, lines]) => sum + Number(lines), 0);
}

const now = foldersAt(values.at);
const before = values.before === undefined ? undefined : foldersAt(values.before);
const named = [...new Set([...now.keys(), ...(before?.keys() ?? [])])].filter((folder) => folder !== "all").sort();
const rows = [...named, "all"].map((folder) => {
  const [then, { lines, files } = { lines: 0, files: 0 }] = [before?.get(folder), now.get(folder)];
  return before
    ? [folder, `${then?.lines ?? 0}`, `${lines}`, `${lines - (then?.lines ?? 0)}`]
    : [folder, `${files}`, `${lines}`];
});
console.log(table(before ? ["folder", "before", "after", "change"] : ["folder", "files", "lines"], rows, 1));
if (values.before !== undefined) console.log(`\nin files without a predecessor: ${newLines(values.before)} lines`);
