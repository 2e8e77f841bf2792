// Makes what is not compiled file by file: dist/stemma.min.js, the main entry as one file, for pages without a bundler;
// dist/esm, all entries in few files, for Node, which takes longer to find and open a hundred modules than to run them;
// and dist/cjs, the same as CommonJS, for require and for Jest. Bundlers for pages get the modules, of which they take
// what is used.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "vite";
import { writeDeclarations } from "./declarations.mjs";

const dist = fileURLToPath(new URL("dist", import.meta.url));
const KERNELS = ["scoring", "inference", "encoder"];
const { name, version, license, exports } = JSON.parse(readFileSync(new URL("package.json", import.meta.url), "utf8"));

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

const file = `${dist}/stemma.min.js`;
writeFileSync(file, `/*! ${name} ${version}, ${license} */\n${readFileSync(file, "utf8")}`);

// What parsing needs of WebAssembly, as files: for workers that may import modules and not compile them.
for (const kernel of KERNELS) {
  const { default: binary } = await import(`./dist/kernels/${kernel}.generated.js`);
  writeFileSync(`${dist}/${kernel}.wasm`, Buffer.from(binary, "base64"));
}

// Entries share chunks, so that a class is the same whichever entry it comes from. A dynamic import becomes a require
// when it is needed, which Jest can do. The script of the threads is beside the entry that starts them.
const entries = Object.values(exports).flatMap((to) => (to.require ? [to.import.default] : []));
const scripts = [...entries, "./dist/node/parse-worker.js"].map((file) => file.slice("./dist/".length));
for (const format of /** @type {const} */ (["esm", "cjs"])) {
  await build({
    configFile: false,
    logLevel: "warn",
    build: {
      ssr: true,
      outDir: `${dist}/${format}`,
      target: "node20",
      minify: false,
      rollupOptions: {
        input: Object.fromEntries(scripts.map((file) => [file.slice(0, -".js".length), `${dist}/${file}`])),
        preserveEntrySignatures: "strict",
        // What the main entry needs is one file, whatever else needs parts of it.
        output: {
          format,
          entryFileNames: "[name].js",
          chunkFileNames: "chunks/[name].js",
          codeSplitting: { groups: [{ name: "core", test: /dist[\\/]index\.js$/ }] },
        },
        checks: { ineffectiveDynamicImport: false },
      },
    },
  });
}
// Declarations are those of the ES modules; the nearest package.json says what kind of module they speak of.
writeFileSync(`${dist}/cjs/package.json`, `${JSON.stringify({ type: "commonjs" })}\n`);
writeDeclarations(["types", "cjs"]);
for (const kernel of KERNELS)
  writeFileSync(`${dist}/types/${kernel}.wasm.d.ts`, "declare const module: object;\nexport default module;\n");
