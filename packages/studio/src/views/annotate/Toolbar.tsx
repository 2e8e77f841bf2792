import { useEffect } from "preact/hooks";
import { finish, toggleDone } from "../../state/annotation/actions.js";
import { setSingleKeys, singleKeys } from "../../state/annotation/keys.js";
import { go, row } from "../../state/annotation/navigation.js";
import { reparses, setReparses } from "../../state/editing/reparse.js";
import { modelInfo, place, view } from "../../state/shown/state.js";
import { saveAgain, saving, sentenceStates, stampOf } from "../../state/storage/journal.js";
import { written } from "../../state/storage/written.js";
import { saveTreebank, setWritesMarks, writesMarks, writing } from "../../state/treebank/save.js";
import { isDone, matches, numberOf, progress, query, treebank } from "../../state/treebank/treebank.js";
import { UndoButtons } from "../input/UndoButtons.js";

/** Where one is, how far one is, and that nothing is lost. */
export function Toolbar() {
  const file = treebank.value!;
  const index = place.value!.index;
  const found = matches.value?.length ?? 0;
  const { sentences, done } = progress.value;
  const isSearch = found !== sentences || query.value.order !== "file";
  const isFinished = isDone(index);
  return (
    <section class="card annotate-top" aria-label="Progress">
      <div class="annotate-where">
        <button
          type="button"
          class="icon"
          aria-label="Previous sentence"
          title="Previous sentence (P)"
          onClick={() => void go(-1)}
        >
          ‹
        </button>
        <button type="button" class="small from-treebank" onClick={() => (view.value = "treebank")}>
          {file.name}, sentence {numberOf(index)}
        </button>
        <button
          type="button"
          class="icon"
          aria-label="Next sentence"
          title="Next sentence (N)"
          onClick={() => void go(1)}
        >
          ›
        </button>
        {isSearch && (
          <span class="faint">
            {row.value >= 0 ? `${number(row.value + 1)} of ${number(found)} found` : "not among those found"}
          </span>
        )}
      </div>
      <div class="annotate-done">
        <button type="button" class="small" aria-pressed={isFinished} title="Done (D)" onClick={() => toggleDone()}>
          {isFinished ? "✓ Done" : "Mark as done"}
        </button>
        <button
          type="button"
          class="small primary"
          title="Done, and on to the next that is not (Ctrl+Enter)"
          onClick={() => void finish()}
        >
          Done, go to next
        </button>
        <span class="annotate-progress">
          <progress value={done} max={sentences} aria-label="Sentences done" />
          <span>
            {number(done)} of {number(sentences)} done
          </span>
        </span>
      </div>
      <div class="annotate-file">
        <SaveState />
        <UndoButtons />
        <SaveFile />
      </div>
      <details class="annotate-options">
        <summary>Options</summary>
        <label class="check">
          <input
            type="checkbox"
            checked={reparses.value}
            disabled={!modelInfo.value}
            onChange={(event) => setReparses(event.currentTarget.checked)}
          />
          After each correction, reparse the rest of the sentence around the fixed arcs
        </label>
        <label class="check">
          <input
            type="checkbox"
            checked={writesMarks.value}
            onChange={(event) => setWritesMarks(event.currentTarget.checked)}
          />
          Write notes and done marks to the file as comments
        </label>
        <label class="check">
          <input
            type="checkbox"
            checked={singleKeys.value}
            onChange={(event) => setSingleKeys(event.currentTarget.checked)}
          />
          Single-key shortcuts: N, P, D and R work anywhere in this view
        </label>
        <button type="button" class="small" onClick={() => void saveTreebank(true)}>
          Save the file as…
        </button>
      </details>
    </section>
  );
}

/** Is everything kept in the browser? */
function SaveState() {
  const state = saving.value;
  useEffect(() => {
    if (state.kind === "saved") return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener("beforeunload", warn);
    return () => removeEventListener("beforeunload", warn);
  }, [state.kind]);
  return (
    <span class={`save-state ${state.kind}`} role="status">
      {state.kind === "saved" && "Saved in this browser"}
      {state.kind === "saving" && "Saving…"}
      {state.kind === "failed" && (
        <>
          Not saved: {state.reason}{" "}
          <button type="button" class="small" onClick={saveAgain}>
            Try again
          </button>
        </>
      )}
    </span>
  );
}

/** How many sentences differ from the file, and the way to write them there. */
function SaveFile() {
  const { key } = treebank.value!;
  const states = sentenceStates.value.get(key);
  let changed = 0;
  for (const { text } of states?.values() ?? []) if (text !== undefined) changed++;
  const stamp = stampOf(key, writesMarks.value);
  const isWritten = (written.value?.stamp ?? "") === stamp;
  return (
    <>
      <button
        type="button"
        class="small"
        disabled={writing.value}
        title="Write the file (Ctrl+S)"
        onClick={() => void saveTreebank()}
      >
        {writing.value ? "Writing…" : "Save file"}
      </button>
      <span class="faint">
        {changed === 0
          ? "no sentence changed"
          : `${number(changed)} ${changed === 1 ? "sentence" : "sentences"} changed`}
        {stamp !== "" && (isWritten ? ", saved to the file" : ", not saved to the file")}
      </span>
    </>
  );
}

function number(value: number): string {
  return value.toLocaleString("en-US");
}
