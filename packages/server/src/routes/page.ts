// The page at "/" that tries /v1/parse. Its files are in the package, so that it needs nothing from elsewhere.
import { readFileSync } from "node:fs";

const FILES = {
  "/": ["index.html", "text/html"],
  "/page.css": ["page.css", "text/css"],
  "/page.js": ["page.js", "text/javascript"],
} as const;

/** Paths with the type and the text of what is there. `folder`: where the files are, if not beside this code. */
export function pageFiles(
  folder = new URL("../../page/", import.meta.url),
): { path: string; type: string; text: string }[] {
  return Object.entries(FILES).map(([path, [name, type]]) => ({
    path,
    type: `${type}; charset=utf-8`,
    text: readFileSync(new URL(name, folder), "utf8"),
  }));
}
