import { useEffect } from "preact/hooks";
import { redo, undo } from "../../state/editing/text.js";
import { nameOf } from "../../state/editing/treebank-edits.js";
import type { Change } from "../../state/storage/changes.js";
import { nextRedo, nextUndo } from "../../state/storage/journal.js";

function titleOf(verb: string, change: Change | undefined): string {
  if (!change) return `Nothing to ${verb.toLowerCase()}`;
  return `${verb} ${nameOf(change)}`;
}

/** Undo and redo of everything that a person made: trees and texts, across sentences. */
export function UndoButtons() {
  useEffect(() => {
    const key = (event: KeyboardEvent) => {
      const target = event.target as Element;
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.defaultPrevented) return;
      // In a text field the browser itself undoes what was typed.
      if (target.closest("textarea, input:not([type=checkbox], [type=range])")) return;
      const letter = event.key.toLowerCase();
      if (letter === "z") void (event.shiftKey ? redo() : undo());
      else if (letter === "y") void redo();
      else return;
      event.preventDefault();
    };
    addEventListener("keydown", key);
    return () => removeEventListener("keydown", key);
  }, []);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset brings a frame that does not belong here
    <div class="undo-buttons" role="group" aria-label="Changes">
      <Button name="Undo" change={nextUndo.value} onClick={undo} d="M9 7 4 12l5 5M4 12h10a6 6 0 0 1 0 12" />
      <Button name="Redo" change={nextRedo.value} onClick={redo} d="m15 7 5 5-5 5M20 12H10a6 6 0 0 0 0 12" />
    </div>
  );
}

function Button(props: { name: string; change: Change | undefined; onClick(): Promise<void>; d: string }) {
  const title = titleOf(props.name, props.change);
  return (
    <button
      type="button"
      class="icon small-icon"
      aria-label={title}
      title={title}
      disabled={!props.change}
      onClick={() => void props.onClick()}
    >
      <svg viewBox="0 0 24 27" width="16" height="18" aria-hidden="true">
        <path d={props.d} />
      </svg>
    </button>
  );
}
