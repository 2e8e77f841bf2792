import { readdirSync, readFileSync } from "node:fs";
import { join, posix, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { SYSTEM_NAMES } from "../packages/core/src/systems.js";
import { NAMES_OF_VERTICALS, NOT_YET, PACKAGES, SYSTEMS_BY_NAME, TRUNK } from "./packages.js";

const ROOT = fileURLToPath(new URL("../packages", import.meta.url));
const NAMES = Object.keys(PACKAGES) as (keyof typeof PACKAGES)[];
const MOST_FILES = 12;

/** The files of TypeScript in a folder, or those with other endings, as paths from there. */
function sourcesIn(folder: string, ending = /\.tsx?$/): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((path) => path.split(sep).join("/"))
    .filter((path) => ending.test(path) && !path.endsWith(".d.ts"));
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/(^|\s)\/\/.*$/gm, "");
}

interface Import {
  readonly from: string;
  /** A file of src, or the name of another package. */
  readonly to: string;
  readonly onDemand: boolean;
}

/** The sources of a package and what they import, types included; paths from its src. */
class Sources {
  readonly files: readonly string[];
  readonly imports: readonly Import[];
  private readonly folder: string;
  private readonly plan;

  constructor(readonly name: keyof typeof PACKAGES) {
    this.folder = join(ROOT, name, "src");
    this.plan = PACKAGES[name];
    this.files = sourcesIn(this.folder);
    this.imports = this.files.flatMap((from) =>
      [...withoutComments(this.text(from)).matchAll(/\b(?:from|import)\s*(\(?)\s*"([^"]+)"/g)].map(
        ([, paren, path]) => ({
          from,
          to: path!.startsWith(".") ? this.resolved(posix.join(posix.dirname(from), path!)) : path!,
          onDemand: paren === "(" && this.plan.onDemand.includes(from),
        }),
      ),
    );
  }

  text(file: string): string {
    return readFileSync(join(this.folder, file), "utf8");
  }

  private resolved(path: string): string {
    const source = path.replace(/\.jsx?$/, "");
    return [`${source}.ts`, `${source}.tsx`, path].find((file) => this.files.includes(file)) ?? path;
  }

  /** Imports of its own files. */
  get inner(): Import[] {
    return this.imports.filter(({ to }) => this.files.includes(to));
  }

  /** The layer that a file is in: the longest name in the plan that its path begins with; "" at the top. */
  layerOf(file: string): string {
    const own = this.plan.layers.filter((layer) => file.startsWith(`${layer}/`));
    return own.sort((a, b) => b.length - a.length)[0] ?? posix.dirname(file).split("/")[0]!.replace(/^\.$/, "");
  }

  /** Imports of layers that come later, as "from -> to". */
  backward(): string[] {
    const order = [...this.plan.layers, ""];
    const wrong = this.inner
      .filter(({ onDemand }) => !onDemand)
      .map(({ from, to }) => [this.layerOf(from), this.layerOf(to)] as const)
      .filter(([from, to]) => order.indexOf(to) > order.indexOf(from))
      .map(([from, to]) => `${this.name}: ${from} -> ${to}`);
    return [...new Set(wrong)].sort();
  }

  /** Folders with too many files. */
  crowded(): string[] {
    const counts = new Map<string, number>();
    // Entries are as many as the package has.
    const isEntry = (file: string) => this.plan.top === "entries" && !file.includes("/");
    for (const file of this.files.filter((file) => !file.endsWith(".generated.ts") && !isEntry(file))) {
      const folder = posix.join(this.name, "src", posix.dirname(file));
      counts.set(folder, (counts.get(folder) ?? 0) + 1);
    }
    return [...counts].filter(([, count]) => count > MOST_FILES).map(([folder]) => folder);
  }
}

/** Some cycle of a graph, first and last the same; undefined if there is none. */
function findCycle(graph: ReadonlyMap<string, Iterable<string>>): string[] | undefined {
  const done = new Set<string>();
  const path: string[] = [];
  const visit = (node: string): string[] | undefined => {
    if (done.has(node)) return undefined;
    if (path.includes(node)) return [...path.slice(path.indexOf(node)), node];
    path.push(node);
    for (const next of graph.get(node) ?? []) {
      const cycle = visit(next);
      if (cycle) return cycle;
    }
    path.pop();
    done.add(node);
    return undefined;
  };
  for (const node of graph.keys()) {
    const cycle = visit(node);
    if (cycle) return cycle;
  }
  return undefined;
}

const packages = new Map(NAMES.map((name) => [name, new Sources(name)]));

test("a cycle is found where there is one", () => {
  const graph = new Map([
    ["a", ["b"]],
    ["b", ["c", "d"]],
    ["d", ["b"]],
  ]);
  expect(findCycle(graph)).toEqual(["b", "d", "b"]);
});

describe.each(NAMES)("packages/%s", (name) => {
  const sources = packages.get(name)!;
  const plan = PACKAGES[name];

  test("imports are found", () => {
    expect(sources.inner.length).toBeGreaterThan(sources.files.length / 2);
    const lost = sources.imports.filter(({ to }) => to.endsWith(".ts") && !sources.files.includes(to));
    expect(lost).toEqual([]);
  });

  test("every folder is in the plan, and every folder of the plan is there", () => {
    const layers = new Set(sources.files.map((file) => sources.layerOf(file)));
    layers.delete("");
    expect([...layers].filter((layer) => !plan.layers.includes(layer))).toEqual([]);
    expect(plan.layers.filter((layer) => !layers.has(layer) && !layer.includes("/"))).toEqual([]);
  });

  test("a folder imports only from those before it, types included", () => {
    expect(sources.backward().filter((line) => !NOT_YET.imports.includes(line))).toEqual([]);
  });

  test("imports between files form no cycle, types included, but for a sentence and its words, which know each other", () => {
    const group = (file: string) =>
      name === "core" && /^treebank\/(sentence|formats)\//.test(file) ? "a sentence" : file;
    const graph = new Map<string, string[]>(sources.files.map((file) => [group(file), []]));
    for (const { from, to, onDemand } of sources.inner) {
      if (!onDemand && (group(from) !== "a sentence" || group(to) !== "a sentence"))
        graph.get(group(from))!.push(group(to));
    }
    expect(findCycle(graph)).toBeUndefined();
  });

  test("it imports no other packages of this repository than the plan says", () => {
    const others = sources.imports.map(({ to }) => to).filter((to) => to.startsWith("@stemma/"));
    // Messages quote imports of the package itself.
    const names = new Set(
      others.map((to) => to.split("/").slice(0, 2).join("/")).filter((to) => to !== `@stemma/${name}`),
    );
    expect([...names].filter((to) => !plan.uses.includes(to))).toEqual([]);
    expect(sources.imports.filter(({ to }) => to.startsWith("../"))).toEqual([]);
  });

  test("its tests are in the folders of its sources, but for those of the package as a whole", () => {
    const folders = new Set([...sources.files.map((file) => posix.dirname(file)), ...plan.layers]);
    folders.delete(".");
    const elsewhere = sourcesIn(join(ROOT, name, "test"), /\.test\.ts$/)
      .filter((file) => !folders.has(posix.dirname(file)))
      .map((file) => file.replace(".test.ts", ""));
    expect(elsewhere.sort()).toEqual([...plan.tests].sort());
  });

  test(`no folder has more than ${MOST_FILES} files`, () => {
    expect(sources.crowded().filter((folder) => !NOT_YET.crowded.includes(folder))).toEqual([]);
  });

  test.runIf(plan.top === "entries")("an entry of the package re-exports, and nothing inside imports it", () => {
    const entries = sources.files.filter((file) => !file.includes("/"));
    expect(entries).toContain("index.ts");
    for (const entry of entries) {
      expect(
        withoutComments(sources.text(entry))
          .replace(/export (type )?(\{[^}]*\}|\*) from "[^"]*";/g, "")
          .trim(),
        entry,
      ).toBe("");
    }
    expect(sources.inner.filter(({ to }) => entries.includes(to))).toEqual([]);
  });

  test("comments keep to 120 columns", () => {
    const folders = ["src", "test"].map((part) => join(ROOT, name, part));
    expect(commentsIn(folders, (line) => line.length > 120)).toEqual([]);
  });
});

/** The places of the lines of comments for which `isWrong` holds, in the TypeScript and JavaScript of folders. */
function commentsIn(folders: readonly string[], isWrong: (line: string) => boolean): string[] {
  return folders.flatMap((folder) =>
    sourcesIn(folder, /\.(tsx?|mjs)$/)
      .filter((path) => !/\.generated\.ts$|(^|\/)node_modules\//.test(path))
      .flatMap((path) =>
        readFileSync(join(folder, path), "utf8")
          .split("\n")
          .flatMap((line, i) => (/^\s*(\/\/|\*|\/\*)/.test(line) && isWrong(line) ? `${path}:${i + 1}` : [])),
      ),
  );
}

test("no comment begins with “What”: it names its subject", () => {
  const others = ["bench", "site", "release", "examples", "integrations", "test"].map((path) => join(ROOT, "..", path));
  const own = NAMES.flatMap((name) => ["src", "test"].map((part) => join(ROOT, name, part)));
  // Lines within a comment may: only its beginning counts.
  const begins = (line: string) => /^\s*(\/\*\*?|\/\/) What\b/.test(line);
  expect(commentsIn([...own, ...others], begins)).toEqual([]);
});

/** The names that a file has outside of its comments, cut into their words, in lower case. */
function wordsOf(text: string): Set<string> {
  // TextEncoder is the platform's.
  const names = [...withoutComments(text).matchAll(/[A-Za-z][A-Za-z0-9]*/g)]
    .map(([name]) => name)
    .filter((n) => n !== "TextEncoder");
  return new Set(names.flatMap((name) => name.split(/(?<=[a-z0-9])(?=[A-Z])/)).map((word) => word.toLowerCase()));
}

/** The files of the trunk that name a vertical, with the names. */
function namedVerticals(): Map<string, string[]> {
  const core = packages.get("core")!;
  const found = new Map<string, string[]>();
  for (const file of core.files) {
    if (!(TRUNK as readonly string[]).includes(core.layerOf(file)) || PACKAGES.core.onDemand.includes(file)) continue;
    const names = [...wordsOf(core.text(file))].filter((word) => NAMES_OF_VERTICALS.test(word));
    if (names.length > 0) found.set(file, names);
  }
  return found;
}

test("the trunk of the core names none of the optional parts", () => {
  expect([...wordsOf("// graph\nconst jointGraph = new TextEncoder(); /* roles */ paragraph")]).toEqual(
    expect.arrayContaining(["joint", "graph", "paragraph"]),
  );
  const trunk = packages
    .get("core")!
    .files.filter((file) => (TRUNK as readonly string[]).includes(file.split("/")[0]!));
  const known = ["parser/parser.ts", "pipeline/pipeline.ts", "search/decider.ts", "search/greedy-parser.ts"];
  expect(trunk).toEqual(expect.arrayContaining([...known, "search/beam/beam-parser.ts", "model-file/model-file.ts"]));
  expect([...namedVerticals()].filter(([file]) => !NOT_YET.names.includes(file))).toEqual([]);
});

test("what is listed as not yet so is not yet so", () => {
  const backward = NAMES.flatMap((name) => packages.get(name)!.backward());
  expect(NOT_YET.imports.filter((line) => !backward.includes(line))).toEqual([]);
  const crowded = NAMES.flatMap((name) => packages.get(name)!.crowded());
  expect(NOT_YET.crowded.filter((folder) => !crowded.includes(folder))).toEqual([]);
  const named = namedVerticals();
  expect(NOT_YET.names.filter((file) => !named.has(file))).toEqual([]);
});

test("only a system's own file knows its name", () => {
  const quoted = new RegExp(`["'\`](${SYSTEM_NAMES.join("|")})["'\`]`);
  const compared: string[] = [];
  for (const [name, sources] of packages) {
    for (const file of sources.files) {
      sources
        .text(file)
        .split("\n")
        .forEach((line, i) => {
          if (/[!=]==|\bcase\b|\.includes\(/.test(line) && quoted.test(line))
            compared.push(`${name}/src/${file}:${i + 1}: ${line.trim()}`);
        });
    }
  }
  expect(compared).toEqual([]);
});

/**
 * Where the core's code has the name of a system outside of comments and imports: as a value of its own or, where it
 * cannot be another word, within a text.
 */
function systemsNamed(): Map<string, string[]> {
  const compound = SYSTEM_NAMES.filter((name) => name.includes("-")).join("|");
  const named = new RegExp(`["'\`](${SYSTEM_NAMES.join("|")})["'\`]|\\b(${compound})\\b`);
  const core = packages.get("core")!;
  const found = new Map<string, string[]>();
  for (const file of core.files) {
    const code = withoutComments(core.text(file)).replaceAll(/\bfrom "[^"]*"/g, "");
    const lines = code.split("\n").filter((line) => named.test(line) && !/^ {2}(readonly )?name\b/.test(line));
    if (lines.length > 0) found.set(file, lines);
  }
  return found;
}

test("the core names a system only where that is said why", () => {
  const found = systemsNamed();
  const unexplained = [...found].filter(([file]) => !(file in SYSTEMS_BY_NAME));
  expect(unexplained).toEqual([]);
  expect(Object.keys(SYSTEMS_BY_NAME).filter((file) => !found.has(file))).toEqual([]);
});
