/** Places for values that are remembered; a power of 2. */
const PLACES = 1 << 14;

/**
 * A function of a part of a text that remembers its results: a treebank has few different labels and features. What is
 * known is found without cutting the part out; a new value takes the place of another with the same hash.
 */
export function remembered<T extends object>(
  make: (part: string) => T,
): (text: string, start?: number, end?: number) => T {
  const keys: string[] = new Array(PLACES).fill("");
  const values: (T | undefined)[] = new Array(PLACES).fill(undefined);
  return (text, start = 0, end = text.length) => {
    let hash = end - start;
    for (let k = start; k < end; k++) hash = (Math.imul(hash, 31) + text.charCodeAt(k)) | 0;
    const place = (hash ^ (hash >>> 14)) & (PLACES - 1);
    const known = keys[place]!;
    if (known.length === end - start && text.startsWith(known, start)) {
      const value = values[place];
      if (value !== undefined) return value;
    }
    // A part of a string would keep all of it in memory.
    const own = [...text.slice(start, end)].join("");
    const value = make(own);
    keys[place] = own;
    values[place] = value;
    return value;
  };
}
