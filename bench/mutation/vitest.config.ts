// Tests of a mutant: the test files that mutate.mjs names, in their order. Stryker itself interrupts what
// loops.
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import config from "../../vitest.config.ts";

const tests = process.env.MUTATE_TESTS?.split(",") ?? ["*"];

class InOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => tests.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`));
    return [...files].sort((a, b) => place(a) - place(b));
  }
}

// Projects would run the files that they name themselves.
const { projects: _, ...test } = config.test ?? {};

export default defineConfig({
  ...config,
  root: fileURLToPath(new URL("../..", import.meta.url)),
  test: {
    ...test,
    include: tests.map((name) => `packages/core/test/**/${name}.test.ts`),
    setupFiles: [],
    sequence: { sequencer: InOrder },
  },
});
