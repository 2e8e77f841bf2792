// Builds and packs the commit that is checked out twice, in folders of different names, and compares the bytes:
// node release/reproduce.mjs. Needs git, and what npm ci installs.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "stemma-reproduce-"));
const builds = ["one", "another-with-a-longer-name"].map((name) => {
  const at = join(folder, name);
  mkdirSync(at);
  execFileSync("sh", ["-c", `git -C "$0" archive HEAD | tar -x -C "$1"`, root, at], { stdio: "inherit" });
  const npm = (/** @type {string[]} */ ...args) =>
    execFileSync("npm", args, { cwd: at, stdio: ["ignore", "ignore", "inherit"] });
  npm("ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error");
  npm("run", "build");
  execFileSync(process.execPath, [join(at, "release/pack.mjs")], { stdio: "ignore" });
  const packed = join(at, "packed");
  return new Map(
    readdirSync(packed).map((file) => [
      file,
      createHash("sha256")
        .update(readFileSync(join(packed, file)))
        .digest("hex"),
    ]),
  );
});
const [one, other] = /** @type {[Map<string, string>, Map<string, string>]} */ (builds);
const different = [...one.keys()].filter((file) => one.get(file) !== other.get(file));
for (const [file, hash] of one) console.log(`${different.includes(file) ? "DIFFERENT" : "same"} ${hash} ${file}`);
rmSync(folder, { recursive: true });
process.exitCode = different.length > 0 || one.size === 0 || one.size !== other.size ? 1 : 0;
