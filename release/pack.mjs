// Packs all packages as npm would publish them, into one folder: node release/pack.mjs [FOLDER] (npm run pack, which
// builds before), into packed if none is given.
import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const folder = resolve(process.argv[2] ?? `${root}packed`);
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const args = ["pack", "--workspaces", "--ignore-scripts", "--loglevel=error", "--pack-destination", folder];
execFileSync("npm", args, { cwd: root, stdio: "inherit", shell: process.platform === "win32" });
