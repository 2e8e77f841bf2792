import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

it("every package of the lock files has a checksum", () => {
  const script = fileURLToPath(new URL("../release/lock.mjs", import.meta.url));
  const { status, stdout } = spawnSync(process.execPath, [script], { encoding: "utf8" });
  expect({ status, stdout }).toEqual({ status: 0, stdout: "" });
});
