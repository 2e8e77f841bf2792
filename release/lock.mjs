// Checks that every package of the lock files has a checksum, so that npm ci installs what was looked at or nothing:
// node release/lock.mjs [--fill]. With --fill, checksums that are missing are taken from the registry; a registry that
// leaves out packages for other systems does not have them all.
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
let missing = 0;
for (const file of ["package-lock.json", "release/package-lock.json", "bench/mutation/package-lock.json"]) {
  const lock = JSON.parse(readFileSync(root + file, "utf8"));
  for (const [path, entry] of Object.entries(lock.packages)) {
    if (!path.includes("node_modules/") || entry.link || entry.integrity) continue;
    const wanted = `${path.replace(/.*node_modules\//, "")}@${entry.version}`;
    if (process.argv.includes("--fill")) {
      const { stdout } = spawnSync("npm", ["view", wanted, "dist.integrity"], { encoding: "utf8" });
      if (/^sha512-\S+\s*$/.test(stdout)) {
        entry.integrity = stdout.trim();
        continue;
      }
    }
    missing++;
    console.log(`${file}: no checksum of ${wanted}`);
  }
  if (process.argv.includes("--fill")) writeFileSync(root + file, `${JSON.stringify(lock, null, 2)}\n`);
}
process.exitCode = missing > 0 ? 1 : 0;
