import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const CONFIG = fileURLToPath(new URL("../../../../vitest.config.ts", import.meta.url));
const VITEST = path.join(path.dirname(createRequire(import.meta.url).resolve("vitest/package.json")), "vitest.mjs");

test("a test that loops for ever is interrupted and fails, and the other files are run", () => {
  const root = mkdtempSync(path.join(tmpdir(), "stemma-interrupt-"));
  try {
    const folder = path.join(root, "packages/toy/test");
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, "a.test.ts"), `test("ends", () => {}); test("loops", () => { for (;;) {} });`);
    writeFileSync(path.join(folder, "b.test.ts"), `for (;;) {}`);
    writeFileSync(path.join(folder, "c.test.ts"), `test("is fine", () => {});`);
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [VITEST, "run", "--globals", "--root", root, "--config", CONFIG],
      { encoding: "utf8", env: { ...process.env, INTERRUPT: "5" }, timeout: 120_000 },
    );
    expect(status).toBe(1);
    expect(stderr).toMatch(/a\.test\.ts: interrupted after 5 s: "loops" does not end/);
    expect(stderr).toMatch(/b\.test\.ts: interrupted after 5 s: what is outside of the tests does not end/);
    expect(stdout).toMatch(/c\.test\.ts/);
    expect(stdout).not.toMatch(/c\.test\.ts: interrupted/);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
});
