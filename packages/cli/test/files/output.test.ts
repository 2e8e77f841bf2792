// Files when something goes wrong: they have their old content or all of the new, and the status says
// which.
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeUp } from "../../../core/test/made-up-language.js";
import { toyPipelineFile } from "../../../core/test/toy-pipeline-file.js";
import { shell, start, stemma } from "../stemma.js";

let folder: string;
let treebank: string;
let model: string;
const mounted: string[] = [];

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "stemma-output-"));
  treebank = join(folder, "treebank.conllu");
  writeFileSync(treebank, makeUp(1500, 1).join(""));
  model = join(folder, "toy.stemma");
  writeFileSync(model, toyPipelineFile());
});

afterAll(() => {
  for (const path of mounted) spawnSync("umount", [path]);
});

/** A disk of so many kilobytes; undefined, with a message, where none can be mounted. */
function smallDisk(name: string, kilobytes: number): string | undefined {
  const path = join(folder, name);
  mkdirSync(path);
  if (spawnSync("mount", ["-t", "tmpfs", "-o", `size=${kilobytes}k`, "tmpfs", path]).status === 0) {
    mounted.push(path);
    return path;
  }
  console.warn("no small disk can be mounted (that takes root): what a full disk does is not tested");
  return undefined;
}

function own(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

describe("a full disk", () => {
  it("leaves the old file, says so, and has a status other than 0", ({ skip }) => {
    const disk = smallDisk("full", 64);
    if (!disk) return skip();
    const file = join(disk, "data.conllu");
    const before = makeUp(40, 3).join("");
    writeFileSync(file, before);
    writeFileSync(join(disk, "filler"), "x".repeat(64 * 1024 - 8192 - 4096 * Math.ceil(before.length / 4096)));
    for (const args of [
      ["convert", "-o", file, treebank],
      ["parse", "--model", model, "-o", file, treebank],
      ["draw", "-o", file, treebank],
      ["evaluate", "-o", file, "--json", "--by", "all", treebank, treebank],
    ]) {
      const { status, err } = stemma(args);
      expect({ args, status, err }).toEqual({ args, status: 2, err: `${file}: cannot write: no space left\n` });
      expect(readFileSync(file, "utf8")).toBe(before);
      expect(readdirSync(disk).sort()).toEqual(["data.conllu", "filler"]);
    }
  });

  it("also when only the last write fails, or only a part of it is written", ({ skip }) => {
    const all = readFileSync(treebank);
    const disk = smallDisk("tight", Math.floor(all.length / 1024) - 8);
    if (!disk) return skip();
    const file = join(disk, "copy.conllu");
    expect(stemma(["convert", "-o", file, treebank])).toMatchObject({ status: 2 });
    expect(readdirSync(disk)).toEqual([]);
    const { status, err } = shell(`$stemma convert "${treebank}" > "${file}"`);
    expect({ status, err }).toEqual({ status: 2, err: "<stdout>: cannot write: no space left\n" });
  });

  it("with threads, in the middle of the work", ({ skip }) => {
    const disk = smallDisk("threads", 128);
    if (!disk) return skip();
    for (const threads of ["1", "2"]) {
      const file = join(disk, "parsed.conllu");
      const { status, err } = stemma(["parse", "--model", model, "--threads", threads, "-o", file, treebank, treebank]);
      expect({ threads, status, err }).toEqual({ threads, status: 2, err: `${file}: cannot write: no space left\n` });
      expect(readdirSync(disk)).toEqual([]);
    }
  });

  it("as /dev/full has it", () => {
    const direct = stemma(["convert", "-o", "/dev/full", treebank]);
    expect(direct).toEqual({ status: 2, out: "", err: "/dev/full: cannot write: no space left\n" });
    const parse = `parse --threads 2 --model "${model}" "${treebank}"`;
    for (const command of [`convert "${treebank}"`, parse, "--help", "parse --help", "--version"]) {
      const { status, err } = shell(`$stemma ${command} > /dev/full`);
      expect({ status, err }).toEqual({ status: 2, err: "<stdout>: cannot write: no space left\n" });
    }
  });

  it.skipIf(process.platform !== "linux")("as a closed output has it, not one that nobody wants", () => {
    for (const line of [
      `$stemma convert "${treebank}" >&-; exit $?`,
      `exec >&-; timeout 50 $stemma convert "${treebank}"`,
      "$stemma --version >&-; exit $?",
    ]) {
      const { status, err } = shell(line);
      expect({ status, err }).toEqual({
        status: 2,
        err: "<stdout>: cannot write: it is closed (use > /dev/null to throw the output away)\n",
      });
    }
    expect(shell(`$stemma convert "${treebank}" > /dev/null; exit $?`)).toMatchObject({ status: 0, err: "" });
    expect(stemma(["convert", treebank], { stdio: ["ignore", "ignore", "pipe"] })).toMatchObject({
      status: 0,
      err: "",
    });
  });

  it("as a limit on the size of files has it", () => {
    const file = own("limited.conllu", "old");
    const { status, err } = shell(`ulimit -f 100; $stemma convert -o "${file}" "${treebank}"`);
    expect({ status, err }).toEqual({
      status: 2,
      err: `${file}: cannot write: the file would be larger than permitted\n`,
    });
    expect(readFileSync(file, "utf8")).toBe("old");
    expect(readdirSync(folder).filter((name) => name.endsWith(".tmp"))).toEqual([]);
  });
});

describe("what is not a plain file", () => {
  it("a pipe with a name is written, not replaced", async () => {
    const pipe = join(folder, "pipe");
    expect(spawnSync("mkfifo", [pipe]).status).toBe(0);
    const { status, out } = shell(`$stemma convert -o "${pipe}" "${treebank}" & cat "${pipe}"; wait $!`);
    expect(status).toBe(0);
    expect(out).toBe(readFileSync(treebank, "utf8"));
    expect(statSync(pipe).isFIFO()).toBe(true);
  });

  it("a device is written or refused, never replaced", ({ skip }) => {
    const device = join(folder, "null");
    if (spawnSync("mknod", [device, "c", "1", "3"]).status !== 0) {
      console.warn("no device can be made (that takes root)");
      return skip();
    }
    expect(stemma(["convert", "-o", device, treebank])).toMatchObject({ status: 0, err: "" });
    const refused = stemma(["train", treebank, "--epochs", "1", "--model", device]);
    expect(refused.status).toBe(2);
    expect(refused.err).toBe(`invalid --model: ${device} (expected a file, not a device or a pipe)\n`);
    expect(lstatSync(device).isCharacterDevice()).toBe(true);
  });

  it("a link stays a link, and the file keeps its mode", () => {
    const file = own("real.conllu", "old");
    chmodSync(file, 0o600);
    const link = join(folder, "link.conllu");
    symlinkSync("real.conllu", link);
    expect(stemma(["convert", "-o", link, treebank]).status).toBe(0);
    expect(readlinkSync(link)).toBe("real.conllu");
    expect(readFileSync(file).equals(readFileSync(treebank))).toBe(true);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const nowhere = join(folder, "nowhere.stemma");
    symlinkSync("new.stemma", nowhere);
    expect(stemma(["train", treebank, "--epochs", "1", "--model", nowhere]).status).toBe(0);
    expect(readlinkSync(nowhere)).toBe("new.stemma");
    expect(statSync(join(folder, "new.stemma")).isFile()).toBe(true);
  });

  it("a directory, a folder that is not there, and a folder that takes no files", () => {
    expect(stemma(["convert", "-o", folder, treebank]).err).toBe(`${folder}: cannot write: is a directory\n`);
    const lost = join(folder, "no", "such");
    expect(stemma(["convert", "-o", lost, treebank]).err).toContain(`${lost}: cannot write: no such file or directory`);
    const { err, status } = stemma(["convert", "-o", "/proc/x.conllu", treebank]);
    expect({ status, err }).toEqual({ status: 2, err: "/proc/x.conllu: cannot write: no such file or directory\n" });
  });
});

describe("a name that ends in .gz", () => {
  it("is that of a compressed file, the same bytes every time", () => {
    const [one, two] = [join(folder, "one.conllu.gz"), join(folder, "two.conllu.gz")];
    for (const file of [one, two]) expect(stemma(["convert", "-o", file, treebank]).status).toBe(0);
    expect(gunzipSync(readFileSync(one)).equals(readFileSync(treebank))).toBe(true);
    expect(readFileSync(one).equals(readFileSync(two))).toBe(true);
    expect(stemma(["convert", one]).out).toBe(readFileSync(treebank, "utf8"));
  });
});

describe("an output that is also an input", () => {
  it("is refused where it would be lost", () => {
    const file = own("precious.conllu", makeUp(5, 1).join(""));
    const before = readFileSync(file, "utf8");
    for (const args of [
      ["evaluate", file, treebank, "-o", file],
      ["stats", file, "-o", file],
      ["draw", file, "-o", file],
      ["trace", "--system", "swap", file, "-o", file],
      ["derivations", file, "-o", file],
      ["instances", file, "-o", file],
      ["instances", file, "-o", "/dev/null", "--classes", file],
      ["oracle", file, "-o", file],
      ["train", file, "--model", file],
      ["train", treebank, "--dev", file, "--model", file],
      ["parse", "--model", model, "-o", model, file],
    ]) {
      const { status, err } = stemma(args);
      expect({ args, status, err }).toMatchObject({ args, status: 2 });
      expect(err).toMatch(/^invalid -\S+: .* \(expected a file other than .*, which it would replace\)\n$/);
      expect(readFileSync(file, "utf8")).toBe(before);
    }
    expect(stemma(["convert", file, "-o", file]).status).toBe(0);
    expect(readFileSync(file, "utf8")).toBe(before);
  });
});

describe("a signal", () => {
  it("leaves no temporary file, and the old one as it was", async () => {
    const file = own("interrupted.conllu", "old");
    const child = start("convert", "-o", file);
    child.stdin.write(readFileSync(treebank));
    while (!readdirSync(folder).some((name) => name.endsWith(".tmp"))) await new Promise((r) => setTimeout(r, 20));
    const ended = new Promise((resolve) => child.on("close", (_, signal) => resolve(signal)));
    child.kill("SIGTERM");
    expect(await ended).toBe("SIGTERM");
    expect(readdirSync(folder).filter((name) => name.endsWith(".tmp"))).toEqual([]);
    expect(readFileSync(file, "utf8")).toBe("old");
    expect(existsSync(file)).toBe(true);
  });

  it("of a reader that has gone has its status, and messages that nobody reads do no harm", () => {
    expect(shell(`set -o pipefail; $stemma convert "${treebank}" | head -1`)).toMatchObject({ status: 141, err: "" });
    const trained = join(folder, "unheard.stemma");
    const { status } = shell(
      `set -o pipefail; $stemma train "${treebank}" --epochs 3 --model "${trained}" 2>&1 | head -1`,
    );
    expect(status).toBe(0);
    expect(statSync(trained).size).toBeGreaterThan(1000);
  });
});
