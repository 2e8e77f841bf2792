import { useState } from "preact/hooks";
import { text } from "../state.js";
import { setSource } from "./actions.js";

/** The CoNLL-U of the sentence, for everything that has no place elsewhere. */
export function SourceEditor() {
  const [typed, setTyped] = useState<string | undefined>(undefined);
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const value = typed ?? text.value;
  const lines = value.split("\n").length;
  return (
    <details class="card annotate-source">
      <summary>CoNLL-U</summary>
      <textarea
        class="mono"
        aria-label="CoNLL-U of the sentence"
        spellcheck={false}
        rows={Math.min(30, lines + 1)}
        value={value}
        onInput={(event) => setTyped(event.currentTarget.value)}
      />
      {problem && (
        <p class="note bad" role="alert">
          {problem}
        </p>
      )}
      {typed !== undefined && (
        <div class="annotate-source-actions">
          <button
            type="button"
            class="small primary"
            onClick={() => {
              const wrong = setSource(typed);
              setProblem(wrong);
              if (wrong === undefined) setTyped(undefined);
            }}
          >
            Apply
          </button>
          <button
            type="button"
            class="small"
            onClick={() => {
              setTyped(undefined);
              setProblem(undefined);
            }}
          >
            Discard
          </button>
        </div>
      )}
    </details>
  );
}
