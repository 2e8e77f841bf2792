/** The smallest difference between the numbers of two sentences; with it, files may have millions of sentences. */
export const FINEST = 2 ** -30;

/**
 * Numbers for sentences that are split off one: between its own number and the next one that is taken, with room left
 * for further ones before and after each.
 */
export function numbersBetween(index: number, next: number, count: number): number[] {
  const numbers: number[] = [];
  let at = index;
  for (let i = 0; i < count; i++) {
    const number = Math.floor((at + (next - at) / 4) / FINEST) * FINEST;
    if (number <= at) {
      throw new RangeError("This sentence was split too often. Save the file and open it again to split it further.");
    }
    numbers.push(number);
    at = number;
  }
  return numbers;
}
