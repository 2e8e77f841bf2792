import { useEffect, useRef } from "preact/hooks";
import { setText } from "../actions.js";
import { ModelMissing } from "../model/ModelMissing.js";
import { isRightToLeft, model, parsed, text } from "../state.js";
import { looksLikeConllu } from "./conllu.js";
import { EXAMPLES } from "./examples.js";

/** Where the text comes from, in every view that shows a sentence. */
export function TextInput({ compact = false }: { compact?: boolean }) {
  const area = useRef<HTMLTextAreaElement>(null);
  const value = text.value;
  const result = parsed.value;
  const conllu = looksLikeConllu(value);
  useEffect(() => {
    const element = area.current;
    if (!element) return;
    element.style.height = "auto";
    element.style.height = `${Math.min(element.scrollHeight + 2, compact ? 96 : 220)}px`;
  }, [value, compact]);
  return (
    <section class={`text-input ${compact ? "compact" : ""}`} aria-label="Input">
      <div class="text-input-top">
        <label for="text">Text or CoNLL-U</label>
        <select
          class="examples"
          aria-label="Examples"
          value=""
          onChange={(event) => {
            const example = EXAMPLES[Number(event.currentTarget.value)];
            if (example) setText(example.text);
            event.currentTarget.value = "";
          }}
        >
          <option value="" disabled>
            Examples…
          </option>
          {EXAMPLES.map(({ name }, i) => (
            <option key={name} value={i}>
              {name}
            </option>
          ))}
        </select>
      </div>
      <textarea
        id="text"
        ref={area}
        class={conllu ? "mono" : ""}
        dir={conllu ? "ltr" : isRightToLeft(value) ? "rtl" : "ltr"}
        rows={compact ? 1 : 2}
        spellcheck={false}
        placeholder="Type a sentence, or paste CoNLL-U"
        value={value}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      {result && result.errors.length > 0 && (
        <div class="note bad" role="alert">
          <strong>
            {result.errors.length === 1 ? "One sentence" : `${result.errors.length} sentences`} cannot be read:
          </strong>
          <ul>
            {result.errors.slice(0, 5).map((error) => (
              <li key={error}>{error}</li>
            ))}
          </ul>
        </div>
      )}
      {model.value.kind === "missing" && <ModelMissing />}
    </section>
  );
}
