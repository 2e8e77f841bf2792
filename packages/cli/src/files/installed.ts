import { closeSync, existsSync, openSync, readdirSync, readSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** A model in a package that is installed. */
export interface InstalledModel {
  /** As --model is given it: en-large for @stemma/model-en-large. */
  name: string;
  file: string;
  bytes: number;
  /** As the model states it; empty if its header cannot be read. */
  origin: Readonly<Record<string, unknown>>;
}

/** Models that the registry has, or will have: their names, their languages, and their sizes in megabytes. */
export const PUBLISHED: readonly { name: string; language: string; megabytes: number }[] = [
  { name: "en", language: "en", megabytes: 10 },
  { name: "en-small", language: "en", megabytes: 4 },
  { name: "en-roles", language: "en", megabytes: 16 },
  { name: "en-large", language: "en", megabytes: 23 },
  ...["de", "es", "fa", "fi", "fr", "it", "ru", "zh"].map((language) => ({ name: language, language, megabytes: 3 })),
];

/** Folders of packages: those that this program finds, and those of the project that it is used in. */
function scopes(): string[] {
  const found = new Set<string>();
  for (const start of [dirname(fileURLToPath(import.meta.url)), process.cwd()]) {
    for (let folder = start; ; folder = dirname(folder)) {
      const scope = join(folder, "node_modules", "@stemma");
      if (existsSync(scope)) found.add(scope);
      if (dirname(folder) === folder) break;
    }
  }
  return [...found];
}

/** The models of all packages that are installed, by name. */
export function installedModels(): InstalledModel[] {
  const models = new Map<string, InstalledModel>();
  for (const scope of scopes()) {
    for (const folder of readdirSync(scope)) {
      const [, name] = /^model-([a-z]{2,3}(?:-[a-z]+)*)$/.exec(folder) ?? [];
      const file = join(scope, folder, `${name}.stemma`);
      const bytes = name === undefined ? undefined : statSync(file, { throwIfNoEntry: false })?.size;
      if (name === undefined || bytes === undefined || models.has(name)) continue;
      models.set(name, { name, file, bytes, origin: originIn(file) });
    }
  }
  return [...models.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Before the header: what every model file begins with, then the length of the header and its checksum. */
const PREAMBLE = 16;
const BEFORE = 8;
const MOST_HEADER = 1 << 26;

/** The origin that a model states, of which only the header is read; nothing if that is not possible. */
function originIn(file: string): Readonly<Record<string, unknown>> {
  const handle = openSync(file, "r");
  try {
    const start = Buffer.alloc(PREAMBLE + BEFORE);
    readSync(handle, start, 0, start.length, 0);
    const header = Buffer.alloc(Math.min(MOST_HEADER, start.readUInt32LE(PREAMBLE)));
    readSync(handle, header, 0, header.length, start.length);
    return JSON.parse(header.toString("utf8")).parser?.origin ?? {};
  } catch {
    return {};
  } finally {
    closeSync(handle);
  }
}
