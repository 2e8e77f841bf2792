// Everything that docs/library.md and the documentation of the main names show is compiled and run.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { describe, expect, test } from "vitest";
import { readInterface } from "../../core/api.mjs";
import { findChromium } from "../../core/test/chromium.js";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const MODEL = `${root}packages/model-en/en.stemma`;
const EXPECTED = {
  js: [
    /^turns The\/DET old\/ADJ/,
    /^I → sent → email \nAnn → was read → email \nAnn → did not answer → it \(negated\)\nThe email ← nsubj:pass\n/,
    /^# sent_id = s1\n# text = She reads map\n1\tShe\tshe\tPRON\t_\tNumber=Sing\t2\tnsubj:outer\t_\t_\n2-3\treadsmap\t[_\t]*\n2\t.*\n3\tmap\tmap\tNOUN\t_\tNumber=Sing\t2\tobj\t_\tSpaceAfter=No\n/,
    /^2 nsubj Nobody uses it\.\n$/,
    /2\treads\tread\tVERB[\s\S]*\n2\n$/,
    /2\treads\tread\tVERB[\s\S]*\n0\.\d+\n$/,
    /^She reads maps\.\nShe reads\. 14\n$/,
    /^D' \| you \| run \| wxWidgets\/GTK \| \?\n[\s\S]*AB-12 /,
    /^1 -?[\d.]+ nsubj root [\s\S]*\nduck NOUN\n$/,
    /^true\n$/,
    /^One sentence\.\nError: one is enough\n$/,
    /^stands\nuses\nreads\n$/,
    /^r1 1\nr2 2\n$/,
    /^true\n$/,
    /^epoch 1: [\d.]+\nepoch 2: [\d.]+\n100 likes true\n$/,
    /^vector\n$/,
    /^2 9\n$/,
  ],
  // The first needs a page, the last a bundler, and they are compiled only; worker-parser.test.ts runs workers,
  // given-webassembly.test.ts modules.
  ts: [undefined, /^The mill det [\d.]+\n[\s\S]*\nstands undefined root [\d.]+\n/, /^She 1\n$/, undefined],
  html: [/^<svg[\s\S]*tree/],
};
const page = readFileSync(`${root}docs/library.md`, "utf8");
const blocks = [...page.matchAll(/^```(\w+)\n([\s\S]*?)^```/gm)].map((match) => ({ kind: match[1]!, code: match[2]! }));
const examples = (kind: keyof typeof EXPECTED) => blocks.filter((block) => block.kind === kind).map(({ code }) => code);
const hasModel = existsSync(MODEL);
if (!hasModel) console.log("library.test.ts: skipped what parses: packages/model-en/en.stemma is not there");

/** Runs a script beside the packages, so that the imports are resolved as for a user. */
function run(code: string, name: string): string {
  const script = `${root}packages/cli/example-${process.pid}-${name}.mjs`;
  writeFileSync(script, code);
  try {
    const { stdout, stderr } = spawnSync(process.execPath, [script], { cwd: root, encoding: "utf8" });
    expect(stderr).toBe("");
    return stdout;
  } finally {
    rmSync(script);
  }
}

/** Checks the types of examples, and returns them as JavaScript. */
function compile(codes: readonly string[], more: object = {}): string[] {
  const folder = mkdtempSync(`${root}packages/cli/examples-`);
  try {
    codes.forEach((code, i) => void writeFileSync(join(folder, `${i}.mts`), code));
    const compilerOptions = {
      ...{ target: "es2022", lib: ["es2022", "dom"], types: [], strict: true, rootDir: ".", outDir: "out" },
      ...{ module: "nodenext", moduleResolution: "nodenext", noUncheckedIndexedAccess: true },
      ...more,
    };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["*.mts"] }));
    const tsc = `${root}node_modules/typescript/bin/tsc`;
    const { stdout, status } = spawnSync(process.execPath, [tsc, "-p", folder], { cwd: folder, encoding: "utf8" });
    expect({ stdout, status }).toEqual({ stdout: "", status: 0 });
    return codes.map((_, i) => readFileSync(join(folder, "out", `${i}.mjs`), "utf8"));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe("the examples in docs/library.md", () => {
  test("are all here", () => {
    const counts = Object.fromEntries(Object.entries(EXPECTED).map(([kind, list]) => [kind, list.length]));
    expect(Object.fromEntries(Object.keys(EXPECTED).map((kind) => [kind, examples(kind as "js").length]))).toEqual(
      counts,
    );
    expect(blocks.filter(({ kind }) => !(kind in EXPECTED))).toEqual([]);
  });

  test.skipIf(!hasModel).each(EXPECTED.js.map((_, i) => i))("run: JavaScript %i", (i) => {
    expect(run(examples("js")[i]!, `${i}`)).toMatch(EXPECTED.js[i]!);
  });

  test("compile: JavaScript, pasted into a program in strict TypeScript", () => {
    compile(examples("js"), { types: ["node"], noUncheckedIndexedAccess: false });
  });

  test("compile and run: TypeScript", () => {
    compile(examples("ts")).forEach((code, i) => {
      const expected = EXPECTED.ts[i];
      if (expected) expect(run(code, `ts-${i}`)).toMatch(expected);
    });
  });

  const browserPath = findChromium();
  if (!browserPath)
    console.log("library.test.ts: skipped the page: no Chromium (set CHROMIUM, or install Debian's chromium)");
  test.skipIf(!hasModel || !browserPath)("run: HTML, in a browser", async () => {
    const files: Record<string, [type: string, path: string]> = {
      "/stemma.min.js": ["text/javascript", `${root}packages/core/dist/stemma.min.js`],
      "/en.stemma": ["application/octet-stream", MODEL],
    };
    const [html] = examples("html");
    const server = createServer((request, response) => {
      const file = files[request.url ?? ""];
      if (file) return response.setHeader("content-type", file[0]).end(readFileSync(file[1]));
      if (request.url === "/") return response.setHeader("content-type", "text/html").end(html);
      return response.writeHead(404).end();
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const browser = await chromium.launch({ executablePath: browserPath!, args: ["--no-sandbox"] });
    try {
      const tab = await browser.newPage();
      await tab.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
      await tab.waitForSelector("svg");
      expect(await tab.innerHTML("body")).toMatch(EXPECTED.html[0]!);
    } finally {
      await browser.close();
      server.close();
    }
  });
});

describe("the examples of the main names", () => {
  test.skipIf(!hasModel)("compile and run", () => {
    const shown = [...readInterface().examples];
    compile(shown.map(([, code]) => code)).forEach((code, i) => {
      expect(run(code, shown[i]![0]).trim(), shown[i]![0]).not.toBe("");
    });
  });
});
