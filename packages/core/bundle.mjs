// Makes dist/stemma.min.js, the main entry as one file, for pages without a bundler.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "vite";

const dist = fileURLToPath(new URL("dist", import.meta.url));

await build({
  configFile: false,
  logLevel: "warn",
  build: {
    outDir: dist,
    emptyOutDir: false,
    target: "es2022",
    minify: true,
    modulePreload: false,
    reportCompressedSize: false,
    // Not as a library: Vite leaves the white space of those.
    rollupOptions: {
      input: `${dist}/index.js`,
      preserveEntrySignatures: "strict",
      output: { entryFileNames: "stemma.min.js", codeSplitting: false },
    },
  },
});

const { name, version, license } = JSON.parse(readFileSync(new URL("package.json", import.meta.url), "utf8"));
const file = `${dist}/stemma.min.js`;
writeFileSync(file, `/*! ${name} ${version}, ${license} */\n${readFileSync(file, "utf8")}`);
