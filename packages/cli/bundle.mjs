// Makes dist/program/, the command line in few files with the core and the server inside: it starts in less than half
// the time that the hundreds of modules beside it take, and so does every thread. Commands stay files of their own, and
// so do the scripts of threads, under the names that they have in dist/. The page of the server goes to dist/page/.
import { createHash } from "node:crypto";
import { cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "vite";

const ENTRIES = /^(main|.*-worker)\.js$/;
/** Folders of the core that cannot change what a training run gives. */
const WITHOUT_EFFECT = /^(drawing|evaluation)\/|^(index|stemma\.min)\.js$/;

const core = fileURLToPath(new URL("../core/dist/", import.meta.url));
const dist = fileURLToPath(new URL("dist/", import.meta.url));
const program = fileURLToPath(new URL("dist/program/", import.meta.url));

/**
 * The scripts of a dist folder, as paths from there with slashes: those that have a source, as some may be left from
 * before it was moved. @param {string} folder
 */
const scripts = (folder) =>
  readdirSync(folder.replace(/dist.$/, "src"), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts") && !path.endsWith(".d.ts"))
    .map((path) => path.replaceAll("\\", "/").replace(/ts$/, "js"))
    .sort();

await build({
  configFile: false,
  logLevel: "warn",
  // Not the core as Node gets it, in few large files: a command takes the modules that it needs.
  ssr: { noExternal: ["@stemma/core", "@stemma/server"], resolve: { conditions: ["module"] } },
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

cpSync(new URL("../server/page/", import.meta.url), new URL("dist/page/", import.meta.url), { recursive: true });

// Results of experiments say which code trained.
const hash = createHash("sha256");
for (const path of scripts(core).filter((path) => !WITHOUT_EFFECT.test(path)))
  hash.update(`${path}\n`).update(readFileSync(core + path));
hash.update(readFileSync(`${dist}experiment/cell-worker.js`));
writeFileSync(`${program}build.json`, `${JSON.stringify({ build: hash.digest("hex").slice(0, 12) })}\n`);
