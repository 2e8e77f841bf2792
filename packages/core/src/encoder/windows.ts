/** Pieces that are read together, and the words whose vectors are taken from there. */
export interface Window {
  /** Numbers of the words that are read. */
  readonly first: number;
  readonly end: number;
  /** Of these, the words whose vectors are taken from here. */
  readonly from: number;
  readonly to: number;
}

/**
 * Windows of at most `room` pieces over words of so many pieces each, at most `room`: one if all fit in, else they
 * overlap by about `overlap` pieces, and a word belongs to the one in which it has more on both sides.
 */
export function windowsOver(counts: readonly number[], room: number, overlap = room / 2): Window[] {
  const spans: { first: number; end: number }[] = [];
  for (let first = 0; ; ) {
    let end = first;
    let pieces = 0;
    while (end < counts.length && pieces + counts[end]! <= room) pieces += counts[end++]!;
    spans.push({ first, end });
    if (end === counts.length) break;
    // The next one begins where so much of this one is left.
    let next = end;
    let shared = 0;
    while (next > first + 1 && shared + counts[next - 1]! <= overlap) shared += counts[--next]!;
    first = next;
  }
  const cuts = spans.map(({ first }, k) => {
    const before = spans[k - 1];
    if (!before) return 0;
    // The middle of what both have read.
    let shared = 0;
    for (let word = first; word < before.end; word++) shared += counts[word]!;
    let cut = first;
    for (let seen = 0; cut < before.end && seen + counts[cut]! <= shared / 2; cut++) seen += counts[cut]!;
    return cut;
  });
  return spans.map(({ first, end }, k) => ({ first, end, from: cuts[k]!, to: cuts[k + 1] ?? end }));
}
