import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "vite";
import { expect, test } from "vitest";

const DIST = fileURLToPath(new URL("../dist", import.meta.url));
const ENTRIES = Object.keys(JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")).exports)
  // Neither files nor what is for Node alone.
  .filter((entry) => !/\.js|\.wasm|node|worker/.test(entry))
  .map((entry) => entry.replace(/^\./, "@stemma/core"));

interface Chunk {
  fileName: string;
  code?: string;
  isEntry?: boolean;
  imports?: string[];
}

/**
 * Bytes of a bundle, minified and gzipped, of a module that uses some of core: of all of it, and of what is loaded at
 * once.
 */
async function bundled(code: string): Promise<{ all: number; atOnce: number }> {
  const entry = join(mkdtempSync(join(tmpdir(), "stemma-bundle-")), "entry.js");
  writeFileSync(
    entry,
    code.replace(/@stemma\/core(\/[\w-]+)?/g, (_, entry = "/index") => `${DIST}${entry}.js`),
  );
  const result = await build({
    configFile: false,
    logLevel: "silent",
    build: {
      write: false,
      target: "es2022",
      minify: true,
      // Without the helper of a kilobyte that Vite adds to pages for what they load later.
      ssr: true,
      rollupOptions: { input: entry, preserveEntrySignatures: "allow-extension" },
    },
  });
  rmSync(dirname(entry), { recursive: true });
  const outputs = (Array.isArray(result) ? result : [result]) as { output: Chunk[] }[];
  const chunks = outputs.flatMap(({ output }) => output);
  const needed = new Set<Chunk>();
  const need = (chunk: Chunk | undefined) => {
    if (!chunk || needed.has(chunk)) return;
    needed.add(chunk);
    for (const name of chunk.imports ?? []) need(chunks.find(({ fileName }) => fileName === name));
  };
  for (const chunk of chunks) if (chunk.isEntry) need(chunk);
  const size = (some: Iterable<Chunk>) =>
    gzipSync(Array.from(some, (chunk) => chunk.code ?? "").join(""), { level: 9 }).length;
  return { all: size(chunks), atOnce: size(needed) };
}

test("what parses text is small: at most 80 kB gzipped, and it does not bring along all the rest", async () => {
  const everything = await bundled(ENTRIES.map((entry, i) => `export * as e${i} from "${entry}";`).join("\n"));
  const parsing = await bundled('export { load } from "@stemma/core";');
  console.log(
    `bundle.test.ts: everything ${everything.all} bytes gzipped, ` +
      `load alone ${parsing.atOnce}, and ${parsing.all - parsing.atOnce} more for what some models need`,
  );
  expect(parsing.atOnce).toBeLessThanOrEqual(80_000);
  // With encoders, graph-based parsers, parsers by tags, joint tagging, roles, removed words, combinations, searches of
  // their own, and all systems.
  expect(parsing.all).toBeLessThanOrEqual(140_000);
  expect(parsing.atOnce).toBeLessThan(0.7 * everything.all);
});
