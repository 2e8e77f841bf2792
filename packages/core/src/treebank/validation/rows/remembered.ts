/** The most values that are remembered. */
const MOST = 1 << 14;

/** A function of strings that remembers its results: a treebank has few different labels and features. */
export function remembered<T>(make: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    let value = known.get(text);
    if (value !== undefined) return value;
    // A part of a string would keep all of it in memory.
    const own = [...text].join("");
    value = make(own);
    if (known.size >= MOST) known.clear();
    known.set(own, value);
    return value;
  };
}
