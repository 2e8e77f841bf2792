import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { defineConfig, type Plugin } from "vite";

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));
const MODEL = path("../model-en/en.stemma");
/** The page offers it where it was trained. */
const LARGE_MODEL = path("../model-en-large/en-large.stemma");

/**
 * Puts the models beside the page, so that the folder is all a web host needs; packed, because hosts seldom pack what
 * they do not know. `stemma studio` serves the installed one instead.
 */
function model(): Plugin {
  return {
    name: "stemma-model",
    apply: "build",
    generateBundle() {
      const list: { name: string; file: string; bytes: number }[] = [];
      if (!existsSync(MODEL)) this.warn(`${MODEL}: no such file; the page will ask for a model`);
      for (const model of [MODEL, LARGE_MODEL]) {
        if (!existsSync(model)) continue;
        const source = gzipSync(readFileSync(model), { level: 9 });
        const name = basename(model);
        this.emitFile({ type: "asset", fileName: name, source });
        list.push({ name, file: name, bytes: source.length });
      }
      this.emitFile({ type: "asset", fileName: "models.json", source: JSON.stringify(list) });
    },
  };
}

/** The service worker, with the files of this build and a version that follows from their names. */
function serviceWorker(): Plugin {
  return {
    name: "stemma-service-worker",
    apply: "build",
    generateBundle: {
      order: "post",
      handler(_, bundle) {
        const built = Object.keys(bundle).filter((name) => /^assets\/|\.html$/.test(name));
        const files = [
          "./",
          "icon.svg",
          "manifest.webmanifest",
          "models.json",
          ...built.filter((name) => name !== "index.html"),
        ].sort();
        const page = bundle["index.html"];
        const hash = createHash("sha256").update(files.join());
        if (page?.type === "asset") hash.update(page.source);
        const source = readFileSync(path("src/offline/service-worker.js"), "utf8")
          .replace('"__VERSION__"', JSON.stringify(hash.digest("hex").slice(0, 12)))
          .replace('["__FILES__"]', JSON.stringify(files));
        this.emitFile({ type: "asset", fileName: "service-worker.js", source });
      },
    },
  };
}

export default defineConfig({
  root: path("."),
  // Relative addresses: the page works in any folder of any host.
  base: "./",
  resolve: {
    alias: [
      { find: /^@stemma\/core$/, replacement: path("../core/src/index.ts") },
      { find: /^@stemma\/core\/(\w+)$/, replacement: path("../core/src/$1.ts") },
    ],
  },
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  worker: { format: "es" },
  build: {
    target: "es2022",
    outDir: "dist",
    emptyOutDir: true,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1024,
  },
  plugins: [model(), serviceWorker()],
});
