import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const CORE = new URL("packages/core/", import.meta.url);
const { exports: entries } = JSON.parse(readFileSync(new URL("package.json", CORE), "utf8"));

export default defineConfig({
  // Tests read the sources, so that a failing line is the line in the editor.
  resolve: {
    alias: Object.entries<{ types?: string; default: string }>(entries)
      .filter(([, to]) => to.types !== undefined)
      .map(([entry, to]) => ({
        find: new RegExp(`^@stemma/core${entry.slice(1)}$`),
        replacement: fileURLToPath(new URL(to.default.replace("dist", "src").replace(/js$/, "ts"), CORE)),
      })),
  },
  test: {
    include: ["packages/*/test/**/*.test.ts", "{site,examples}/test/*.test.ts"],
    testTimeout: 180_000,
    hookTimeout: 120_000,
    // A file has its own process, which can be ended when a test loops.
    pool: "forks",
    // By default one core is left idle, which is half of a small machine.
    maxWorkers: availableParallelism(),
    setupFiles: [fileURLToPath(new URL("vitest.interrupt.ts", import.meta.url))],
  },
});
