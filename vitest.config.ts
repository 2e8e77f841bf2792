import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

/** The sources behind what can be imported from a package. */
function sourcesOf(name: string) {
  const folder = new URL(`packages/${name}/`, import.meta.url);
  const { exports: entries } = JSON.parse(readFileSync(new URL("package.json", folder), "utf8"));
  type Files = { types?: string; default: string };
  return Object.entries<Files & { import?: Files }>(entries)
    .map(([entry, to]) => [entry, to.import ?? to] as const)
    .filter(([, to]) => to.types !== undefined)
    .map(([entry, to]) => ({
      find: new RegExp(`^@stemma/${name}${entry.slice(1)}$`),
      replacement: fileURLToPath(new URL(to.default.replace("dist", "src").replace(/js$/, "ts"), folder)),
    }));
}

const beside = (file: string) => fileURLToPath(new URL(file, import.meta.url));

const CORES = availableParallelism();
const FILES = ["test/*.test.ts", "packages/*/test/**/*.test.ts", "{site,examples,models}/test/*.test.ts"];

/** Tests in a browser, of Studio and of the library: `npm test` leaves them to `npm run test:studio`. */
const IN_A_BROWSER = ["packages/*/test/**/*.browser.test.ts"];

export default defineConfig({
  // Tests read the sources, so that a failing line is the line in the editor.
  resolve: {
    alias: [...sourcesOf("core"), ...sourcesOf("server")],
  },
  test: {
    projects: [
      // One more worker than there are cores: tests of servers and of other processes wait for much of their time.
      { extends: true, test: { name: "node", include: FILES, exclude: IN_A_BROWSER, maxWorkers: CORES + 1 } },
      // A browser on a busy machine takes its time: what is waited for may come late, as playwright's own waiting has it.
      // And it misses a moment now and then; what fails twice is wrong.
      {
        extends: true,
        test: {
          name: "studio",
          include: IN_A_BROWSER,
          maxWorkers: CORES,
          sequence: { groupOrder: 1 },
          expect: { poll: { timeout: 30_000 } },
          retry: 1,
        },
      },
    ],
    testTimeout: 180_000,
    hookTimeout: 120_000,
    // A file has its own process, which can be ended when a test loops.
    pool: "forks",
    globalSetup: [beside("vitest.shared.ts")],
    setupFiles: [beside("vitest.interrupt.ts"), beside("vitest.equality.ts"), beside("vitest.fresh.ts")],
  },
});
