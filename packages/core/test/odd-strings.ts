import { Random } from "../src/math/random.js";

/** Where the characters of odd strings come from: scripts, marks, white space, control characters, rarities. */
const RANGES: readonly (readonly [number, number])[] = [
  [0x20, 0x7e],
  [0x61, 0x7a],
  [0x00, 0x1f],
  [0x7f, 0xa0],
  [0xa1, 0x24f],
  [0x300, 0x36f],
  [0x370, 0x3ff],
  [0x400, 0x4ff],
  [0x590, 0x6ff],
  [0x900, 0x97f],
  [0xe00, 0xe7f],
  [0x1e00, 0x1eff],
  [0x2000, 0x206f],
  [0x20a0, 0x20bf],
  [0x2190, 0x21ff],
  [0x3000, 0x30ff],
  [0x3400, 0x3410],
  [0x4e00, 0x4eff],
  [0xac00, 0xacff],
  [0xe000, 0xe010],
  [0xf900, 0xf920],
  [0xfb00, 0xfb4f],
  [0xfe00, 0xfe0f],
  [0xff01, 0xff5e],
  [0xfff0, 0xfffd],
  [0x10330, 0x1034f],
  [0x11c30, 0x11c50],
  [0x1d400, 0x1d4ff],
  [0x1f300, 0x1f6ff],
  [0x20000, 0x20010],
  [0x2b920, 0x2b930],
  [0xe0100, 0xe0110],
];
const SAMPLES = [
  "[CLS]",
  "[SEP]",
  "[UNK]",
  "[MASK]x",
  "the",
  "undoable",
  "İstanbul",
  "ΣΟΦΌΣ",
  "Straße",
  "e\u0301",
  "…",
];

/** So many strings of odd characters, always the same for a seed; none has half a surrogate pair or a line end. */
export function oddStrings(count: number, seed: number): string[] {
  const random = new Random(seed);
  const below = (n: number) => Math.floor(random.next() * n);
  return Array.from({ length: count }, () => {
    let text = "";
    const length = random.next() < 0.02 ? 90 + below(30) : 1 + below(16);
    // Some keep to one script, as words do.
    const one = random.next() < 0.5 ? RANGES[below(RANGES.length)]! : undefined;
    for (let k = 0; k < length; k++) {
      if (random.next() < 0.05) text += SAMPLES[below(SAMPLES.length)]!;
      const [from, to] = one ?? RANGES[below(RANGES.length)]!;
      text += String.fromCodePoint(from + below(to - from + 1));
    }
    return text.replace(/[\n\r\u2028\u2029]/g, " ");
  });
}
