// The page at "/" that tries /v1/parse. Its files are in the package, so that it needs nothing from elsewhere.
import { readFileSync } from "node:fs";
import { packageFile } from "../../package-files.js";

const FILES = {
  "/": ["index.html", "text/html"],
  "/page.css": ["page.css", "text/css"],
  "/page.js": ["page.js", "text/javascript"],
} as const;

/** Paths with the type and the text of what is there. */
export function pageFiles(): { path: string; type: string; text: string }[] {
  return Object.entries(FILES).map(([path, [name, type]]) => ({
    path,
    type: `${type}; charset=utf-8`,
    text: readFileSync(packageFile(`page/${name}`), "utf8"),
  }));
}
