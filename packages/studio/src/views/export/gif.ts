// Animated GIF (CompuServe's GIF89a specification).

/** Colours of a picture are looked up with so many bits each. */
const BITS = 5;
const MOST_COLOURS = 256;

/** Pixels of a picture, four bytes each. */
export type Pixels = Uint8ClampedArray | Uint8Array;

/** Writes the frames of an animation one after the other; all have the colours of the samples. */
export class GifWriter {
  private readonly parts: Uint8Array<ArrayBuffer>[] = [];
  private readonly palette: Uint8Array;
  private readonly nearest: Int16Array;

  /** `samples`: pictures with all colours that will be needed. */
  constructor(
    private readonly width: number,
    private readonly height: number,
    samples: readonly Pixels[],
  ) {
    const colours = frequentColours(samples);
    this.palette = new Uint8Array(3 * MOST_COLOURS);
    for (const [i, colour] of colours.entries()) this.palette.set(colour, 3 * i);
    this.nearest = new Int16Array(1 << (3 * BITS)).fill(-1);
    const ascii = (text: string) => new Uint8Array(new TextEncoder().encode(text));
    this.parts.push(
      ascii("GIF89a"),
      // Eight bits of colour, a palette of 256.
      Uint8Array.of(width & 255, width >> 8, height & 255, height >> 8, 0xf7, 0, 0),
      this.palette.slice(),
      // Repeat for ever.
      Uint8Array.of(0x21, 0xff, 11),
      ascii("NETSCAPE2.0"),
      Uint8Array.of(3, 1, 0, 0, 0),
    );
  }

  /** `hundredths`: of a second, how long it is shown. */
  add(pixels: Pixels, hundredths: number): void {
    const { width, height } = this;
    const indices = new Uint8Array(width * height);
    for (let i = 0; i < indices.length; i++) {
      indices[i] = this.indexOf(pixels[4 * i]!, pixels[4 * i + 1]!, pixels[4 * i + 2]!);
    }
    this.parts.push(
      Uint8Array.of(0x21, 0xf9, 4, 0, hundredths & 255, hundredths >> 8, 0, 0),
      Uint8Array.of(0x2c, 0, 0, 0, 0, width & 255, width >> 8, height & 255, height >> 8, 0),
      inBlocks(compressed(indices)),
      Uint8Array.of(0),
    );
  }

  end(): Uint8Array<ArrayBuffer> {
    this.parts.push(Uint8Array.of(0x3b));
    const length = this.parts.reduce((sum, part) => sum + part.length, 0);
    const file = new Uint8Array(length);
    let at = 0;
    for (const part of this.parts) {
      file.set(part, at);
      at += part.length;
    }
    return file;
  }

  /** The number of the colour of the palette that is nearest. */
  private indexOf(r: number, g: number, b: number): number {
    const key = keyOf(r, g, b);
    let best = this.nearest[key]!;
    if (best >= 0) return best;
    let least = Number.POSITIVE_INFINITY;
    for (let i = 0; i < MOST_COLOURS; i++) {
      const [dr, dg, db] = [r - this.palette[3 * i]!, g - this.palette[3 * i + 1]!, b - this.palette[3 * i + 2]!];
      const distance = dr * dr + dg * dg + db * db;
      if (distance < least) [best, least] = [i, distance];
    }
    this.nearest[key] = best;
    return best;
  }
}

function keyOf(r: number, g: number, b: number): number {
  const shift = 8 - BITS;
  return ((r >> shift) << (2 * BITS)) | ((g >> shift) << BITS) | (b >> shift);
}

/** Colours that are alike are counted together, as the mean of their pixels; the most frequent ones are kept. */
function frequentColours(samples: readonly Pixels[]): number[][] {
  const counts = new Map<number, [count: number, r: number, g: number, b: number]>();
  for (const pixels of samples) {
    for (let i = 0; i < pixels.length; i += 4) {
      const [r, g, b] = [pixels[i]!, pixels[i + 1]!, pixels[i + 2]!];
      const key = keyOf(r, g, b);
      const sum = counts.get(key);
      if (sum) {
        sum[0]++;
        sum[1] += r;
        sum[2] += g;
        sum[3] += b;
      } else counts.set(key, [1, r, g, b]);
    }
  }
  return [...counts.values()]
    .sort((a, b) => b[0] - a[0])
    .slice(0, MOST_COLOURS)
    .map(([count, ...sums]) => sums.map((sum) => Math.round(sum / count)));
}

/** LZW with codes of 9 to 12 bits; the table begins anew when it is full. */
function compressed(indices: Uint8Array): Uint8Array {
  const [clear, end] = [256, 257];
  let out = new Uint8Array(1024);
  let length = 0;
  let held = 0;
  let heldBits = 0;
  let bits = 9;
  const write = (code: number) => {
    held |= code << heldBits;
    heldBits += bits;
    while (heldBits >= 8) {
      if (length === out.length) {
        const longer = new Uint8Array(2 * length);
        longer.set(out);
        out = longer;
      }
      out[length++] = held & 255;
      held >>>= 8;
      heldBits -= 8;
    }
  };
  let table = new Map<number, number>();
  let next = end + 1;
  write(clear);
  let prefix = indices[0] ?? 0;
  for (let i = 1; i < indices.length; i++) {
    const key = (prefix << 8) | indices[i]!;
    const known = table.get(key);
    if (known !== undefined) {
      prefix = known;
      continue;
    }
    write(prefix);
    if (next === 4096) {
      write(clear);
      table = new Map();
      next = end + 1;
      bits = 9;
    } else {
      table.set(key, next);
      // The reader is one entry behind.
      if (next === 1 << bits) bits++;
      next++;
    }
    prefix = indices[i]!;
  }
  write(prefix);
  write(end);
  if (heldBits > 0) {
    bits = 8;
    write(0);
  }
  return out.subarray(0, length);
}

/** Pieces of at most 255 bytes, each with its length before it. */
function inBlocks(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const blocks = Math.ceil(bytes.length / 255);
  const out = new Uint8Array(1 + bytes.length + blocks);
  // The number of bits of a pixel comes first.
  out[0] = 8;
  for (let b = 0, at = 1; b < blocks; b++) {
    const block = bytes.subarray(255 * b, 255 * (b + 1));
    out[at] = block.length;
    out.set(block, at + 1);
    at += block.length + 1;
  }
  return out;
}
