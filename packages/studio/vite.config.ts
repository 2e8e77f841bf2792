import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig, type Plugin } from "vite";

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));
const MODEL = path("../model-en/en.stemma");

/**
 * Puts the model beside the page, so that the folder is all a web host needs. `stemma studio` serves the installed one
 * instead.
 */
function model(): Plugin {
  return {
    name: "stemma-model",
    apply: "build",
    generateBundle() {
      if (!existsSync(MODEL)) this.warn(`${MODEL}: no such file; the page will ask for a model`);
      else this.emitFile({ type: "asset", fileName: "en.stemma", source: readFileSync(MODEL) });
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
  plugins: [model()],
});
