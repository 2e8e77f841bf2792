import type { Tree } from "../../protocol/sentence.js";

/**
 * Where an arrow key leads from a word: to its neighbours, up to its head, down to its first dependent; 0 if nowhere.
 */
export function wordFor(
  key: string,
  word: number,
  { heads }: Tree,
  rightToLeft: boolean,
  shows: (dependent: number) => boolean,
): number | undefined {
  const n = heads.length - 1;
  switch (key) {
    case rightToLeft ? "ArrowLeft" : "ArrowRight":
      return Math.min(n, word + 1);
    case rightToLeft ? "ArrowRight" : "ArrowLeft":
      return Math.max(1, word - 1);
    case "ArrowUp":
      return shows(word) ? heads[word] : 0;
    case "ArrowDown":
      return Math.max(
        0,
        heads.findIndex((head, d) => d > 0 && head === word && shows(d)),
      );
    default:
      return undefined;
  }
}
