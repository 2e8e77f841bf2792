// A bill of materials for each package (CycloneDX 1.5), beside the packed packages: node release/sbom.mjs [FOLDER], after
// npm run pack. A package holds its dependencies, as package-lock.json has them, and what is bundled into it, as the
// build says; what is bundled has to be in NOTICES.md. The same packages give the same bytes.
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";

const root = fileURLToPath(new URL("..", import.meta.url));
const folder = resolve(process.argv[2] ?? join(root, "packed"));
const lock = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")).packages;

/** @param {string} name @param {string} version */
const purl = (name, version) => `pkg:npm/${name.replace("@", "%40")}@${version}`;

/** A package of the lock file. @param {string} name @param {boolean} isBundled */
function component(name, isBundled) {
  const path = `node_modules/${name}`;
  const { version, integrity, license, link, resolved } = lock[path];
  const own = link ? lock[resolved] : undefined;
  const known = own?.version ?? version;
  const [algorithm, digest] = (integrity ?? "").split(/-(.*)/s);
  return {
    type: "library",
    "bom-ref": purl(name, known),
    name,
    version: known,
    scope: "required",
    purl: purl(name, known),
    ...(digest
      ? { hashes: [{ alg: algorithm.replace("sha", "SHA-"), content: Buffer.from(digest, "base64").toString("hex") }] }
      : {}),
    ...licences(own?.license ?? license),
    properties: [{ name: "stemma:bundled", value: String(isBundled) }],
  };
}

/** @param {string | undefined} licence */
function licences(licence) {
  return licence === undefined
    ? {}
    : { licenses: [/ /.test(licence) ? { expression: licence } : { license: { id: licence } }] };
}

/** The dependencies of packages, and theirs. @param {string[]} names */
function withDependencies(names) {
  const found = new Set(names);
  for (const name of found) {
    const { link, resolved, dependencies = {} } = lock[`node_modules/${name}`];
    for (const other of Object.keys(link ? (lock[resolved].dependencies ?? {}) : dependencies)) found.add(other);
  }
  return [...found].sort();
}

/** The libraries that are bundled into Studio's page. */
async function bundled() {
  const names = new Set();
  const look = {
    name: "look",
    generateBundle(/** @type {unknown} */ _, /** @type {Record<string, any>} */ bundle) {
      for (const chunk of Object.values(bundle)) {
        for (const id of Object.keys(chunk.modules ?? {})) {
          const name = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(id)?.[1];
          if (name) names.add(name);
        }
      }
    },
  };
  const studio = join(root, "packages/studio");
  await build({
    root: studio,
    configFile: join(studio, "vite.config.ts"),
    logLevel: "silent",
    plugins: [look],
    worker: { plugins: () => [look] },
    build: { write: false },
  });
  return [...names].sort();
}

const own = new Map(
  Object.entries(lock)
    .filter(([path]) => /^packages\/[^/]+$/.test(path))
    .map(([path, entry]) => [
      entry.name ?? JSON.parse(readFileSync(join(root, path, "package.json"), "utf8")).name,
      path,
    ]),
);
for (const [name, path] of [...own].sort()) {
  const { version, license, dependencies = {} } = JSON.parse(readFileSync(join(root, path, "package.json"), "utf8"));
  const file = `${name.replace("@", "").replace("/", "-")}-${version}.tgz`;
  if (!existsSync(join(folder, file))) throw new Error(`${join(folder, file)} is not there (npm run pack makes it)`);
  const inside =
    name === "@stemma/studio" ? await bundled() : name === "stemma" ? ["@stemma/core", "@stemma/server"] : [];
  const notices = join(root, path, "NOTICES.md");
  const foreign = inside.filter((other) => !own.has(other));
  const unnamed = foreign.filter((other) => !new RegExp(`[[\`]${other}[\\]\`]`).test(readFileSync(notices, "utf8")));
  if (unnamed.length > 0) throw new Error(`${notices} does not name ${unnamed.join(", ")}`);
  const components = [
    ...withDependencies(Object.keys(dependencies)).map((other) => component(other, false)),
    ...inside.map((other) => component(other, true)),
  ];
  const bytes = readFileSync(join(folder, file));
  const bom = {
    bomFormat: "CycloneDX",
    specVersion: "1.5",
    version: 1,
    metadata: {
      component: {
        type: "library",
        "bom-ref": purl(name, version),
        name,
        version,
        purl: purl(name, version),
        hashes: [{ alg: "SHA-512", content: createHash("sha512").update(bytes).digest("hex") }],
        ...licences(license),
      },
    },
    components,
    dependencies: [{ ref: purl(name, version), dependsOn: components.map((other) => other["bom-ref"]) }],
  };
  writeFileSync(join(folder, file.replace(/\.tgz$/, ".cdx.json")), `${JSON.stringify(bom, null, 2)}\n`);
}
console.log(
  `${readdirSync(folder).filter((name) => name.endsWith(".cdx.json")).length} bills of materials in ${folder}`,
);
