/** Characters of a text that are looked at, at most. */
export const MOST_CHARACTERS = 2000;

const LETTERS = /[\p{L}\p{M}'’]+/gu;
/** Longer ones are names of chemicals, or text without spaces. */
const LONGEST_WORD = 12;
const LONGEST_GRAM = 4;

/** The words of a text, in small letters; apostrophes within them are all the same. */
export function lettersOf(text: string): string[] {
  const words = text.slice(0, MOST_CHARACTERS).normalize("NFC").toLowerCase().match(LETTERS) ?? [];
  return words.map((word) => word.replaceAll("’", "'").replace(/^'+|'+$/g, "")).filter((word) => word !== "");
}

/**
 * The strings by which languages are told: one to four letters of each word, whose ends are marked by "_", and short
 * words as a whole.
 */
export function* gramsOf(words: Iterable<string>): Generator<string> {
  for (const word of words) {
    const marked = Array.from(`_${word}_`);
    for (let from = 0; from < marked.length; from++) {
      let gram = "";
      for (let to = from; to < Math.min(marked.length, from + LONGEST_GRAM); to++) {
        gram += marked[to];
        if (gram !== "_") yield gram;
      }
    }
    if (marked.length > LONGEST_GRAM && marked.length <= LONGEST_WORD) yield marked.join("");
  }
}
