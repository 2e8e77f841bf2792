import { readFileSync } from "node:fs";
import { packageFile } from "../files/package-files.js";
import { VERSION } from "../files/version.js";

/** The version of the program, and a hash of the code that trains: between versions the code changes too. */
export function programIdentity(): { version: string; build: string } {
  const { build } = JSON.parse(readFileSync(packageFile("dist/program/build.json"), "utf8")) as { build: string };
  return { version: VERSION, build };
}
