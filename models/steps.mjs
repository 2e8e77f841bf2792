// Steps that are done once: each leaves a note of what went in and what came out.
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** @param {string | Uint8Array} data */
export const sha256 = (data) => createHash("sha256").update(data).digest("hex");

/**
 * The hash of a file, or of all files of a folder with their names.
 *
 * @param {string} path
 */
export function hashOf(path) {
  if (!statSync(path).isDirectory()) return sha256(readFileSync(path));
  const files = readdirSync(path).sort();
  return sha256(files.map((name) => `${name} ${sha256(readFileSync(join(path, name)))}\n`).join(""));
}

/**
 * Writes a file that is complete or not there.
 *
 * @param {string} path
 * @param {string | Uint8Array} data
 */
export function writeWhole(path, data) {
  writeFileSync(`${path}.part`, data);
  renameSync(`${path}.part`, path);
}

/**
 * Does a step unless its output is there from the same input, unchanged. What a killed step has left is for the step
 * itself to go on from.
 *
 * @param {string} folder
 * @param {string} name
 * @param {unknown} input everything that the output depends on
 * @param {readonly string[]} outputs files or folders in the folder
 * @param {() => void} run
 * @param {(text: string) => void} say
 * @returns {boolean} whether it was done now
 */
export function step(folder, name, input, outputs, run, say) {
  const note = join(folder, `${name}.done.json`);
  const key = sha256(JSON.stringify(input));
  if (existsSync(note)) {
    const before = JSON.parse(readFileSync(note, "utf8"));
    const isSame = outputs.every((file) => {
      const path = join(folder, file);
      return existsSync(path) && hashOf(path) === before.outputs[file];
    });
    if (before.key === key && isSame) {
      say(`${name}: there`);
      return false;
    }
  }
  say(`${name} …`);
  run();
  const hashes = Object.fromEntries(outputs.map((file) => [file, hashOf(join(folder, file))]));
  writeWhole(note, `${JSON.stringify({ key, outputs: hashes }, null, 2)}\n`);
  return true;
}
