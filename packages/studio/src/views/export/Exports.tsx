import type { Tree } from "../../protocol/sentence.js";
import { LONGEST_TEXT } from "../../state/address/address.js";
import { addressOf, embeddingCode, isLocal, type Shown } from "../../state/address/embed.js";
import { EXPORTS, exportTree } from "../../state/export/export.js";
import { say } from "../../state/shown/say.js";
import type { ShownSentence } from "../../state/shown/sentence.js";
import { inLesson, text as input, modelInfo } from "../../state/shown/state.js";

/** `ofModel`: is it the model's tree, so that predicates and removed words are the model's, too? */
export function Exports({ sentence, tree, ofModel }: { sentence: ShownSentence; tree: Tree; ofModel: boolean }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset brings a frame that does not belong here
    <div class="exports" role="group" aria-label="Export">
      <span aria-hidden="true">Export</span>
      {EXPORTS.map((format) => (
        <button
          key={format}
          type="button"
          class="small"
          onClick={() => exportTree(sentence, tree, ofModel, format).catch((error: Error) => say(error.message))}
        >
          {format}
        </button>
      ))}
    </div>
  );
}

const FOR_YOU_ONLY = ` It leads to this computer (${location.host}), so nobody else can open it; “Save as page” in Step through makes a file that everybody can open.`;

/** The link to what is shown, and the HTML that shows it within another page. */
export function CopyLink() {
  return (
    <>
      <CopyButton what="Copy link" copied="The link" text={(shown) => addressOf(false, shown)} />
      <CopyButton what="Embed" copied="The HTML for another page" text={embeddingCode} />
    </>
  );
}

function CopyButton({ what, copied, text }: { what: string; copied: string; text(shown: Shown): string }) {
  return (
    <button
      type="button"
      class="small"
      onClick={() => {
        if (input.value.length > LONGEST_TEXT && !inLesson.value)
          return say("This text is too long for a link; send the file instead.");
        // The address bar follows the state with a short delay.
        setTimeout(() => {
          const address = text({ text: input.value, model: modelInfo.value?.name });
          navigator.clipboard?.writeText(address).then(
            () => say(`${copied} was copied to the clipboard.${isLocal ? FOR_YOU_ONLY : ""}`),
            () => say("Copy the link from the address bar."),
          ) ?? say("Copy the link from the address bar.");
        }, 200);
      }}
    >
      {what}
    </button>
  );
}
