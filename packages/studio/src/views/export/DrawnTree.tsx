import { nameOf } from "../../state/export/export.js";
import { say } from "../../state/shown/say.js";
import type { ShownSentence } from "../../state/shown/sentence.js";
import { saveDrawn } from "./drawn-tree.js";

/** Saves two trees over the same words, as they are drawn in the card that this is in. */
export function ExportDrawn({ sentence, names }: { sentence: ShownSentence; names: readonly [string, string] }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset brings a frame that does not belong here
    <div class="exports" role="group" aria-label="Export">
      <span aria-hidden="true">Export</span>
      {(["SVG", "PNG"] as const).map((format) => (
        <button
          key={format}
          type="button"
          class="small"
          onClick={(event) =>
            saveDrawn(event.currentTarget, format, names, nameOf(sentence)).catch((error: Error) => say(error.message))
          }
        >
          {format}
        </button>
      ))}
    </div>
  );
}
