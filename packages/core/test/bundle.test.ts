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
  .filter((entry) => !/\.js|node|worker/.test(entry))
  .map((entry) => entry.replace(/^\./, "@stemma/core"));

/** Bytes of a bundle, minified and gzipped, of a module that uses some of core. */
async function bundled(code: string): Promise<number> {
  const entry = join(mkdtempSync(join(tmpdir(), "stemma-bundle-")), "entry.js");
  writeFileSync(
    entry,
    code.replace(/@stemma\/core(\/\w+)?/g, (_, entry = "/index") => `${DIST}${entry}.js`),
  );
  const result = await build({
    configFile: false,
    logLevel: "silent",
    build: {
      write: false,
      target: "es2022",
      minify: true,
      rollupOptions: { input: entry, preserveEntrySignatures: "strict" },
    },
  });
  rmSync(dirname(entry), { recursive: true });
  const outputs = (Array.isArray(result) ? result : [result]) as { output: { code?: string }[] }[];
  const text = outputs.flatMap(({ output }) => output.map((chunk) => chunk.code ?? "")).join("");
  return gzipSync(text, { level: 9 }).length;
}

test("what parses text is small: at most 72 kB gzipped, and it does not bring along all the rest", async () => {
  const everything = await bundled(ENTRIES.map((entry, i) => `export * as e${i} from "${entry}";`).join("\n"));
  const parsing = await bundled('export { load } from "@stemma/core";');
  console.log(`bundle.test.ts: everything ${everything} bytes gzipped, load alone ${parsing}`);
  expect(parsing).toBeLessThanOrEqual(72_000);
  expect(parsing).toBeLessThan(0.7 * everything);
}, 30_000);
