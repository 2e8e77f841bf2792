/** Places for values that were seen last; a power of two. */
const RECENT = 1 << 12;
/** Shorter strings are copied when they are cut out of a text; longer ones keep the whole text alive. */
const SHORT = 13;

/** Gives strings numbers, the same string the same number. */
export class Interner {
  /** By number. */
  readonly texts: string[] = [];
  private readonly numbers = new Map<string, number>();
  private readonly recent = new Int32Array(RECENT);

  // Most values were seen a moment ago: a few characters tell where, and a comparison is cheaper than the hash of a
  // whole string.
  number(text: string): number {
    const { length } = text;
    const middle = text.charCodeAt(length >> 1);
    const place = (text.charCodeAt(0) * 31 + middle * 7 + text.charCodeAt(length - 1) * 97 + length) & (RECENT - 1);
    const recent = this.recent[place]!;
    if (this.texts[recent] === text) return recent;
    let id = this.numbers.get(text);
    if (id === undefined) {
      const own = length < SHORT ? text : ` ${text}`.slice(1);
      id = this.texts.push(own) - 1;
      this.numbers.set(own, id);
    }
    this.recent[place] = id;
    return id;
  }

  clear(): void {
    this.texts.length = 0;
    this.numbers.clear();
  }
}
