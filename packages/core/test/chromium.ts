import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

function inThePath(...names: string[]): string | undefined {
  for (const folder of (process.env.PATH ?? "").split(delimiter)) {
    for (const name of names) if (folder && existsSync(join(folder, name))) return join(folder, name);
  }
  return undefined;
}

/** The path of a Chromium: CHROMIUM, or one in the PATH; undefined if there is none. */
export const findChromium = () => process.env.CHROMIUM || inThePath("chromium", "chromium-browser", "google-chrome");

/** The path of a Firefox: FIREFOX, or one in the PATH; undefined if there is none. */
export const findFirefox = () => process.env.FIREFOX || inThePath("firefox-esr", "firefox");
