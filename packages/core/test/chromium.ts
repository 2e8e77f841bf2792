import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

/** The path of a Chromium: CHROMIUM, or one in the PATH; undefined if there is none. */
export function findChromium(): string | undefined {
  if (process.env.CHROMIUM) return process.env.CHROMIUM;
  const names = ["chromium", "chromium-browser", "google-chrome"];
  for (const folder of (process.env.PATH ?? "").split(delimiter)) {
    for (const name of names) if (folder && existsSync(join(folder, name))) return join(folder, name);
  }
  return undefined;
}
