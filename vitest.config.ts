import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

export default defineConfig({
  // Tests read the sources, so that a failing line is the line in the editor.
  resolve: { alias: { "@stemma/core": fileURLToPath(new URL("packages/core/src/index.ts", import.meta.url)) } },
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
