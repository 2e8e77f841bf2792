import { addressOf } from "../state/address/embed.js";

/** The only frame of a page within another one: where it comes from, and the way to the whole. */
export function EmbeddedFoot() {
  return (
    <p class="embedded-foot">
      <a
        href={addressOf(false)}
        target="_blank"
        rel="noreferrer"
        // The address follows what is looked at.
        onPointerDown={(event) => (event.currentTarget.href = addressOf(false))}
        onFocus={(event) => (event.currentTarget.href = addressOf(false))}
      >
        Open in Stemma Studio
      </a>
    </p>
  );
}
