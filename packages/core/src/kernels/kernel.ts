const compiled = new Map<string, WebAssembly.Module>();

/**
 * The functions of a kernel on a memory; undefined where WebAssembly with SIMD cannot be had (a page may forbid it), so that callers
 * fall back to JavaScript that does the same. `text` is the binary as base64.
 */
export function instantiate<Exports>(text: string, memory: WebAssembly.Memory): Exports | undefined {
  try {
    let module = compiled.get(text);
    if (!module) compiled.set(text, (module = new WebAssembly.Module(bytesOf(text))));
    return new WebAssembly.Instance(module, { env: { memory } }).exports as Exports;
  } catch {
    return undefined;
  }
}

function bytesOf(text: string): Uint8Array {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}
