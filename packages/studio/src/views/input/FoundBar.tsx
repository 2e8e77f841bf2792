import { useEffect, useRef } from "preact/hooks";
import { described } from "../../protocol/error-filter.js";
import { isTyped, singleKeys } from "../../state/annotation/keys.js";
import { go } from "../../state/annotation/navigation.js";
import { differing } from "../../state/comparison/adjudication.js";
import { place, sides } from "../../state/shown/state.js";
import { matches, query, treebank } from "../../state/treebank/treebank.js";

/** From one sentence of a search to the next, by button and by key, in views that show a sentence. */
export function FoundBar() {
  const shown = place.value;
  const file = treebank.value;
  const isShown = shown !== undefined && file?.key === shown.key;
  const compared = differing.value;
  const isCompared =
    compared && "matches" in compared && file && compared.of.startsWith(`${file.key} ${sides.value.join(" ")} `);
  const list = useRef<ArrayLike<number> | undefined>(undefined);
  // Sentences that differ, if these were looked for; else those of the search.
  list.current = isCompared ? compared.matches : matches.value;
  useEffect(() => {
    if (!isShown) return;
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
      if (!singleKeys.value || isTyped(event.target as Element)) return;
      const step = ({ n: 1, p: -1 } as const)[event.key];
      if (!step) return;
      event.preventDefault();
      void go(step, false, list.current);
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, [isShown]);
  if (!isShown) return null;
  const { errors } = query.value;
  const found = list.current?.length ?? 0;
  const at = Array.prototype.indexOf.call(list.current ?? [], shown.index);
  return (
    <nav class="found-bar" aria-label="Sentences found">
      <button
        type="button"
        class="icon"
        title="Previous (P)"
        aria-label="Previous sentence found"
        onClick={() => void go(-1, false, list.current)}
      >
        ‹
      </button>
      <button
        type="button"
        class="icon"
        title="Next (N)"
        aria-label="Next sentence found"
        onClick={() => void go(1, false, list.current)}
      >
        ›
      </button>
      <span class="faint">
        {at >= 0 ? `${(at + 1).toLocaleString("en-US")} of ${found.toLocaleString("en-US")}` : "not among those found"}
        {isCompared ? ": they differ" : errors && `: ${described(errors)}`}
      </span>
    </nav>
  );
}
