/** Puts numbers into a section: 7 bits a byte, the lowest first; the high bit says that more follow (LEB128). */
export class Packer {
  private bytes = new Uint8Array(1 << 16);
  private end = 0;

  byte(value: number): void {
    if (this.end === this.bytes.length) {
      const wider = new Uint8Array(2 * this.end);
      wider.set(this.bytes);
      this.bytes = wider;
    }
    this.bytes[this.end++] = value;
  }

  number(value: number): void {
    for (; value > 127; value = Math.floor(value / 128)) this.byte((value & 127) | 128);
    this.byte(value);
  }

  done(): Uint8Array {
    return this.bytes.subarray(0, this.end);
  }
}

/**
 * Takes numbers out of a section. Beyond its end every byte is 0 and `at` runs on, which the caller checks at the end.
 */
export class Unpacker {
  at = 0;

  constructor(private readonly bytes: Uint8Array) {}

  number(): number {
    const { bytes } = this;
    let byte = bytes[this.at++]!;
    if (byte < 128) return byte;
    let value = byte & 127;
    for (let factor = 128; factor < 2 ** 35; factor *= 128) {
      byte = bytes[this.at++]!;
      value += (byte & 127) * factor;
      if (!(byte > 127)) return value;
    }
    return Number.NaN;
  }

  get atEnd(): boolean {
    return this.at === this.bytes.length;
  }
}
