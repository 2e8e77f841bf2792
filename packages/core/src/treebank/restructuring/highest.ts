/** Of some words the one that is highest in the tree, the first of several; words in a cycle are the lowest. */
export function highest(heads: readonly number[], words: readonly number[]): number {
  let best = words[0]!;
  let fewest = Number.POSITIVE_INFINITY;
  for (const word of words) {
    let depth = 0;
    for (let at = word; at > 0 && depth <= heads.length; at = heads[at]!) depth++;
    if (depth < fewest) [best, fewest] = [word, depth];
  }
  return best;
}
