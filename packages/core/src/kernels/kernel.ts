/** A memory that can grow, with WebAssembly or without. */
export interface GrowingMemory {
  readonly buffer: ArrayBuffer | SharedArrayBuffer;
  /** Grow by this many pages of 65536 bytes; views of the buffer have to be made again. */
  grow(pages: number): number;
}

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

/**
 * The functions of a kernel on a memory; undefined where WebAssembly is missing or forbidden, so that callers fall back
 * to JavaScript that does the same. Whatever else is wrong with a kernel or its memory is an error. `text` is the
 * binary as base64.
 */
export function instantiate<Exports>(text: string, memory: GrowingMemory): Exports | undefined {
  if (!isAvailable()) return undefined;
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
