// Makes dist/program/, the command line in few files with the core inside: it starts in less than half the time that the
// hundreds of modules beside it take, and so does every thread. Commands and the scripts of threads stay files of their
// own, under the names that they have in dist/.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "vite";

const ENTRIES = /^(main|commands\/[^/]+|(?!program\/).*worker)\.js$/;
/** Folders of the core that cannot change what a training run gives. */
const WITHOUT_EFFECT = /^(drawing|evaluation)\/|^(index|stemma\.min)\.js$/;

const core = fileURLToPath(new URL("../core/dist/", import.meta.url));
const dist = fileURLToPath(new URL("dist/", import.meta.url));
const program = fileURLToPath(new URL("dist/program/", import.meta.url));

/** The scripts in a folder, as paths from there with slashes. @param {string} folder */
const scripts = (folder) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((path) => path.replaceAll("\\", "/"))
    .filter((path) => path.endsWith(".js"))
    .sort();

await build({
  configFile: false,
  logLevel: "warn",
  ssr: { noExternal: ["@stemma/core"] },
  build: {
    ssr: true,
    outDir: program,
    emptyOutDir: true,
    target: "node20",
    minify: false,
    rollupOptions: {
      input: Object.fromEntries(
        scripts(dist)
          .filter((path) => ENTRIES.test(path))
          .map((path) => [path.slice(0, -3), dist + path]),
      ),
      output: { entryFileNames: "[name].js", chunkFileNames: "[name]-[hash].js" },
    },
  },
});

// Results of experiments say which code trained.
const hash = createHash("sha256");
for (const path of scripts(core).filter((path) => !WITHOUT_EFFECT.test(path)))
  hash.update(`${path}\n`).update(readFileSync(core + path));
hash.update(readFileSync(`${dist}experiment/cell-worker.js`));
writeFileSync(`${program}build.json`, `${JSON.stringify({ build: hash.digest("hex").slice(0, 12) })}\n`);
