// Lets every system call that concerns a written file fail, one after the other and in several ways, and looks at what
// is left:
//   node bench/reliability/failing-writes.mjs [--only convert,…] [--every 1]
// (after npm run build; Linux with gcc). Status 0 has to mean the right file, and any other status the old file or the
// right one, never anything else. --every 5: only every fifth call.
import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { constants, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const STEMMA = fileURLToPath(new URL("../../packages/cli/bin/stemma.js", import.meta.url));
const SOURCE = fileURLToPath(new URL("failing-calls.c", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "stemma-writes-"));
const library = join(folder, "failing-calls.so");
const compiled = spawnSync("gcc", ["-shared", "-fPIC", "-O1", "-o", library, SOURCE, "-ldl"], { encoding: "utf8" });
if (process.platform !== "linux" || compiled.status !== 0) {
  console.log(`failing writes: skipped, for they need Linux and gcc${compiled.stderr ? `: ${compiled.stderr}` : ""}`);
  rmSync(folder, { recursive: true });
  process.exit(0);
}

const text = join(folder, "text.txt");
const data = join(folder, "data.conllu");
writeFileSync(text, "The old mill wheel turns slowly. She saw him yesterday.\n\nNobody knew why.\n\n");
writeFileSync(data, spawnSync(process.execPath, [STEMMA, "parse", text]).stdout);
const long = join(folder, "long.conllu");
writeFileSync(long, readFileSync(data, "utf8").repeat(200));

/** @type {Record<string, { args: (out: string) => string[], name?: string, isNew?: boolean }>} */
const COMMANDS = {
  convert: { args: (out) => ["convert", long, "-o", out] },
  "convert to a new file": { args: (out) => ["convert", long, "-o", out], isNew: true },
  "convert to .gz": { args: (out) => ["convert", long, "-o", out], name: "out.gz" },
  parse: { args: (out) => ["parse", text, "-o", out] },
  "parse with two threads": { args: (out) => ["parse", long, "--threads", "2", "-o", out] },
  evaluate: { args: (out) => ["evaluate", data, data, "-o", out] },
  draw: { args: (out) => ["draw", data, "-o", out], name: "out.svg" },
  train: { args: (out) => ["train", data, "--epochs", "2", "--model", out] },
};
const { values } = parseArgs({
  options: {
    only: { type: "string", default: Object.keys(COMMANDS).join(",") },
    every: { type: "string", default: "1" },
  },
});
const { ENOSPC, EIO, EACCES } = constants.errno;
/** Ways to fail; of short writes nothing is wrong. */
const WAYS = { ENOSPC, EIO, EACCES, short: "short", "full from then on": "full", SIGKILL: "kill" };
const OLD = "what was there before\n";

let [runs, silent, wrong, unsaid, left, hung] = [0, 0, 0, 0, 0, 0];
for (const name of values.only.split(",")) {
  const { args, name: file = "out", isNew = false } = /** @type {(typeof COMMANDS)[string]} */ (COMMANDS[name]);
  const place = join(folder, "place");
  const out = join(place, file);
  /** @param {Record<string, string>} env */
  const run = (env) => {
    rmSync(place, { recursive: true, force: true });
    mkdirSync(place);
    if (!isNew) writeFileSync(out, OLD);
    // Calls that go to the kernel through io_uring cannot be seen.
    const own = { LD_PRELOAD: library, FAIL_FOLDER: place, UV_USE_IO_URING: "0", ...env };
    return spawnSync(process.execPath, [STEMMA, ...args(out)], {
      env: { ...process.env, ...own },
      encoding: "utf8",
      timeout: 60_000,
      killSignal: "SIGTERM",
    });
  };
  const count = join(folder, "count");
  const whole = run({ FAIL_COUNT: count });
  if (whole.status !== 0) throw new Error(`${name}: ${whole.stderr}`);
  const right = readFileSync(out);
  const calls = statSync(count).size;
  rmSync(count);
  for (const [way, how] of Object.entries(WAYS)) {
    for (let at = 1; at <= calls; at += Number(values.every)) {
      runs++;
      const { status, signal, stderr } = run({ FAIL_AT: String(at), FAIL_HOW: String(how) });
      const found = existsSync(out) ? readFileSync(out) : undefined;
      const isRight = found?.equals(right) ?? false;
      const isOld = isNew ? found === undefined : (found?.equals(Buffer.from(OLD)) ?? false);
      const report = (/** @type {string} */ what) =>
        console.log(`${name}, call ${at}, ${way}: ${what} (status ${status ?? signal})\n${stderr}`);
      if (status === 0 && !isRight) {
        silent++;
        report(`status 0, and ${found?.length ?? "no"} bytes instead of ${right.length}`);
      } else if (!isRight && !isOld) {
        wrong++;
        report(`neither the old nor the new file: ${found?.length ?? "no"} bytes`);
      }
      if (signal === "SIGTERM") {
        hung++;
        report("no end after 60 s");
      } else if (status !== 0 && way !== "SIGKILL" && (!stderr.includes(out) || /\n\s+at /.test(stderr))) {
        unsaid++;
        report("no message that names the file");
      }
      const temporary = readdirSync(place).filter((entry) => entry.endsWith(".tmp"));
      if (way !== "SIGKILL" && temporary.length > 0) left++;
    }
  }
  console.log(`${name}: ${calls} calls`);
}
console.log(
  `${runs} failures injected: ${silent} times status 0 with another file, ${wrong} times neither old nor new, ${hung} hangs, ` +
    `${unsaid} without a message; ${left} temporary files left (their removal failed too)`,
);
process.exitCode = silent + wrong + unsaid + hung > 0 ? 1 : 0;
rmSync(folder, { recursive: true });
