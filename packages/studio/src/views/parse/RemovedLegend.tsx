/** Explains words that are struck through. */
export function RemovedLegend() {
  return (
    <p class="faint removed-legend">
      <s>Struck through</s>: words that are no part of what is said, such as “uh”, “I mean” and what the speaker takes
      back. In Step through, the system “Arc-eager with disfluencies” removes them.
    </p>
  );
}
