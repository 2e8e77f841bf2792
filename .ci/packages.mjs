// Packs the packages as npm would publish them, installs them in fresh projects and uses them there: npm run
// test:packages (after npm run build). What the registry does not give is skipped with a message; what is there must
// work.
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { runInNewContext } from "node:vm";
import { testFrameworks } from "./frameworks.mjs";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const MODELS = readdirSync(join(ROOT, "packages")).filter((name) => name.startsWith("model-"));
const PACKAGES = ["core", ...MODELS, "server", "studio", "cli"];
const TYPESCRIPTS = ["5.2", "5.7", "5.9", "7.0"];
/** All together, in seconds: three times as long as it takes on two cores that are free. */
const PATIENCE = 1200;
const TEXT = "The old mill wheel turns slowly.";
const ROOT_WORD = "turns";

const started = performance.now();
const seconds = () => (performance.now() - started) / 1000;
const folder = mkdtempSync(join(tmpdir(), "stemma-packages-"));
let failures = 0;

/**
 * Runs a program to its end; never throws.
 * @param {string} command
 * @param {string[]} args
 * @param {string} cwd
 * @returns {Promise<{ status: number | null, out: string }>}
 */
function run(command, args, cwd) {
  const timeout = Math.ceil(1000 * Math.max(1, PATIENCE - seconds()));
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd, timeout, stdio: ["ignore", "pipe", "pipe"] });
    let out = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (out += chunk));
    child.on("error", (error) => resolve({ status: null, out: error.message }));
    child.on("close", (status) => resolve({ status, out }));
  });
}

/** @param {string} name @param {() => Promise<string | undefined>} check what is wrong, if anything */
async function test(name, check) {
  let wrong;
  try {
    wrong = await check();
  } catch (error) {
    wrong = String(error instanceof Error ? error.stack : error);
  }
  console.log(`${wrong === undefined ? "ok  " : "FAIL"} ${seconds().toFixed(0).padStart(3)} s  ${name}`);
  if (wrong === undefined) return;
  failures++;
  console.log(wrong.replace(/^/gm, "       "));
}

/** Writes the files of a project. @param {string} name @param {Record<string, string | object>} files */
function project(name, files) {
  const path = join(folder, name);
  for (const [file, content] of Object.entries({ "package.json": { type: "module", private: true }, ...files })) {
    mkdirSync(dirname(join(path, file)), { recursive: true });
    writeFileSync(join(path, file), typeof content === "string" ? content : JSON.stringify(content));
  }
  return path;
}

/**
 * Installs in a project; false, with a message, if that cannot be done. @param {string} path @param {string[]} names
 */
async function install(path, ...names) {
  const options = ["--no-audit", "--no-fund", "--no-save", "--loglevel=error", "--prefer-offline", "--ignore-scripts"];
  const { status, out } = await run("npm", ["install", ...options, ...names], path);
  if (status === 0) return true;
  console.log(
    `skip ${seconds().toFixed(0).padStart(3)} s  ${names.join(", ")}: cannot be installed: ${out.trim().split("\n")[0]}`,
  );
  return false;
}

/**
 * Runs and expects status 0 and a text. @param {string} command @param {string[]} args @param {string} cwd @param
 * {string} [text]
 */
async function works(command, args, cwd, text = "") {
  const { status, out } = await run(command, args, cwd);
  if (status === 0 && out.includes(text)) return undefined;
  return `${command} ${args.join(" ")}: status ${status}, expected 0 and ${JSON.stringify(text)}\n${out.slice(0, 3000)}`;
}

/** The files of a folder. @param {string} path */
const list = (path) => readdirSync(path, { recursive: true, encoding: "utf8" });

// A page: parses and says the root.
const PAGE = (/** @type {string} */ model) => `import { load } from "@stemma/core";
import model from "${model}";
const parser = await load(model);
const [sentence] = parser.parse("${TEXT}");
console.log(sentence.root.form);
`;

try {
  // 1. Pack.
  const packed = join(folder, "stemma/packed");
  await test("npm run pack", () => works(process.execPath, [join(ROOT, "release/pack.mjs"), packed], ROOT));
  const tarballs = readdirSync(packed).map((file) => join(packed, file));
  if (tarballs.length !== PACKAGES.length) throw new Error(`packed: ${tarballs.join(", ")}`);
  const tarball = (/** @type {string} */ start) => tarballs.find((file) => file.startsWith(join(packed, start))) ?? "";
  const home = project("user", {});
  if (!(await install(home, ...tarballs))) throw new Error("the packages cannot be installed (is there a registry?)");
  const installed = (/** @type {string} */ name) => join(home, "node_modules", name);

  // As the README says, from a folder beside the clone.
  await test("README.md: the lines that install, and the ten lines of code", async () => {
    const page = readFileSync(join(ROOT, "README.md"), "utf8");
    const lines = /^npm install \.\.\/stemma\/packed.*$/m.exec(page)?.[0];
    const code = /^```js\n([\s\S]*?)^```/m.exec(page)?.[1];
    if (lines === undefined || code === undefined) return "they are not there";
    const path = join(folder, "readme");
    mkdirSync(path);
    writeFileSync(join(path, "trees.mjs"), code);
    return (
      (await works("bash", ["-c", `${lines} --prefer-offline --no-audit`], path)) ??
      (await works(process.execPath, ["trees.mjs"], path, ROOT_WORD))
    );
  });
  for (const name of PACKAGES.filter((name) => name.startsWith("model"))) {
    await test(`${name} says which core it needs`, async () => {
      const core = JSON.parse(readFileSync(join(installed("@stemma/core"), "package.json"), "utf8")).version;
      const file = join(installed(`@stemma/${name}`), "package.json");
      const wanted = JSON.parse(readFileSync(file, "utf8")).peerDependencies?.["@stemma/core"];
      return wanted === `^${core}` ? undefined : `it wants ${wanted}, the core is ${core}`;
    });
  }

  // 2. What is in them.
  for (const name of PACKAGES.map((folder) => (folder === "cli" ? "stemma" : `@stemma/${folder}`))) {
    await test(`${name}: licence, page, nothing left over, complete source maps`, async () => {
      const files = list(installed(name)).filter((file) => !file.startsWith("node_modules"));
      for (const file of ["LICENSE", "README.md"]) if (!files.includes(file)) return `no ${file}`;
      if (/studio|model/.test(name) && !files.includes("NOTICES.md")) return "no NOTICES.md";
      // The others are bundled into folders that are emptied before.
      if (/core|server/.test(name)) {
        const sources = join(ROOT, "packages", name.slice("@stemma/".length), "src");
        const compiled = files.filter((file) => /^dist(?!.(?:cjs|esm)).*(?<!\.min)\.js$/.test(file));
        const left = compiled.filter(
          (file) => !existsSync(join(sources, file.replace(/^dist./, "").replace(/js$/, "ts"))),
        );
        if (left.length > 0) return `left from an older build (delete dist and build again): ${left.join(", ")}`;
      }
      for (const file of files.filter((file) => file.endsWith(".map"))) {
        const map = JSON.parse(readFileSync(join(installed(name), file), "utf8"));
        if (map.sources.length !== map.sourcesContent?.length) return `${file} has no sources`;
      }
      return undefined;
    });
  }

  // 3. Node.
  const bare = "@stemma/model-en";
  writeFileSync(join(home, "page.mjs"), PAGE(bare));
  await test("Node: import", () => works(process.execPath, ["page.mjs"], home, ROOT_WORD));
  const required = `const model = require("@stemma/model-en");
import("@stemma/core").then(async ({ load }) => {
  const [sentence] = (await load(model)).parse("${TEXT}");
  console.log(sentence.root.form);
});`;
  writeFileSync(join(home, "page.cjs"), required);
  await test("Node: require of the model", () => works(process.execPath, ["page.cjs"], home, ROOT_WORD));
  for (const size of ["large", "small"]) {
    writeFileSync(join(home, `${size}.mjs`), PAGE(`@stemma/model-en-${size}`));
    await test(`Node: import of the ${size} model`, () => works(process.execPath, [`${size}.mjs`], home, ROOT_WORD));
  }
  const { exports } = JSON.parse(readFileSync(join(installed("@stemma/core"), "package.json"), "utf8"));
  // A worker's script does its work when it is imported, and has no names; modules of WebAssembly are files for bundlers.
  const entries = Object.keys(exports).filter((entry) => !/\.js|\.wasm|worker/.test(entry));
  const names = entries.map((entry) => entry.replace(/^\./, "@stemma/core"));
  await test(`Node: ${names.join(", ")}`, () => {
    const code = `for (const name of ${JSON.stringify(names)}) if (Object.keys(await import(name)).length === 0) throw name`;
    return works(process.execPath, ["--input-type=module", "-e", code], home);
  });
  await test("the command", () => works(join(home, "node_modules/.bin/stemma"), ["parse", TEXT], home, ROOT_WORD));
  for (const model of ["en-large", "en-roles", "en-small"]) {
    await test(`the command, with the model ${model} by its name`, () =>
      works(join(home, "node_modules/.bin/stemma"), ["parse", "--model", model, TEXT], home, ROOT_WORD));
  }

  // The examples of docs/server.md, each with an end: node:http, Express and Fastify; and the server of the command.
  const frameworks = project("frameworks", {});
  const examples = [...readFileSync(join(ROOT, "docs/server.md"), "utf8").matchAll(/^```js\n([\s\S]*?)^```/gm)]
    .map(([, code = ""]) => code)
    .filter((code) => code.includes("createHandler"));
  await test("docs/server.md has an example for node:http, Express and Fastify", async () =>
    examples.length === 3 ? undefined : `there are ${examples.length}`);
  const own = [tarball("stemma-core"), tarball("stemma-server"), tarball("stemma-model-en-0")];
  if ((await install(frameworks, ...own, "express", "fastify")) || (await install(frameworks, ...own))) {
    /** Runs a server, asks it for a tree under a path, and ends it. @param {string} file @param {string} [body] */
    const answers = async (file, body = TEXT) => {
      const child = spawn(process.execPath, [file], { cwd: frameworks, stdio: ["ignore", "ignore", "pipe"] });
      let said = "";
      child.stderr.on("data", (chunk) => (said += chunk));
      const ended = new Promise((resolve) => child.on("close", resolve));
      try {
        const type = body === TEXT ? "text/plain" : "application/json";
        for (let i = 0; i < 300 && child.exitCode === null; i++) {
          await new Promise((resolve) => setTimeout(resolve, 100));
          const url = "http://127.0.0.1:8080/stemma/v1/parse";
          const answer = await fetch(url, { method: "POST", headers: { "Content-Type": type }, body }).catch(() => {});
          if (!answer) continue;
          const text = await answer.text();
          const page = await (await fetch("http://127.0.0.1:8080/stemma/")).text();
          if (!page.includes("Stemma server")) return `no page: ${page.slice(0, 300)}`;
          return answer.ok && text.includes(`"form":"${ROOT_WORD}"`)
            ? undefined
            : `${answer.status} ${text.slice(0, 500)}`;
        }
        return `no answer\n${said}`;
      } finally {
        child.kill();
        await ended;
      }
    };
    const isThere = (/** @type {string} */ name) => name === "" || existsSync(join(frameworks, "node_modules", name));
    for (const [i, framework] of ["", "express", "fastify"].entries()) {
      if (!isThere(framework)) continue;
      writeFileSync(join(frameworks, "server.mjs"), examples[i] ?? "");
      await test(`the server mounted in ${framework || "node:http"}`, () => answers("server.mjs"));
    }
    if (isThere("express")) {
      const lines = (examples[1] ?? "").split("\n");
      const at = lines.findIndex((line) => line.includes("express.json()"));
      const [parser = ""] = lines.splice(at, 1);
      lines.splice(
        lines.findIndex((line) => line.includes("createHandler({")),
        0,
        parser,
        "app.use(express.text());",
      );
      writeFileSync(join(frameworks, "after.mjs"), lines.join("\n"));
      await test("the server mounted in express after its parsers, text", () => answers("after.mjs"));
      await test("the server mounted in express after its parsers, JSON", () =>
        answers("after.mjs", JSON.stringify({ text: TEXT })));
    }
  }

  // 4. Types, without DOM, without Node, without skipLibCheck.
  const imports = names.map((name, i) => `import * as e${i} from "${name}";\nexport { e${i} };`).join("\n");
  const compilerOptions = {
    noEmit: true,
    strict: true,
    exactOptionalPropertyTypes: true,
    target: "es2022",
    lib: ["es2022"],
    types: [],
  };
  const typed = `${imports}
import { load, type Pipeline, useWebAssembly, type Word } from "@stemma/core";
import model from "@stemma/model-en";
import file from "@stemma/model-en/en.stemma";
import scoring from "@stemma/core/scoring.wasm";
import inference from "@stemma/core/inference.wasm";
import encoder from "@stemma/core/encoder.wasm";
useWebAssembly({ scoring, inference, encoder });
const parser: Pipeline = await load(model);
await load(file);
for (const sentence of parser.parse("${TEXT}")) {
  const root: Word | undefined = sentence.root;
  const form: string | undefined = root?.form;
  void form;
}
`;
  // @stemma/core/node is for programs that have Node's types.
  const neutral = typed.replace(/import \* as (e\d+) from "@stemma\/core\/node";\nexport \{ \1 \};\n/, "");
  writeFileSync(join(home, "typed.ts"), neutral);
  for (const [name, module, moduleResolution] of [
    ["nodenext", "nodenext", "nodenext"],
    ["bundler", "esnext", "bundler"],
  ]) {
    const options = { ...compilerOptions, module, moduleResolution };
    writeFileSync(
      join(home, `tsconfig.${name}.json`),
      JSON.stringify({ compilerOptions: options, files: ["typed.ts"] }),
    );
  }
  await Promise.all(
    TYPESCRIPTS.map(async (version) => {
      const path = project(`typescript-${version}`, {});
      if (!(await install(path, `typescript@${version}`))) return;
      for (const resolution of ["nodenext", "bundler"]) {
        await test(`TypeScript ${version}, ${resolution}, no DOM, no skipLibCheck`, () =>
          works(
            process.execPath,
            [join(path, "node_modules/typescript/bin/tsc"), "-p", `tsconfig.${resolution}.json`],
            home,
          ));
      }
    }),
  );

  // 5. Frameworks and test runners, beside what follows: much of their time goes into downloads.
  const inFrameworks = testFrameworks({
    root: ROOT,
    folder,
    text: TEXT,
    rootWord: ROOT_WORD,
    tarball,
    test,
    project,
    install,
    works,
    skip: (what) => console.log(`skip ${seconds().toFixed(0).padStart(3)} s  ${what}`),
    hasTime: () => seconds() < PATIENCE - 240,
  }).then(
    () => undefined,
    (error) => error,
  );

  // 6. What others check.
  const checkers = project("checkers", {});
  if (await install(checkers, "publint", "@arethetypeswrong/cli")) {
    for (const name of PACKAGES) {
      const start = name === "cli" ? "stemma-0" : `stemma-${name}`;
      await test(`publint ${name}`, () =>
        works(join(checkers, "node_modules/.bin/publint"), ["run", tarball(start), "--strict"], checkers));
    }
    const attw = join(checkers, "node_modules/.bin/attw");
    // Modules of WebAssembly cannot be required.
    const modules = ["scoring.wasm", "inference.wasm", "encoder.wasm"];
    const others = ["stemma.min.js", ...modules];
    await test("are the types wrong: core", () =>
      works(attw, [tarball("stemma-core"), "--profile", "node16", "--exclude-entrypoints", ...others], checkers));
    await test("are the types wrong: core, modules of WebAssembly", () =>
      works(attw, [tarball("stemma-core"), "--profile", "esm-only", "--entrypoints", ...modules], checkers));
    await test("are the types wrong: server", () =>
      works(attw, [tarball("stemma-server"), "--profile", "esm-only"], checkers));
    await test("are the types wrong: model-en", () =>
      works(
        attw,
        [tarball("stemma-model-en-0"), "--profile", "node16", "--exclude-entrypoints", "en.stemma"],
        checkers,
      ));
  }

  // 7. Bundlers. Those that know new URL(…, import.meta.url) take the model as it is; the others are told what to do
  //    with the file.
  const bundlers = project("bundlers", {
    "page.js": PAGE(bare),
    "file.js": PAGE(`${bare}/en.stemma`),
    "index.html": '<!doctype html><script type="module" src="./page.js"></script>',
    "package.json": {
      type: "module",
      private: true,
      source: "page.js",
      "@parcel/resolver-default": { packageExports: true },
    },
  });
  await install(
    bundlers,
    ...tarballs,
    "esbuild",
    "rollup",
    "@rollup/plugin-node-resolve",
    "@rollup/plugin-url",
    "webpack",
    "vite",
  );
  const bin = (/** @type {string} */ name) => join(bundlers, "node_modules/.bin", name);
  const hasModel = (/** @type {string} */ out) => {
    const files = list(join(bundlers, out));
    return files.some((file) => file.endsWith(".stemma")) ? undefined : `no model among ${files.join(", ")}`;
  };
  /** @param {string} name @param {string} tool @param {() => Promise<string | undefined>} check */
  const bundles = async (name, tool, check) => {
    if (existsSync(bin(tool))) await test(name, check);
    else console.log(`skip ${seconds().toFixed(0).padStart(3)} s  ${name}: ${tool} is not there`);
  };
  await bundles("Vite copies the model", "vite", async () => {
    const args = ["build", "--outDir", "vite", "--logLevel", "error"];
    return (await works(bin("vite"), args, bundlers)) ?? hasModel("vite");
  });
  await bundles("webpack copies the model", "webpack", async () => {
    const code = `import webpack from "webpack";
webpack({ mode: "production", entry: "./page.js", experiments: { outputModule: true }, output: { path: process.cwd() + "/webpack" }, performance: false },
  (error, stats) => { if (error || stats.hasErrors()) { console.error(error ?? stats.toString()); process.exit(1); } });`;
    return (await works(process.execPath, ["--input-type=module", "-e", code], bundlers)) ?? hasModel("webpack");
  });
  await bundles("esbuild copies the model: --loader:.stemma=file", "esbuild", async () => {
    const args = [
      "file.js",
      "--bundle",
      "--format=esm",
      "--loader:.stemma=file",
      "--outdir=esbuild",
      "--log-level=error",
    ];
    return (await works(bin("esbuild"), args, bundlers)) ?? hasModel("esbuild");
  });
  await bundles("esbuild for Node takes the model in: --loader:.stemma=binary", "esbuild", async () => {
    const args = [
      "file.js",
      "--bundle",
      "--platform=node",
      "--format=esm",
      "--target=node20",
      "--loader:.stemma=binary",
      "--outfile=one.mjs",
    ];
    return (await works(bin("esbuild"), args, bundlers)) ?? works(process.execPath, ["one.mjs"], bundlers, ROOT_WORD);
  });
  // Modules of WebAssembly, as bytes or as files; wrangler, which compiles them, is among the frameworks.
  const modules = (/** @type {string} */ query) =>
    ["scoring", "inference"].map((name) => `import ${name} from "@stemma/core/${name}.wasm${query}";`).join("\n");
  await bundles("esbuild takes modules of WebAssembly in: --loader:.wasm=binary", "esbuild", async () => {
    const code = `import { load, useWebAssembly } from "@stemma/core";
import model from "@stemma/model-en-small/en-small.stemma";
${modules("")}
useWebAssembly({ scoring: new WebAssembly.Module(scoring), inference: new WebAssembly.Module(inference) });
WebAssembly.Module = () => { throw new Error("not allowed"); };
console.warn = (text) => { throw new Error(text); };
console.log([...(await load(model)).parse("${TEXT}")][0].root.form);`;
    writeFileSync(join(bundlers, "wasm.js"), code);
    const args = ["wasm.js", "--bundle", "--platform=node", "--format=esm", "--outfile=wasm.mjs", "--log-level=error"];
    const loaders = ["--target=node20", "--loader:.stemma=binary", "--loader:.wasm=binary"];
    return (
      (await works(bin("esbuild"), [...args, ...loaders], bundlers)) ??
      works(process.execPath, ["wasm.mjs"], bundlers, ROOT_WORD)
    );
  });
  await bundles("Vite copies modules of WebAssembly: ?url", "vite", async () => {
    const files = {
      "package.json": { type: "module", private: true },
      "index.html": '<!doctype html><script type="module" src="./page.js"></script>',
      "page.js": `import { load, useWebAssembly } from "@stemma/core";
${modules("?url")}
const compile = async (url) => WebAssembly.compileStreaming(fetch(url));
useWebAssembly({ scoring: await compile(scoring), inference: await compile(inference) });
await load("en.stemma");`,
    };
    const path = project("bundlers/wasm", files);
    const wrong = await works(bin("vite"), ["build", "--outDir", "out", "--logLevel", "error"], path);
    if (wrong !== undefined) return wrong;
    const copied = list(join(path, "out")).filter((file) => file.endsWith(".wasm") || file.endsWith(".js"));
    const page = copied
      .filter((file) => file.endsWith(".js"))
      .map((file) => readFileSync(join(path, "out", file), "utf8"));
    const isThere = (/** @type {string} */ name) =>
      copied.some((file) => file.includes(name)) || page.some((code) => code.includes("data:application/wasm"));
    return isThere("scoring") && isThere("inference") ? undefined : `no modules among ${copied.join(", ")}`;
  });
  await bundles("rollup copies the model: @rollup/plugin-url", "rollup", async () => {
    const config = `import { nodeResolve } from "@rollup/plugin-node-resolve";
import url from "@rollup/plugin-url";
export default { input: "file.js", output: { dir: "rollup" }, plugins: [nodeResolve(), url({ include: ["**/*.stemma"], limit: 0 })] };`;
    writeFileSync(join(bundlers, "rollup.config.js"), config);
    return (await works(bin("rollup"), ["-c", "--silent"], bundlers)) ?? hasModel("rollup");
  });
  await bundles("a worker without Node, WebAssembly or fetch is given bytes", "esbuild", async () => {
    const code = 'export { load } from "@stemma/core";';
    writeFileSync(join(bundlers, "worker.js"), code);
    const args = [
      "worker.js",
      "--bundle",
      "--format=iife",
      "--global-name=stemma",
      "--outfile=worker.iife.js",
      "--log-level=error",
    ];
    const wrong = await works(bin("esbuild"), args, bundlers);
    if (wrong !== undefined) return wrong;
    const bytes = readFileSync(join(installed("@stemma/model-en"), "en.stemma"));
    const script = `${readFileSync(join(bundlers, "worker.iife.js"), "utf8")};
delete globalThis.WebAssembly;
stemma.load(bytes).then((parser) => [...parser.parse(text)][0].root.form);`;
    const root = await runInNewContext(script, { TextDecoder, TextEncoder, URL, atob, bytes, text: TEXT });
    return root === ROOT_WORD ? undefined : `the root is ${root}`;
  });

  // 8. Large downloads, each by itself and only while there is time.
  for (const [tool, args, out] of /** @type {const} */ ([
    ["parcel", ["build", "index.html", "--dist-dir", "parcel", "--no-cache", "--no-autoinstall"], "parcel"],
    ["bun", ["build", "file.js", "--outdir", "bun", "--loader", ".stemma:file"], "bun"],
  ])) {
    if (seconds() > PATIENCE - 60) {
      console.log(`skip ${seconds().toFixed(0).padStart(3)} s  ${tool}: no time left`);
      continue;
    }
    await run(
      "npm",
      ["install", "--no-audit", "--no-fund", "--no-save", "--loglevel=error", tool, ...tarballs],
      bundlers,
    );
    await bundles(
      `${tool} copies the model`,
      tool,
      async () => (await works(bin(tool), [...args], bundlers)) ?? hasModel(out),
    );
  }
  const failed = await inFrameworks;
  if (failed) throw failed;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
console.log(failures === 0 ? "packages: all well" : `packages: ${failures} failed`);
process.exitCode = failures === 0 ? 0 : 1;
