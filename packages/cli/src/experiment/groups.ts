/** The group of sentences that the pattern does not match. */
export const NO_GROUP = "other";

/**
 * The group of a sentence, such as its genre: what a pattern matches in its sent_id, or what its first parentheses do.
 */
export function groupOf(id: string | undefined, pattern: string): string {
  const found = new RegExp(pattern, "u").exec(id ?? "");
  return (found?.[1] ?? found?.[0]) || NO_GROUP;
}
