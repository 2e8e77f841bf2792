import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

export const STEMMA = fileURLToPath(new URL("../bin/stemma.js", import.meta.url));

/** Runs the real command in a process of its own; needs `npm run build`. */
export async function runStemma(
  args: readonly string[],
  { input = "" as string | Uint8Array, cwd = process.cwd() } = {},
) {
  const child = spawn(process.execPath, [STEMMA, ...args], { cwd });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text) => (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text) => (stderr += text));
  child.stdin.on("error", () => {}).end(input);
  const status = await new Promise((resolve) => child.on("close", (code, signal) => resolve(code ?? signal)));
  return { stdout, stderr, status };
}
