import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** Folders of the core that cannot change what a training run gives. */
const WITHOUT_EFFECT = /^(drawing|evaluation|pipeline)[/\\]|^index\.js$/;

/** The version of the program, and a hash of the code that trains: between versions the code changes too. */
export function programIdentity(): { version: string; build: string } {
  const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as {
    version: string;
  };
  const folder = dirname(fileURLToPath(import.meta.resolve("@stemma/core")));
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".js") && !WITHOUT_EFFECT.test(name))
    .sort();
  const hash = createHash("sha256");
  for (const name of files) hash.update(`${name.replaceAll("\\", "/")}\n`).update(readFileSync(join(folder, name)));
  hash.update(readFileSync(new URL("./cell-worker.js", import.meta.url)));
  return { version, build: hash.digest("hex").slice(0, 12) };
}
