import { useEffect } from "preact/hooks";
import { described } from "../../protocol/error-filter.js";
import { isTyped, singleKeys } from "../../state/annotation/keys.js";
import { go, row } from "../../state/annotation/navigation.js";
import { place } from "../../state/shown/state.js";
import { matches, query, treebank } from "../../state/treebank/treebank.js";

/** From one sentence of a search to the next, by button and by key, in views that show a sentence. */
export function FoundBar() {
  const shown = place.value;
  const file = treebank.value;
  const isShown = shown !== undefined && file?.key === shown.key;
  useEffect(() => {
    if (!isShown) return;
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
      if (!singleKeys.value || isTyped(event.target as Element)) return;
      const step = ({ n: 1, p: -1 } as const)[event.key];
      if (!step) return;
      event.preventDefault();
      void go(step);
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, [isShown]);
  if (!isShown) return null;
  const { errors } = query.value;
  const found = matches.value?.length ?? 0;
  const at = row.value;
  return (
    <nav class="found-bar" aria-label="Sentences found">
      <button
        type="button"
        class="icon"
        title="Previous (P)"
        aria-label="Previous sentence found"
        onClick={() => void go(-1)}
      >
        ‹
      </button>
      <button type="button" class="icon" title="Next (N)" aria-label="Next sentence found" onClick={() => void go(1)}>
        ›
      </button>
      <span class="faint">
        {at >= 0 ? `${(at + 1).toLocaleString("en-US")} of ${found.toLocaleString("en-US")}` : "not among those found"}
        {errors && `: ${described(errors)}`}
      </span>
    </nav>
  );
}
