import { useId } from "preact/hooks";
import { setNote } from "../../state/annotation/actions.js";
import { sentencesOf } from "../../state/editing/treebank-edits.js";
import { sentenceState, text } from "../../state/shown/state.js";

/** A note to the sentence: what the person wrote, or else the comment of the file. */
export function NoteField() {
  const id = useId();
  const value = sentenceState.value?.note ?? sentencesOf(text.value)[0]?.comment("note") ?? "";
  return (
    <section class="card annotate-note" aria-label="Note">
      <label for={id}>Note</label>
      <textarea
        id={id}
        rows={2}
        placeholder="Doubts, reasons, questions to others"
        value={value}
        onInput={(event) => setNote(event.currentTarget.value)}
      />
    </section>
  );
}
