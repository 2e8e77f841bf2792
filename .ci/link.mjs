// Links packages that are new since the last npm install, so that the others find them: part of npm run build.
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { dirname, relative } from "node:path";
import { fileURLToPath } from "node:url";

const packages = new URL("../packages/", import.meta.url);
for (const folder of readdirSync(packages)) {
  const file = new URL(`${folder}/package.json`, packages);
  if (!existsSync(file)) continue;
  const { name } = JSON.parse(readFileSync(file, "utf8"));
  const link = fileURLToPath(new URL(`../node_modules/${name}`, packages));
  if (existsSync(link)) continue;
  mkdirSync(dirname(link), { recursive: true });
  symlinkSync(relative(dirname(link), fileURLToPath(new URL(folder, packages))), link, "junction");
}
