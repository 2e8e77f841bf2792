// Node and browsers both have these; lib ES2022 does not declare them, and core takes neither Node's nor the DOM's
// types.
declare class TextDecoder {
  constructor(label?: string, options?: { fatal?: boolean; ignoreBOM?: boolean });
  decode(input?: Uint8Array, options?: { stream?: boolean }): string;
}
declare class TextEncoder {
  encode(input?: string): Uint8Array;
}
declare const console: { warn(message: string): void };
declare function atob(text: string): string;
declare namespace WebAssembly {
  class Module {
    constructor(bytes: Uint8Array);
  }
  class Instance {
    readonly exports: unknown;
    constructor(module: Module, imports: Record<string, Record<string, unknown>>);
  }
  class Memory {
    readonly buffer: ArrayBuffer | SharedArrayBuffer;
    constructor(descriptor: { initial: number; maximum?: number; shared?: boolean });
    grow(pages: number): number;
  }
}
declare class URL {
  constructor(url: string, base?: string);
  readonly href: string;
}
declare function fetch(address: string): Promise<{
  readonly ok: boolean;
  readonly status: number;
  readonly statusText: string;
  arrayBuffer(): Promise<ArrayBuffer>;
}>;
declare const setImmediate: ((callback: () => void) => void) | undefined;
declare class MessageChannel {
  readonly port1: { onmessage: (() => void) | null; close(): void };
  readonly port2: { postMessage(message: unknown): void };
}
