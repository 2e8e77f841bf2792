// Do models and trees have the same bytes with another number of threads, in another place of the world, on another
// day, on other versions of Node?
//   node bench/reliability/same-elsewhere.mjs [--nodes 22,24] [--only train]
// (after npm run build). --nodes: versions that the package "node" of the npm registry brings. Another day needs
// faketime, and is skipped with a message without it.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const { values } = parseArgs({
  options: { nodes: { type: "string", default: "" }, only: { type: "string", default: "" } },
});
const STEMMA = fileURLToPath(new URL("../../packages/cli/bin/stemma.js", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "stemma-elsewhere-"));
const text = join(folder, "text.txt");
const data = join(folder, "data.conllu");
writeFileSync(
  text,
  "The old mill wheel turns slowly. She can't see him — İstanbul, naïve, 日本語.\n\nNobody knew why.\n\n".repeat(30),
);
writeFileSync(data, spawnSync(process.execPath, [STEMMA, "parse", text]).stdout);

/**
 * Arguments, the file or standard output that counts, and whether it takes a number of threads. @type {Record<string, {
 * args: string[], threads?: boolean }>}
 */
const COMMANDS = {
  "train, linear": { args: ["train", data, "--dev", data, "--epochs", "3", "--model", "OUT"] },
  "train, network": {
    args: [
      "train",
      data,
      "--dev",
      data,
      "--epochs",
      "2",
      "--network",
      "--layers",
      "1",
      "--width",
      "16",
      "--hidden",
      "16",
      "--model",
      "OUT",
    ],
    threads: true,
  },
  "train, pipeline": { args: ["train", data, "--pipeline", "--folds", "2", "--epochs", "2", "--model", "OUT"] },
  "parse of text": { args: ["parse", text, "--scores", "--offsets", "-o", "OUT"], threads: true },
  "parse of CoNLL-U to JSON": { args: ["parse", data, "--retag", "--json", "-o", "OUT"], threads: true },
  evaluate: { args: ["evaluate", data, data, "-o", "OUT"] },
  stats: { args: ["stats", data] },
};

/** @param {string[]} args @param {{ command?: string[], env?: Record<string, string> }} place */
function hash(args, { command = [process.execPath], env = {} }) {
  const out = join(folder, "out");
  rmSync(out, { force: true });
  const all = [...command, STEMMA, ...args.map((arg) => (arg === "OUT" ? out : arg))];
  const { status, stdout, stderr } = spawnSync(/** @type {string} */ (all[0]), all.slice(1), {
    env: { ...process.env, ...env },
  });
  if (status !== 0) return `status ${status}: ${stderr}`;
  return createHash("sha256")
    .update(existsSync(out) ? readFileSync(out) : stdout)
    .digest("hex")
    .slice(0, 16);
}

/** @type {[string, { command?: string[], env?: Record<string, string> }][]} */
const PLACES = [
  ["Turkish, in Kiritimati", { env: { LANG: "tr_TR.UTF-8", LC_ALL: "tr_TR.UTF-8", TZ: "Pacific/Kiritimati" } }],
  ["the locale C", { env: { LANG: "C", LC_ALL: "C", TZ: "UTC" } }],
];
if (spawnSync("faketime", ["--version"]).error) console.log("another day: skipped, faketime is not installed");
else PLACES.push(["29 February 2040", { command: ["faketime", "2040-02-29 23:59:59", process.execPath] }]);
for (const version of values.nodes.split(",").filter(Boolean)) {
  const { status, stderr } = spawnSync("npm", ["install", "--prefix", join(folder, version), `node@${version}`], {
    encoding: "utf8",
  });
  const node = join(folder, version, "node_modules/node/bin/node");
  const found = spawnSync(node, ["--version"], { encoding: "utf8" });
  if (status !== 0 || found.status !== 0) console.log(`Node ${version}: skipped, npm does not bring it: ${stderr}`);
  else PLACES.push([`Node ${found.stdout.trim()}`, { command: [node] }]);
}

let unlike = 0;
for (const [name, { args, threads }] of Object.entries(COMMANDS)) {
  if (!name.includes(values.only)) continue;
  const here = hash(args, {});
  if (here.startsWith("status")) throw new Error(`${name}: ${here}`);
  const others = PLACES.map(([place, how]) => /** @type {const} */ ([place, hash(args, how)]));
  if (threads) for (const n of ["1", "2", "3"]) others.push([`${n} threads`, hash([...args, "--threads", n], {})]);
  for (const [place, found] of others) {
    if (found === here) continue;
    unlike++;
    console.log(`FAILED ${name}: ${place}: ${found}, here ${here}`);
  }
  console.log(
    `${name}: ${here}: the same with ${others
      .filter(([, found]) => found === here)
      .map(([place]) => place)
      .join("; ")}`,
  );
}
rmSync(folder, { recursive: true });
process.exitCode = unlike > 0 ? 1 : 0;
