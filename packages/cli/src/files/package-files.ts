import { existsSync } from "node:fs";

/** The folder of this package. */
const PACKAGE = packageOf(new URL(import.meta.url));

/** Where the code that runs is: as it ships, in few files, or as the compiler writes it. */
const CODE = import.meta.url.startsWith(new URL("dist/program/", PACKAGE).href) ? "dist/program" : "dist";

function packageOf(file: URL): URL {
  const folder = new URL(".", file);
  return existsSync(new URL("package.json", folder)) ? folder : packageOf(new URL("..", folder));
}

/** The address of a file of this package. */
export function packageFile(path: string): URL {
  return new URL(path, PACKAGE);
}

/** The address of a script that runs in a thread or process of its own, such as `workers/parse-worker`. */
export function scriptFile(name: string): URL {
  return new URL(`${CODE}/${name}.js`, PACKAGE);
}
