// A folder for what several test files need and is made once in a run. It is emptied when sources have changed.
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    shared: string;
  }
}

export default function setup(project: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), "stemma-tests-"));
  project.provide("shared", folder);
  project.onTestsRerun(() => {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder);
  });
  return () => rmSync(folder, { recursive: true, force: true });
}
