import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { load } from "@stemma/core";
import { defineConfig, type Plugin } from "vite";
import { FIRST_TEXT } from "./src/state/address/examples.js";
import type { AvailableModel } from "./src/state/model/available.js";
import { parse } from "./src/worker/parsing/parse.js";

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));
const PACKAGES = path("..");

/** The models of the repository (packages/model-…): the smallest English one first, which the page begins with. */
function models(): { name: string; file: string }[] {
  const found = readdirSync(PACKAGES)
    .filter((folder) => folder.startsWith("model-"))
    .flatMap((folder) =>
      readdirSync(join(PACKAGES, folder))
        .filter((name) => name.endsWith(".stemma"))
        .map((name) => ({ name, file: join(PACKAGES, folder, name) })),
    );
  const rank = ({ name, file }: { name: string; file: string }) =>
    statSync(file).size + (/^en\b/.test(name) ? 0 : Number.MAX_SAFE_INTEGER / 2);
  return found.sort((a, b) => rank(a) - rank(b));
}

/**
 * Puts the models beside the page, so that the folder is all a web host needs; packed, because hosts seldom pack what
 * they do not know (gzip, which every browser unpacks; Brotli would gain less than 1 %). The list has the tree of the
 * text that the page begins with, which on a slow line is there long before the model. `stemma studio` serves the
 * installed models instead.
 */
function modelFiles(): Plugin {
  return {
    name: "stemma-models",
    apply: "build",
    async generateBundle() {
      const list: AvailableModel[] = [];
      for (const [i, { name, file }] of models().entries()) {
        const bytes = readFileSync(file);
        const source = gzipSync(bytes, { level: 9 });
        const fileName = i === 0 ? "en.stemma" : `models/${i}/${name}`;
        this.emitFile({ type: "asset", fileName, source });
        list.push({ name, file: fileName, bytes: source.length });
        if (i === 0) list[0]!.first = { text: FIRST_TEXT, parsed: parse(FIRST_TEXT, await load(bytes)) };
      }
      if (list.length === 0) this.warn(`${PACKAGES}: no model-…/*.stemma; the page will ask for a model`);
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
        const source = readFileSync(path("src/page/service-worker.js"), "utf8")
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
  plugins: [modelFiles(), serviceWorker()],
});
