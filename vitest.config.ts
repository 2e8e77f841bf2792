import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const CORE = fileURLToPath(new URL("packages/core/src", import.meta.url));

export default defineConfig({
  // Tests read the sources, so that a failing line is the line in the editor.
  resolve: {
    alias: [
      { find: /^@stemma\/core$/, replacement: `${CORE}/index.ts` },
      { find: /^@stemma\/core\/(\w+)$/, replacement: `${CORE}/$1.ts` },
    ],
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
