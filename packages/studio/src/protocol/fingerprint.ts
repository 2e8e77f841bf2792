/**
 * A short name for a content, the same for the same bytes: two hashes of 32 bits (FNV-1a with two primes) and the
 * length.
 */
export class Fingerprint {
  private a = 0x811c9dc5;
  private b = 0x01234567;
  private length = 0;

  add(bytes: Uint8Array): this {
    let { a, b } = this;
    for (const byte of bytes) {
      a = Math.imul(a ^ byte, 0x01000193);
      b = Math.imul(b ^ byte, 0x0100012b);
    }
    this.a = a;
    this.b = b;
    this.length += bytes.length;
    return this;
  }

  toString(): string {
    return [this.a >>> 0, this.b >>> 0, this.length].map((number) => number.toString(36)).join("-");
  }
}

export function fingerprintOf(text: string): string {
  return new Fingerprint().add(new TextEncoder().encode(text)).toString();
}
