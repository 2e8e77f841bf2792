// Compiles the kernels: node packages/core/kernels/build.mjs writes src/kernels/*.generated.ts, which hold the binaries
// as text, so that the same module works in Node and, bundled or not, in a browser. Nothing is written where nothing
// has changed.
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const here = (/** @type {string} */ path) => fileURLToPath(new URL(path, import.meta.url));
const COMMON = ["-O3", "--noAssert", "--runtime", "stub", "--importMemory", "--enable", "simd", "--noColors"];
/** For memory that threads share. */
const SHARED = ["--enable", "threads", "--sharedMemory", "--initialMemory", "1", "--maximumMemory", "65536"];
const KERNELS = [
  { source: "scoring", name: "scoring", flags: [] },
  { source: "scoring", name: "scoring-shared", flags: SHARED },
  { source: "learning", name: "learning", flags: [] },
  { source: "inference", name: "inference", flags: [] },
  { source: "encoder", name: "encoder", flags: [] },
  { source: "network", name: "network", flags: [] },
  { source: "network", name: "network-shared", flags: SHARED },
];

for (const { source, name, flags } of KERNELS) {
  const target = here(`../src/kernels/${name}.generated.ts`);
  const inputs = [here(`${source}.ts`), here("exp.ts"), here("build.mjs")];
  const newest = Math.max(...inputs.map((path) => statSync(path).mtimeMs));
  if (existsSync(target) && statSync(target).mtimeMs > newest) continue;
  const asc = await import("assemblyscript/asc");
  let binary = new Uint8Array();
  const { error, stderr } = await asc.main([`${source}.ts`, "--outFile", "out.wasm", ...COMMON, ...flags], {
    readFile: (path) => {
      const file = [`${source}.ts`, "exp.ts"].find((name) => path.endsWith(name));
      return file === undefined ? null : readFileSync(here(file), "utf8");
    },
    writeFile: (_path, contents) => {
      binary = /** @type {Uint8Array} */ (contents);
    },
  });
  const messages = stderr.toString();
  if (error || messages) {
    console.error(messages);
    process.exit(2);
  }
  writeFileSync(
    target,
    `/** Made from kernels/${source}.ts by kernels/build.mjs. */\nexport default "${Buffer.from(binary).toString("base64")}";\n`,
  );
}
