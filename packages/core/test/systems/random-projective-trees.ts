import fc from "fast-check";

/** Projective trees as heads, with from `least` to `most` words; of every shape, by choosing the root of each span. */
export function projectiveTree(least: number, most: number, oneRoot = false): fc.Arbitrary<number[]> {
  return fc.tuple(fc.integer({ min: least, max: most }), fc.infiniteStream(fc.nat(1 << 20))).map(([n, choices]) => {
    const heads = new Array<number>(n + 1).fill(-1);
    const choose = (options: number) => choices.next().value! % options;
    // The words from … to become one or more subtrees below `head`.
    const attach = (from: number, to: number, head: number, single: boolean): void => {
      if (from > to) return;
      const end = single ? to : from + choose(to - from + 1);
      const root = from + choose(end - from + 1);
      heads[root] = head;
      attach(from, root - 1, root, false);
      attach(root + 1, end, root, false);
      attach(end + 1, to, head, false);
    };
    attach(1, n, 0, oneRoot);
    return heads;
  });
}
