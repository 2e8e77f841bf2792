// The image of deploy/Dockerfile, built step by step with buildah and run as Kubernetes runs it: as its user, on a file
// system that is read-only, with the arguments and variables of the manifests. Where the images that it begins with
// cannot be fetched, Node and npm of this machine stand in for them: no more than they have, so that what is missing in
// the image is missing here.
import { spawn, spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";

const USER = 65532;
const BUILD_NAME = "localhost/stemma-test-build";
const RUN_NAME = "localhost/stemma-test-run";

/** Runs a program; its output, or undefined if it fails. @param {string} command @param {string[]} args @param {object} [how] */
function output(command, args, how = {}) {
  const { status, stdout } = spawnSync(command, args, { encoding: "utf8", maxBuffer: 1 << 26, ...how });
  return status === 0 ? stdout.trim() : undefined;
}

/** Whether an image can be built here, and run as root may let others run it. */
export function canBuild() {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return "only root may mount what is run";
  if (output("buildah", ["version"]) === undefined) return "buildah is not there";
  if (output("unshare", ["--mount", "true"]) === undefined) return "this machine may not mount";
  return undefined;
}

/** Copies a program and the libraries that it needs. @param {string} program @param {string} root @param {string} [to] */
function copyProgram(program, root, to = program) {
  const libraries = (output("ldd", [program]) ?? "").matchAll(/(\/\S+) \(0x/g);
  for (const [from, place] of [[program, to], ...[...libraries].map(([, path]) => [path, path])]) {
    const target = join(root, /** @type {string} */ (place));
    mkdirSync(dirname(target), { recursive: true });
    copyFileSync(/** @type {string} */ (from), target);
    chmodSync(target, 0o755);
  }
}

/** An image from nothing. @param {string} name @param {(root: string) => void} fill @param {string[]} config */
function image(name, fill, config) {
  const container = /** @type {string} */ (output("buildah", ["from", "scratch"]));
  const root = /** @type {string} */ (output("buildah", ["mount", container]));
  for (const folder of ["tmp", "etc", "proc", "dev", "root"]) mkdirSync(join(root, folder), { recursive: true });
  chmodSync(join(root, "tmp"), 0o1777);
  fill(root);
  if (config.length > 0) output("buildah", ["config", ...config, container]);
  output("buildah", ["commit", "--quiet", container, name]);
  output("buildah", ["rm", container]);
}

function standInImages() {
  const which = (/** @type {string} */ name) => /** @type {string} */ (output("sh", ["-c", `command -v ${name}`]));
  const npm = output("npm", ["root", "--global"]);
  const registry = output("npm", ["config", "get", "registry"], { cwd: "/" });
  image(
    BUILD_NAME,
    (root) => {
      for (const name of ["sh", "mkdir", "env"]) copyProgram(which(name), root, `/usr/bin/${name}`);
      mkdirSync(join(root, "bin"), { recursive: true });
      copyFileSync(join(root, "usr/bin/sh"), join(root, "bin/sh"));
      copyProgram(process.execPath, root, "/usr/local/bin/node");
      // Parts of the C library that programs load later.
      const libc = /** @type {string} */ (/(\/\S+libc\.so\S*)/.exec(output("ldd", [process.execPath]) ?? "")?.[1]);
      for (const name of readdirSync(dirname(libc)).filter((file) =>
        /^lib(rt|resolv|util|nss_\w+)\.so\.\d$/.test(file),
      ))
        copyProgram(join(dirname(libc), name), root);
      cpSync(join(/** @type {string} */ (npm), "npm"), join(root, "usr/local/lib/npm"), { recursive: true });
      writeFileSync(
        join(root, "usr/local/bin/npm"),
        '#!/bin/sh\nexec /usr/local/bin/node /usr/local/lib/npm/bin/npm-cli.js "$@"\n',
        { mode: 0o755 },
      );
      writeFileSync(join(root, "etc/passwd"), "root:x:0:0:root:/root:/bin/sh\n");
      const certificates = "etc/ssl/certs/ca-certificates.crt";
      if (!existsSync(`/${certificates}`)) return;
      mkdirSync(join(root, dirname(certificates)), { recursive: true });
      copyFileSync(`/${certificates}`, join(root, certificates));
    },
    [
      ...["--env", "PATH=/usr/local/bin:/usr/bin:/bin", "--env", "HOME=/root"],
      ...["--env", `npm_config_registry=${registry}`, "--env", "SSL_CERT_FILE=/etc/ssl/certs/ca-certificates.crt"],
      ...["--env", "NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt"],
    ],
  );
  image(
    RUN_NAME,
    (root) => {
      copyProgram(process.execPath, root, "/nodejs/bin/node");
      writeFileSync(join(root, "etc/passwd"), `nonroot:x:${USER}:${USER}:nonroot:/home/nonroot:/sbin/nologin\n`);
    },
    ["--user", String(USER)],
  );
}

/**
 * Builds the image: with the images that it begins with, or with their stand-ins. Gives where its file system is
 * mounted, its configuration, and what took their place.
 * @param {string} root of the repository @param {string} folder for files
 */
export function buildImage(root, folder) {
  process.env.BUILDAH_ISOLATION ??= "chroot";
  const build = (/** @type {string} */ file) =>
    spawnSync(
      "buildah",
      [
        ...["build", "--quiet", "--layers=false", "--ignorefile=deploy/Dockerfile.dockerignore"],
        ...["-f", file, "-t", "localhost/stemma:test", "."],
      ],
      { cwd: root, encoding: "utf8", maxBuffer: 1 << 26 },
    );
  let standIns = false;
  let built = build("deploy/Dockerfile");
  if (built.status !== 0 && /registry|no such host|dial tcp|denied|CERT_|x509|pinging/i.test(built.stderr)) {
    standIns = true;
    standInImages();
    const names = [BUILD_NAME, RUN_NAME];
    const file = join(folder, "Dockerfile");
    writeFileSync(
      file,
      readFileSync(join(root, "deploy/Dockerfile"), "utf8").replace(/^FROM \S+/gm, () => `FROM ${names.shift()}`),
    );
    built = build(file);
  }
  if (built.status !== 0) return { error: built.stderr.trim().split("\n").slice(-40).join("\n"), standIns };
  const container = /** @type {string} */ (output("buildah", ["from", "localhost/stemma:test"]));
  const mounted = /** @type {string} */ (output("buildah", ["mount", container]));
  const { OCIv1 } = JSON.parse(/** @type {string} */ (output("buildah", ["inspect", container])));
  return { standIns, container, mounted, config: OCIv1.config };
}

/** @param {string | undefined} container */
export function removeImage(container) {
  if (container) output("buildah", ["rm", container]);
  for (const name of ["localhost/stemma:test", BUILD_NAME, RUN_NAME]) output("buildah", ["rmi", "--force", name]);
}

/**
 * Runs the image as Kubernetes would: read-only but for volumes, as its user.
 * @param {{ mounted: string, config: any }} image
 * @param {{ args?: string[], env?: Record<string, string>, cwd?: string, volumes?: Record<string, string> }} how
 */
export function runImage({ mounted, config }, { args = config.Cmd, env = {}, cwd = config.WorkingDir, volumes = {} }) {
  const quote = (/** @type {string} */ text) => `'${text.replaceAll("'", "'\\''")}'`;
  const at = (/** @type {string} */ place) => quote(join(mounted, place));
  for (const place of ["proc", "dev", ...Object.keys(volumes)]) mkdirSync(join(mounted, place), { recursive: true });
  for (const folder of Object.values(volumes)) chownSync(folder, USER, USER);
  const script = [
    "set -e",
    `mount --bind ${quote(mounted)} ${quote(mounted)}`,
    `mount -o remount,ro,bind ${quote(mounted)}`,
    `mount -t proc proc ${at("proc")}`,
    ...Object.entries(volumes).map(([place, folder]) => `mount --bind ${quote(folder)} ${at(place)}`),
    `exec setpriv --no-new-privs unshare --root=${quote(mounted)} --wd=${quote(cwd)} ` +
      `--setgid=${USER} --setuid=${USER} -- ${[...config.Entrypoint, ...args].map(quote).join(" ")}`,
  ].join("\n");
  const variables = {
    ...Object.fromEntries((config.Env ?? []).map((/** @type {string} */ v) => v.split(/=(.*)/s))),
    ...env,
  };
  return spawn("unshare", ["--mount", "--propagation", "private", "sh", "-c", script], {
    env: variables,
    stdio: ["ignore", "pipe", "pipe"],
  });
}
