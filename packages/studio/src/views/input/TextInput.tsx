import { useEffect, useRef } from "preact/hooks";
import { formatOf } from "../../protocol/input-format.js";
import { EXAMPLES } from "../../state/address/examples.js";
import { replaceText, typeText } from "../../state/editing/text.js";
import { exampleFor } from "../../state/model/available.js";
import { isRightToLeft } from "../../state/shown/direction.js";
import { longText, model, modelInfo, parsed, place, text, view } from "../../state/shown/state.js";
import { numberOf, treebank } from "../../state/treebank/treebank.js";
import { ModelMissing } from "./ModelMissing.js";
import { UndoButtons } from "./UndoButtons.js";

/** Where the text comes from, in every view that shows a sentence. */
export function TextInput({ compact = false }: { compact?: boolean }) {
  const area = useRef<HTMLTextAreaElement>(null);
  const value = text.value;
  const result = parsed.value;
  const conllu = formatOf(value) !== "text";
  const inLanguage = exampleFor(modelInfo.value?.name);
  const examples = inLanguage ? [inLanguage, ...EXAMPLES] : EXAMPLES;
  // Where there is little room it has one line, until somebody writes in it.
  const grow = () => {
    const element = area.current!;
    element.style.height = "";
    if (compact && element !== document.activeElement) return;
    element.style.height = "auto";
    element.style.height = `${Math.min(element.scrollHeight + 2, compact ? 96 : 220)}px`;
  };
  useEffect(grow, [value, compact]);
  return (
    <section class={`text-input ${compact ? "compact" : ""}`} aria-label="Input">
      <div class="text-input-top">
        <label for="text">Text or CoNLL-U</label>
        <FromTreebank />
        <UndoButtons />
        <select
          class="examples"
          aria-label="Examples"
          value=""
          onChange={(event) => {
            const example = examples[Number(event.currentTarget.value)];
            if (example) replaceText({ text: example.text, place: undefined });
            event.currentTarget.value = "";
          }}
        >
          <option value="" disabled>
            Examples…
          </option>
          {examples.map(({ name }, i) => (
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
        disabled={longText.value !== undefined}
        onInput={(event) => typeText(event.currentTarget.value)}
        onFocus={grow}
        onBlur={grow}
      />
      {result?.format === "spaced" && (
        <p class="note">This is CoNLL-U with spaces instead of tabs; it is read as if they were tabs.</p>
      )}
      {result?.format === "conll09" && (
        <p class="note">This is CoNLL-2009; trees, predicates and roles are read from its gold columns.</p>
      )}
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

/** Which sentence of the treebank the text is, and the way back. */
function FromTreebank() {
  const file = treebank.value;
  if (!place.value || file?.key !== place.value.key) return null;
  return (
    <>
      <button type="button" class="small from-treebank" onClick={() => (view.value = "treebank")}>
        ‹ {file.name}, sentence {numberOf(place.value.index)}
      </button>
      <button type="button" class="small" onClick={() => (view.value = "annotate")}>
        Annotate
      </button>
    </>
  );
}
