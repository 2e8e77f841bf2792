import { chooseSentence } from "../../state/editing/text.js";
import { isolate } from "../../state/shown/direction.js";
import { parsed, sentenceIndex } from "../../state/shown/state.js";

/** Which sentence of the text is shown; nothing if there is only one. */
export function SentencePicker() {
  const sentences = parsed.value?.sentences ?? [];
  const index = Math.min(sentenceIndex.value, sentences.length - 1);
  if (sentences.length < 2) return null;
  return (
    <div class="picker">
      <button
        type="button"
        class="icon"
        aria-label="Previous sentence"
        disabled={index === 0}
        onClick={() => chooseSentence(index - 1)}
      >
        ‹
      </button>
      <select
        aria-label="Sentence"
        value={index}
        onChange={(event) => chooseSentence(Number(event.currentTarget.value))}
      >
        {sentences.map(({ text }, i) => (
          <option key={i} value={i}>
            {i + 1}. {isolate(text.length > 70 ? `${text.slice(0, 70)}…` : text)}
          </option>
        ))}
      </select>
      <button
        type="button"
        class="icon"
        aria-label="Next sentence"
        disabled={index === sentences.length - 1}
        onClick={() => chooseSentence(index + 1)}
      >
        ›
      </button>
    </div>
  );
}
