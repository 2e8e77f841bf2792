import { afterEach, expect, test, vi } from "vitest";
import { instantiate, needWebAssembly } from "../../src/kernels/kernel.js";
import learningKernel from "../../src/kernels/learning.generated.js";
import scoringKernel from "../../src/kernels/scoring.generated.js";
import sharedScoringKernel from "../../src/kernels/scoring-shared.generated.js";
import { Weights } from "../../src/learning/linear/weights.js";
import { randomNetwork } from "./random-network.js";

interface Interface {
  Memory: new (descriptor: { initial: number }) => never;
  Module: unknown;
  Instance: unknown;
  CompileError: ErrorConstructor;
  LinkError: ErrorConstructor;
}
const wasm = (globalThis as unknown as { WebAssembly: Interface }).WebAssembly;
const memory = () => new wasm.Memory({ initial: 2 });

afterEach(() => {
  vi.unstubAllGlobals();
});

/** Forbids WebAssembly, as a page's policy does. */
class Forbidden {
  constructor() {
    throw new wasm.CompileError("Wasm code generation disallowed by embedder");
  }
}

const MISSING: [string, unknown][] = [
  ["is missing", undefined],
  ["is forbidden", { Memory: wasm.Memory, Module: Forbidden, Instance: wasm.Instance }],
];

test.each(MISSING)("where WebAssembly %s there is no kernel, and training says so", (_, given) => {
  vi.stubGlobal("WebAssembly", given);
  expect(instantiate(scoringKernel, {} as never)).toBeUndefined();
  const message = "training needs WebAssembly with SIMD, which is not available here";
  expect(needWebAssembly).toThrow(message);
  expect(() => new Weights()).toThrow(message);
});

test("where it is there, a kernel comes with its functions", () => {
  expect(instantiate(learningKernel, memory())).toHaveProperty("update");
});

test("a kernel that is broken, or has the wrong memory, is an error and not only slower", () => {
  expect(() => instantiate("AGFzbQEAAAAB", memory())).toThrow(wasm.CompileError);
  expect(() => instantiate(sharedScoringKernel, memory())).toThrow(wasm.LinkError);
});

test("a parser passes such an error on", () => {
  const { model } = randomNetwork();
  class Broken {
    constructor() {
      throw new RangeError("out of memory");
    }
  }
  vi.stubGlobal("WebAssembly", { Memory: wasm.Memory, Module: wasm.Module, Instance: Broken });
  expect(() => model.createParser()).toThrow("out of memory");
});
