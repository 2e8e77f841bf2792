// Tests of the command line run the program as it ships. One that is older than its sources is not what a change made
// of it, so that its tests would say nothing: they fail at once.
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";

const PACKAGES = fileURLToPath(new URL("packages", import.meta.url));

/** When the last file of a folder was written, in milliseconds; -1 if there is none. */
function lastWritten(folder: string): number {
  const found = readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => statSync(join(folder, name)));
  return Math.max(-1, ...found.filter((one) => one.isFile()).map(({ mtimeMs }) => mtimeMs));
}

if (expect.getState().testPath?.includes("/packages/cli/test/")) {
  const built = lastWritten(join(PACKAGES, "cli/dist/program"));
  const newer = ["core", "server", "cli"].filter((name) => lastWritten(join(PACKAGES, name, "src")) > built);
  if (newer.length > 0) {
    throw new Error(
      `packages/cli/dist/program is older than the sources of ${newer.join(", ")} (expected npm run build before)`,
    );
  }
}
