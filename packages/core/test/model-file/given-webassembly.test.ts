// Where WebAssembly may not be compiled: modules that were compiled elsewhere, and a warning where there are none.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { writeModel } from "../../src/model-file/model-file.js";
import { toyPipeline } from "../toy-pipeline.js";

const folder = mkdtempSync(join(tmpdir(), "stemma-wasm-"));
const model = join(folder, "toy.stemma");
beforeAll(() => writeFileSync(model, writeModel(toyPipeline())));
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs a script in which nothing can be compiled after `before`; what it prints, and its warnings. */
function run(before: string, use: string): { out: string; instances: number } {
  const script = `
    import { readFileSync } from "node:fs";
    ${before}
    const { Instance } = WebAssembly;
    let instances = 0;
    WebAssembly.Module = function () { throw new Error("not allowed"); };
    WebAssembly.Instance = function (...given) { instances++; return new Instance(...given); };
    let warnings = 0;
    console.warn = (text) => { warnings += text.startsWith("Stemma: WebAssembly may not be compiled here") ? 1 : 100; };
    const { load, useWebAssembly } = await import(${JSON.stringify(new URL("../../dist/index.js", import.meta.url).href)});
    ${use}
    const parser = await load(${JSON.stringify(model)});
    const trees = [...parser.parse("Mina likes green boats. Toru doesn't sell maps!")].join("");
    console.log(JSON.stringify({ out: trees + "warnings: " + warnings, instances }));`;
  const file = join(folder, `script-${Math.random()}.mjs`);
  writeFileSync(file, script);
  return JSON.parse(execFileSync(process.execPath, [file], { encoding: "utf8" }));
}

const wasm = JSON.stringify(new URL("../../dist/scoring.wasm", import.meta.url).pathname);

test("a module that is given is used; without it JavaScript gives the same, with one warning", () => {
  const given = run(`const scoring = new WebAssembly.Module(readFileSync(${wasm}));`, "useWebAssembly({ scoring });");
  expect(given.instances).toBeGreaterThan(0);
  expect(given.out).toMatch(/likes[\s\S]*warnings: 0$/);
  const plain = run("", "");
  expect(plain.instances).toBe(0);
  expect(plain.out).toBe(given.out.replace("warnings: 0", "warnings: 1"));
});

test("says what is wrong", () => {
  expect(() => run("", "useWebAssembly({ scoring: {} });")).toThrow(
    "invalid scoring of useWebAssembly: Object (expected a WebAssembly.Module)",
  );
  expect(() => run("", "useWebAssembly({ score: {} });")).toThrow("unknown option of useWebAssembly: score");
});
