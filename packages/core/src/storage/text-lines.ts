import type { Store } from "./store.js";

/** So many texts without line ends: UTF-8, a line each. */
export function textLines(name: string, count: number): Store<readonly string[]> {
  return {
    sections: [name],
    pack: (lines) => [new TextEncoder().encode(lines.join("\n"))],
    unpack([bytes], bad) {
      try {
        const lines = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes).split("\n");
        return lines.length === count ? lines : bad(name);
      } catch {
        return bad(name);
      }
    },
    share: (lines) => lines,
    attach: (lines) => lines,
  };
}
