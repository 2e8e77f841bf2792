import { LONGEST_TEXT } from "../page/address.js";
import { say } from "../page/say.js";
import type { SentenceData, Tree } from "../protocol.js";
import { text } from "../state.js";
import { EXPORTS, exportTree } from "./export.js";

export function Exports({ sentence, tree }: { sentence: SentenceData; tree: Tree }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset brings a frame that does not belong here
    <div class="exports" role="group" aria-label="Export">
      <span aria-hidden="true">Export</span>
      {EXPORTS.map((format) => (
        <button
          key={format}
          type="button"
          class="small"
          onClick={() => exportTree(sentence, tree, format).catch((error: Error) => say(error.message))}
        >
          {format}
        </button>
      ))}
    </div>
  );
}

export function CopyLink() {
  return (
    <button
      type="button"
      class="small"
      onClick={() => {
        if (text.value.length > LONGEST_TEXT) return say("This text is too long for a link; send the file instead.");
        // The address bar follows the state with a short delay.
        setTimeout(() => {
          navigator.clipboard?.writeText(location.href).then(
            () => say("The link was copied to the clipboard."),
            () => say("Copy the link from the address bar."),
          ) ?? say("Copy the link from the address bar.");
        }, 200);
      }}
    >
      Copy link
    </button>
  );
}
