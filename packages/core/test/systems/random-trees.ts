import fc from "fast-check";

/** Random trees, mostly non-projective: the words are attached in random order, each to node 0 or to an earlier one. */
export function randomTrees(maxLength: number): fc.Arbitrary<Int32Array> {
  return fc.array(fc.tuple(fc.nat(), fc.nat()), { minLength: 1, maxLength }).map((draws) => {
    const words = draws.map((_, i) => i + 1).sort((a, b) => draws[a - 1]![0] - draws[b - 1]![0] || a - b);
    const heads = new Int32Array(draws.length + 1).fill(-1);
    words.forEach((word, i) => {
      const choice = draws[i]![1] % (i + 1);
      heads[word] = choice === 0 ? 0 : words[choice - 1]!;
    });
    return heads;
  });
}
