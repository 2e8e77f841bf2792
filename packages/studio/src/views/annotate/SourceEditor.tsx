import { useState } from "preact/hooks";
import { setSource } from "../../state/annotation/actions.js";
import { text } from "../../state/shown/state.js";
import type { TreebankPlace } from "../../state/storage/changes.js";
import { draftOf, keepDraft } from "../../state/storage/drafts.js";
import { isUnreadable } from "../../state/treebank/treebank.js";

/** The CoNLL-U of the sentence, for everything that has no place elsewhere, and for what cannot be read. */
export function SourceEditor({ place }: { place: TreebankPlace }) {
  const [typed, setTyped] = useState(() => draftOf(place));
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const value = typed ?? text.value;
  const lines = value.split("\n").length;
  const type = (now: string | undefined) => {
    setTyped(now);
    keepDraft(place, now);
    if (now === undefined) setProblem(undefined);
  };
  const apply = (now: string) => {
    const wrong = setSource(now);
    setProblem(wrong);
    if (wrong === undefined) type(undefined);
    return wrong === undefined;
  };
  return (
    <details class="card annotate-source" open={typed !== undefined || isUnreadable(place.index)}>
      <summary>CoNLL-U</summary>
      <textarea
        class="mono"
        aria-label="CoNLL-U of the sentence"
        spellcheck={false}
        wrap="off"
        rows={Math.min(30, lines + 1)}
        value={value}
        onInput={(event) => type(event.currentTarget.value)}
        onKeyDown={(event) => {
          // Ctrl+S saves the file, with what is typed here; without it, it would not be what is seen.
          if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "s" || typed === undefined) return;
          if (!apply(typed)) {
            event.preventDefault();
            event.stopPropagation();
          }
        }}
      />
      {problem && (
        <p class="note bad" role="alert">
          {problem}
        </p>
      )}
      {typed !== undefined && (
        <div class="annotate-source-actions">
          <button type="button" class="small primary" onClick={() => apply(typed)}>
            Apply
          </button>
          <button type="button" class="small" onClick={() => type(undefined)}>
            Discard
          </button>
        </div>
      )}
    </details>
  );
}
