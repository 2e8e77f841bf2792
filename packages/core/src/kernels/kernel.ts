import { checkOptions, type Expectation } from "../checks/options.js";

/** A memory that can grow, with WebAssembly or without. */
export interface GrowingMemory {
  readonly buffer: ArrayBuffer | SharedArrayBuffer;
  /** Grow by this many pages of 65536 bytes; views of the buffer have to be made again. */
  grow(pages: number): number;
}

const WARNING = "Stemma: WebAssembly may not be compiled here: parsing is slow (see useWebAssembly)";

const compiled = new Map<string, WebAssembly.Module>();

/** A module of one function that uses SIMD: (func (result v128) i32.const 0 i8x16.splat i8x16.popcnt). */
const PROBE = "AGFzbQEAAAABBQFgAAF7AwIBAAoKAQgAQQD9D/1iCw==";

/**
 * Whether there is WebAssembly with SIMD, and it may be used: old browsers lack it, and the policy of a page can forbid
 * it. A module that is known to be good is compiled, so that only this can be the reason if it fails.
 */
function isAvailable(): boolean {
  if (typeof WebAssembly === "undefined") return false;
  try {
    new WebAssembly.Module(bytesOf(PROBE));
    return true;
  } catch {
    return false;
  }
}

/** The WebAssembly modules that parsing needs, compiled. */
export interface WebAssemblyModules {
  /** The default export of `@stemma/core/scoring.wasm`, for linear models. */
  scoring?: object | undefined;
  /** That of `@stemma/core/inference.wasm`, for networks. */
  inference?: object | undefined;
  /** That of `@stemma/core/encoder.wasm`, for encoders, which need `inference`, too. */
  encoder?: object | undefined;
}
type KernelName = keyof WebAssemblyModules;

/** Modules that were compiled elsewhere. */
const given = new Map<KernelName, WebAssembly.Module>();
let hasWarned = false;

const MODULE: Expectation = {
  expected: "a WebAssembly.Module",
  accepts: (value) => Object.prototype.toString.call(value) === "[object WebAssembly.Module]",
};

/**
 * Gives the WebAssembly modules that parsing needs, compiled, where a program may not compile them itself: Cloudflare's
 * and similar workers do it when they are deployed. Before the first `load`; the English models need `scoring` and
 * `inference`, the large one all three.
 *
 * @param modules what the bundler made of the files
 */
export function useWebAssembly(modules: WebAssemblyModules): void {
  checkOptions("useWebAssembly", modules ?? null, { scoring: MODULE, inference: MODULE, encoder: MODULE });
  for (const [name, module] of Object.entries(modules)) given.set(name as KernelName, module as WebAssembly.Module);
}

/**
 * The functions of a kernel on a memory; undefined where WebAssembly is missing or forbidden, so that callers fall back
 * to JavaScript that does the same, which is said once. Whatever else is wrong with a kernel or its memory is an error.
 * `text` is the binary as base64, `name` says which one of those that may be given it is.
 */
export function instantiate<Exports>(text: string, memory: GrowingMemory, name?: KernelName): Exports | undefined {
  const own = name && given.get(name);
  if (own) return new WebAssembly.Instance(own, { env: { memory } }).exports as Exports;
  if (!isAvailable()) {
    if (!hasWarned) console.warn(WARNING);
    hasWarned = true;
    return undefined;
  }
  let module = compiled.get(text);
  if (!module) compiled.set(text, (module = new WebAssembly.Module(bytesOf(text))));
  return new WebAssembly.Instance(module, { env: { memory } }).exports as Exports;
}

/** Training has no JavaScript to fall back to: throws where WebAssembly is missing or forbidden. */
export function needWebAssembly(): void {
  if (!isAvailable()) throw new Error("training needs WebAssembly with SIMD, which is not available here");
}

function bytesOf(text: string): Uint8Array {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}
