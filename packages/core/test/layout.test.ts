import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, posix, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { SYSTEM_NAMES } from "../src/systems.js";

const SOURCES = fileURLToPath(new URL("../src", import.meta.url));
const MOST_FILES = 12;

/** For each source file what it imports, types included; paths from src. */
function readImports(): Map<string, string[]> {
  const files = readdirSync(SOURCES, { recursive: true, encoding: "utf8" })
    .map((path) => path.split(sep).join("/"))
    .filter((path) => path.endsWith(".ts") && !path.endsWith(".d.ts"));
  return new Map(
    files.map((file) => {
      const text = readFileSync(join(SOURCES, file), "utf8");
      const targets = [...text.matchAll(/\b(?:from|import)\s*\(?\s*"(\.[^"]*)\.js"/g)].map(
        (match) => `${posix.join(posix.dirname(file), match[1]!)}.ts`,
      );
      return [file, targets];
    }),
  );
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

/** The graph of the folders at the top of src; the entries of the package, which only re-export, are left out. */
function folderGraph(imports: ReadonlyMap<string, readonly string[]>): Map<string, Set<string>> {
  const graph = new Map<string, Set<string>>();
  for (const [file, targets] of imports) {
    const from = topOf(file);
    if (from === "") continue;
    const to = graph.get(from) ?? graph.set(from, new Set()).get(from)!;
    for (const target of targets) if (topOf(target) !== from) to.add(topOf(target));
  }
  return graph;
}

function topOf(file: string): string {
  return file.includes("/") ? file.slice(0, file.indexOf("/")) : "";
}

const imports = readImports();

test("imports are found", () => {
  expect(imports.get("index.ts")!.length).toBeGreaterThan(20);
  expect([...imports.values()].flat().every((target) => imports.has(target))).toBe(true);
});

test("a cycle is found where there is one", () => {
  const graph = new Map([
    ["a", ["b"]],
    ["b", ["c", "d"]],
    ["d", ["b"]],
  ]);
  expect(findCycle(graph)).toEqual(["b", "d", "b"]);
});

test("an entry of the package re-exports, and nothing inside imports it", () => {
  const entries = [...imports.keys()].filter((file) => topOf(file) === "");
  expect(entries).toContain("treebank.ts");
  for (const entry of entries) {
    const text = readFileSync(join(SOURCES, entry), "utf8").replace(/\/\*[\s\S]*?\*\//g, "");
    expect(text.replace(/export (type )?(\{[^}]*\}|\*) from "[^"]*";/g, "").trim(), entry).toBe("");
  }
  expect([...imports.values()].flat().filter((target) => entries.includes(target))).toEqual([]);
});

test("imports between folders form no cycle, types included", () => {
  expect(findCycle(folderGraph(imports))).toBeUndefined();
});

test("imports between files form no cycle, types included, but for a sentence and its words, which know each other", () => {
  const group = (file: string) => (/^treebank\/(sentence|formats)\//.test(file) ? "a sentence" : file);
  const graph = new Map<string, string[]>();
  for (const [file, targets] of imports) {
    const others = targets.map(group).filter((target) => target !== group(file) || target !== "a sentence");
    graph.set(group(file), [...(graph.get(group(file)) ?? []), ...others]);
  }
  expect(findCycle(graph)).toBeUndefined();
});

test("what parses imports nothing of what learns", () => {
  const parsing = ["math", "checks", "kernels", "treebank", "systems", "features", "scoring", "search", "parser"];
  const graph = folderGraph(imports);
  for (const folder of parsing) {
    expect([...graph.get(folder)!].filter((target) => !parsing.includes(target) && target !== "drawing")).toEqual([]);
  }
});

test(`no folder has more than ${MOST_FILES} files`, () => {
  const counts = new Map<string, number>();
  for (const file of imports.keys()) {
    if (file.endsWith(".generated.ts")) continue;
    counts.set(posix.dirname(file), (counts.get(posix.dirname(file)) ?? 0) + 1);
  }
  expect([...counts].filter(([, count]) => count > MOST_FILES)).toEqual([]);
});

test("only a system's own file knows its name", () => {
  const packages = dirname(dirname(SOURCES));
  const quoted = new RegExp(`["'\`](${SYSTEM_NAMES.join("|")})["'\`]`);
  const compared: string[] = [];
  for (const folder of ["core/src", "cli/src", "studio/src"].map((path) => join(dirname(packages), "packages", path))) {
    for (const path of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
      if (!/\.tsx?$/.test(path)) continue;
      readFileSync(join(folder, path), "utf8")
        .split("\n")
        .forEach((line, i) => {
          if (/[!=]==|\bcase\b|\.includes\(/.test(line) && quoted.test(line))
            compared.push(`${relative(dirname(packages), join(folder, path))}:${i + 1}: ${line.trim()}`);
        });
    }
  }
  expect(compared).toEqual([]);
});

test("comments keep to 120 columns", () => {
  const packages = dirname(dirname(dirname(SOURCES)));
  const wide: string[] = [];
  for (const name of ["core/src", "core/test", "cli/src", "cli/test", "studio/src", "studio/test"]) {
    for (const path of readdirSync(join(packages, name), { recursive: true, encoding: "utf8" })) {
      if (!/\.tsx?$/.test(path) || path.endsWith(".generated.ts")) continue;
      readFileSync(join(packages, name, path), "utf8")
        .split("\n")
        .forEach((line, i) => {
          if (line.length > 120 && /^\s*(\/\/|\*|\/\*)/.test(line)) wide.push(`${name}/${path}:${i + 1}`);
        });
    }
  }
  expect(wide).toEqual([]);
});
