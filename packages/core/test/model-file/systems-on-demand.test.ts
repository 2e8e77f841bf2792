// The systems that `load` alone knows, in a process of its own: here other modules have long made all known.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import { writeModel } from "../../src/model-file/model-file.js";
import { describeSystem, SYSTEM_NAMES } from "../../src/registry/systems.js";
import { toyModel } from "../toy-model.js";

const folder = mkdtempSync(join(tmpdir(), "stemma-systems-"));
afterAll(() => rmSync(folder, { recursive: true }));
const LOAD = fileURLToPath(new URL("../../dist/model-file/load.js", import.meta.url));
const REGISTRY = fileURLToPath(new URL("../../dist/registry/system-registry.js", import.meta.url));

function run(code: string): unknown {
  const imports = `import { load } from ${JSON.stringify(LOAD)}; import * as registry from ${JSON.stringify(REGISTRY)};`;
  const out = execFileSync(process.execPath, ["--input-type=module", "-e", imports + code], { encoding: "utf8" });
  return JSON.parse(out);
}

test("load brings the system of a model and no other that is not always there", () => {
  const always = run("console.log(JSON.stringify(registry.systemNames()))") as string[];
  expect(always).toEqual(["arc-eager", "arc-hybrid"]);
  const others = SYSTEM_NAMES.filter((name) => !always.includes(name));
  expect(others.length).toBeGreaterThan(5);
  // Templates name other positions where each move has a context of its own.
  const plain = others.filter((name) => !describeSystem(name).context);
  for (const system of plain) writeFileSync(join(folder, system), writeModel(toyModel({ system })));
  const names = run(`
    const names = {};
    for (const system of ${JSON.stringify(plain)}) {
      const before = registry.systemNames();
      const parser = await load(${JSON.stringify(folder)} + "/" + system);
      const sentence = parser.parseTokens(["a", "b", "c"]);
      if (sentence.length !== 3) throw new Error(system);
      names[system] = registry.systemNames().filter((name) => !before.includes(name));
    }
    console.log(JSON.stringify(names));`);
  expect(names).toEqual(Object.fromEntries(plain.map((name) => [name, [name]])));
});

test("all that ship can be loaded, each under its name; what is not says what to do", () => {
  const names = run(`
    let told;
    try { registry.createSystem("swap"); } catch (error) { told = error.message; }
    for (const system of ${JSON.stringify(SYSTEM_NAMES)}) await registry.loadSystem(system);
    console.log(JSON.stringify({ told, names: registry.systemNames() }));`) as { told: string; names: string[] };
  expect(names.told).toBe('the transition system swap is not loaded: use load(), or import "@stemma/core/systems"');
  expect(new Set(names.names)).toEqual(new Set(SYSTEM_NAMES));
});
