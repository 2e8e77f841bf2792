// A training that is stopped, damaged or started twice: nothing is lost, and nothing goes on from what is broken.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { deserialize, serialize } from "node:v8";
import { beforeAll, describe, expect, it } from "vitest";
import { makeUp } from "../../../core/test/made-up-language.js";
import { toyTreebank } from "../../../core/test/toy-pipeline.js";
import { loadChecked } from "../../src/files/checkpoint.js";
import { STEMMA, stemma } from "../stemma.js";

let folder: string;
let train: string;
let dev: string;
const path = (name: string) => join(folder, name);
const args = (model: string, ...more: string[]) => ["train", train, "--dev", dev, "--model", path(model), ...more];

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "stemma-resume-"));
  train = path("train.conllu");
  dev = path("dev.conllu");
  writeFileSync(train, makeUp(150, 1, 0.2).join(""));
  writeFileSync(dev, makeUp(40, 2, 0.2).join(""));
});

/** Trains until the text is said, sends the signal, and returns how it ended. */
function until(said: string, signal: NodeJS.Signals, args: string[]): Promise<{ status: number | null; err: string }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [STEMMA, ...args]);
    let err = "";
    let isSent = false;
    child.stderr.on("data", (chunk) => {
      err += chunk;
      if (isSent || !err.includes(said)) return;
      isSent = true;
      child.kill(signal);
    });
    child.on("close", (status) => resolve({ status, err }));
  });
}

describe("a checkpoint", () => {
  it("that is damaged is refused, wherever the damage is", async () => {
    await until("epoch 2:", "SIGKILL", args("a.stemma", "--epochs", "400"));
    const checkpoint = path("a.stemma.checkpoint");
    const whole = readFileSync(checkpoint);
    const refused = /a\.stemma\.checkpoint: (not a checkpoint|the checkpoint is damaged).*delete it to start from/;
    const sixteenths = Array.from({ length: 16 }, (_, k) => Math.floor((k * whole.length) / 16));
    for (const place of [3, 30, 200, ...sixteenths, whole.length - 3]) {
      const damaged = Buffer.from(whole);
      for (let i = 0; i < 20 && place + i < damaged.length; i++) damaged[place + i]! ^= 0x55;
      writeFileSync(checkpoint, damaged);
      await expect(loadChecked(checkpoint)).rejects.toThrow(refused);
    }
    writeFileSync(checkpoint, whole.subarray(0, whole.length - 100));
    const { status, err } = stemma(args("a.stemma", "--epochs", "400", "--resume"));
    expect(status).toBe(2);
    expect(err).toMatch(refused);
    expect(existsSync(path("a.stemma"))).toBe(false);
    writeFileSync(checkpoint, whole);
  });

  it("that cannot be one is refused, although its checksum fits", () => {
    const options = ["--epochs", "400"];
    const checkpoint = path("forged.stemma.checkpoint");
    const whole = readFileSync(path("a.stemma.checkpoint"));
    const start = whole.indexOf(10) + 1;
    const saved = deserialize(whole.subarray(start + 32)) as { state: { epoch: number; members: unknown[] } };
    const [member] = saved.state.members as { weights: { table: number; slots: number; features: number } }[];
    const { weights } = member!;
    const states: unknown[] = [
      undefined,
      { ...saved.state, epoch: "one" },
      { ...saved.state, members: [] },
      { ...saved.state, members: [{ ...member, weights: { ...weights, table: 8 } }] },
      { ...saved.state, members: [{ ...member, weights: { ...weights, features: weights.features + 1 } }] },
      // Without an empty place in the table a search in it would not end.
      { ...saved.state, members: [{ ...member, weights: { ...weights, slots: 2 } }] },
    ];
    const forgeries = [serialize(7), Buffer.from("no data"), ...states.map((state) => serialize({ ...saved, state }))];
    for (const data of forgeries) {
      const checksum = createHash("sha256").update(data).digest();
      writeFileSync(checkpoint, Buffer.concat([whole.subarray(0, start), checksum, data]));
      const { status, err } = stemma(args("forged.stemma", ...options, "--resume"));
      expect(err).toMatch(/forged\.stemma\.checkpoint: the checkpoint is damaged: .*\(delete it to start from/);
      expect(status).toBe(2);
    }
  });

  it("is not thrown away by a run without --resume", () => {
    copyFileSync(path("a.stemma.checkpoint"), path("b.stemma.checkpoint"));
    const before = readFileSync(path("b.stemma.checkpoint"));
    const { status, err } = stemma(args("b.stemma", "--epochs", "2"));
    expect(status).toBe(2);
    expect(err).toContain("b.stemma.checkpoint: left by an interrupted training run (--resume continues it");
    expect(readFileSync(path("b.stemma.checkpoint")).equals(before)).toBe(true);
  });

  it("of fewer epochs can be gone on with: the same bytes as if more had been asked for at once", async () => {
    expect(stemma(args("six.stemma", "--epochs", "6")).status).toBe(0);
    await until("epoch 2:", "SIGKILL", args("more.stemma", "--epochs", "3", "--members", "1"));
    if (!existsSync(path("more.stemma.checkpoint"))) throw new Error("the run was too fast to be killed");
    const resumed = stemma(args("more.stemma", "--epochs", "6", "--resume"));
    expect(resumed.err).toContain("resumed after epoch");
    expect(readFileSync(path("more.stemma")).equals(readFileSync(path("six.stemma")))).toBe(true);
  });
});

describe("a signal", () => {
  it("ends the training with a word on how to go on", async () => {
    const { status, err } = await until("epoch 2:", "SIGINT", args("c.stemma", "--epochs", "4000"));
    expect(status).toBe(130);
    expect(err).toMatch(
      /stopped in epoch \d+: finished epochs are in .*c\.stemma\.checkpoint; continue with .* --resume/,
    );
    expect(readdirSync(folder).filter((name) => name.startsWith("c.stemma"))).toEqual(["c.stemma.checkpoint"]);
  });
});

describe("a lock", () => {
  it("keeps a second training off, is given back, and is taken over from a process that has ended", async () => {
    const child = spawn(process.execPath, [STEMMA, ...args("d.stemma", "--epochs", "4000")]);
    await new Promise<void>((resolve) => child.stderr.once("data", () => resolve()));
    const second = stemma(args("d.stemma", "--epochs", "1"));
    expect(second.status).toBe(2);
    expect(second.err).toContain(`d.stemma.lock: the model is being trained by process ${child.pid} on ${hostname()}`);
    child.kill("SIGKILL");
    await new Promise((resolve) => child.on("close", resolve));
    expect(existsSync(path("d.stemma.lock"))).toBe(true);
    const third = stemma(args("d.stemma", "--epochs", "2", "--resume"));
    expect(third.err).not.toContain("is being trained");
    // Of other machines nothing is known.
    writeFileSync(path("e.stemma.lock"), '{"pid":1,"host":"elsewhere"}\n');
    expect(stemma(args("e.stemma", "--epochs", "1")).err).toContain("process 1 on elsewhere (wait until it ends");
    writeFileSync(path("f.stemma.lock"), `{"pid":${process.pid},"host":"${hostname()}","started":"1"}\n`);
    expect(stemma(args("f.stemma", "--epochs", "1")).status).toBe(0);
    expect(existsSync(path("f.stemma.lock"))).toBe(false);
  });
});

describe("a pipeline", () => {
  it("is scored before it parses, counts sentences once, and finished parts are not trained again", async () => {
    const [own, test] = [path("toy.conllu"), path("toy-dev.conllu")];
    writeFileSync(own, toyTreebank(60, 1).join(""));
    writeFileSync(test, toyTreebank(20, 2).join(""));
    const pipeline = (model: string, ...more: string[]) => [
      "train",
      own,
      "--dev",
      test,
      "--model",
      path(model),
      "--pipeline",
      "--folds",
      "2",
      "--epochs",
      "2",
      ...more,
    ];
    const whole = stemma(pipeline("whole.stemma", "--json"));
    expect(whole.status, whole.err).toBe(0);
    const { parts, data } = JSON.parse(whole.out);
    expect(parts).toMatchObject({ tokens: expect.any(Number), sentences: expect.any(Number) });
    for (const name of ["tokens", "upos", "xpos", "feats", "lemmas"]) expect(parts[name]).toBeGreaterThan(80);
    expect(data.sentences).toBe(60);
    const { words } = data;
    const info = JSON.parse(stemma(["info", "--json", path("whole.stemma")]).out);
    expect(info.origin.treebank).toMatchObject({ sentences: 60, words });
    expect(stemma(["info", path("whole.stemma")]).out).toMatch(/^trained on +toy\.conllu, 60 sentences, /m);
    expect(whole.err).toContain("60 sentences, ");
    expect(whole.err).toMatch(/toy-dev\.conllu: tokens \d+\.\d\d, sentences .*UPOS .*lemmas/);

    await until("epoch 1:", "SIGKILL", pipeline("killed.stemma", "--seed", "3"));
    const part = path("killed.stemma.checkpoint.part-7");
    const when = statSync(part).mtimeMs;
    const broken = path("killed.stemma.checkpoint.part-2");
    copyFileSync(broken, path("kept"));
    writeFileSync(broken, readFileSync(broken).fill(1, 100, 120));
    expect(stemma(pipeline("killed.stemma", "--seed", "3", "--resume")).err).toContain(
      "part-2: the checkpoint is damaged",
    );
    copyFileSync(path("kept"), broken);
    const other = stemma(pipeline("killed.stemma", "--seed", "4", "--resume"));
    expect(other.err).toContain("part-1: belongs to a run with other data or options");
    expect(statSync(part).mtimeMs).toBe(when);
    const resumed = stemma(pipeline("killed.stemma", "--seed", "3", "--resume"));
    expect(resumed.err).toContain("resumed: 7 models before the parser were trained already");
    expect(resumed.status).toBe(0);
    expect(stemma(pipeline("again.stemma", "--seed", "3")).status).toBe(0);
    expect(readFileSync(path("killed.stemma")).equals(readFileSync(path("again.stemma")))).toBe(true);
    expect(readdirSync(folder).filter((name) => /^killed\.stemma\./.test(name))).toEqual([]);
  });
});

describe("the result", () => {
  it("has no scores where nothing was tested", () => {
    const { out } = stemma(["train", train, "--model", path("g.stemma"), "--epochs", "1", "--json"]);
    expect(JSON.parse(out)).toMatchObject({ best: { epoch: 1 }, epochs: [{ epoch: 1 }] });
    expect(out).not.toContain("las");
  });

  it("takes several treebanks with weights, and options from a file", () => {
    const other = path("other.conllu");
    writeFileSync(other, makeUp(41, 5).join(""));
    const counted = (...files: string[]) => {
      const { out, err } = stemma(["train", ...files, "--model", path("w.stemma"), "--epochs", "1", "--json"]);
      return out === "" ? err : JSON.parse(out).data.sentences;
    };
    expect(counted(train, other)).toBe(191);
    expect(counted(`${train}:0.5`, `${other}:2`)).toBe(75 + 82);
    expect(counted(`${other}:x`)).toContain(`${other}:x: invalid weight: x (expected a number above 0`);
    writeFileSync(
      path("options.json"),
      JSON.stringify({ train: "other.conllu", system: "arc-eager", epochs: 1, seed: 4 }),
    );
    const from = (...more: string[]) =>
      stemma(["train", "--config", path("options.json"), "--model", path("h.stemma"), ...more]);
    expect(from().err).toContain("41 sentences");
    expect(from().err).toContain("arc-eager");
    expect(from("--system", "swap").err).toContain("swap, static oracle");
    for (const [config, message] of [
      [{ epoch: 3 }, "options.json: unknown field: epoch (expected train, dev, preset,"],
      [{ epochs: 0 }, "options.json: invalid epochs: 0 (expected a whole number from 1)"],
      [{ system: "arc" }, 'options.json: invalid system: "arc" (expected one of arc-standard,'],
      [{ train: "other.conllu", vocabulary: 500 }, "invalid --vocabulary 500: it would have no effect"],
    ] as const) {
      writeFileSync(path("options.json"), JSON.stringify(config));
      expect(from()).toMatchObject({ status: 2, err: expect.stringContaining(message) });
    }
  });
});
