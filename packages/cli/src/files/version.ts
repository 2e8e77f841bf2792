import { readFileSync } from "node:fs";
import { packageFile } from "./package-files.js";

const { version } = JSON.parse(readFileSync(packageFile("package.json"), "utf8")) as {
  version: string;
};

/** The version of the program. */
export const VERSION = version;
