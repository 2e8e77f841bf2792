import { useState } from "preact/hooks";
import { chooseSentence, setGold, show } from "../actions.js";
import { editArc } from "../annotation/edit.js";
import { labelsFor } from "../annotation/labels.js";
import { CopyLink, Exports } from "../export/Exports.js";
import { NoTree } from "../page/Empty.js";
import type { SentenceData, Tree } from "../protocol.js";
import { editedGold, goldOf, parsed } from "../state.js";
import { TreeView } from "../tree/TreeView.js";
import { TextInput } from "./TextInput.js";

/** Trees drawn at once; more on demand. */
const PAGE = 20;

export function ParseView() {
  const [pages, setPages] = useState(1);
  const sentences = parsed.value?.sentences ?? [];
  return (
    <>
      <TextInput />
      {sentences.length === 0 ? (
        <section class="card tree-card" aria-label="Tree">
          <NoTree />
        </section>
      ) : (
        sentences
          .slice(0, pages * PAGE)
          .map((sentence, i) => <SentenceCard key={i} sentence={sentence} index={i} count={sentences.length} />)
      )}
      {sentences.length > pages * PAGE && (
        <button type="button" class="more" onClick={() => setPages(pages + 1)}>
          Show more sentences ({sentences.length - pages * PAGE} left)
        </button>
      )}
      {parsed.value?.truncated && (
        <p class="note">
          Only the first {sentences.length} sentences are shown. Open longer files in the treebank view.
        </p>
      )}
    </>
  );
}

function SentenceCard({ sentence, index, count }: { sentence: SentenceData; index: number; count: number }) {
  const [wish, setWish] = useState<"gold" | "model">("gold");
  const gold = goldOf(sentence, index);
  const edited = gold !== undefined && gold === editedGold.value[index];
  const showsModel = sentence.predicted !== undefined && (wish === "model" || !gold);
  const tree: Tree | undefined = showsModel ? sentence.predicted : gold;
  const go = (view: "step" | "compare") => {
    chooseSentence(index);
    show(view);
  };
  return (
    <section
      class={`card tree-card ${count > 1 ? "one-of-many" : ""}`}
      aria-label={count > 1 ? `Sentence ${index + 1}` : "Tree"}
    >
      <div class="card-top">
        <div class="card-title">
          {count > 1 && <span class="number">{index + 1}</span>}
          {gold && sentence.predicted ? (
            // biome-ignore lint/a11y/useSemanticElements: a fieldset brings a frame that does not belong here
            <div class="segmented" role="group" aria-label="Tree to show">
              <button type="button" aria-pressed={!showsModel} onClick={() => setWish("gold")}>
                {edited ? "Gold (edited)" : "Gold"}
              </button>
              <button type="button" aria-pressed={showsModel} onClick={() => setWish("model")}>
                Prediction
              </button>
            </div>
          ) : (
            <span class="kind">{gold ? "Gold tree" : "Prediction"}</span>
          )}
          {edited && (
            <button type="button" class="small" onClick={() => setGold(index, undefined)}>
              Undo edits
            </button>
          )}
          {sentence.id && <span class="faint id">{sentence.id}</span>}
        </div>
        <div class="card-actions">
          <button type="button" class="small primary" onClick={() => go("step")}>
            Step through
          </button>
          {gold && (
            <button type="button" class="small" onClick={() => go("compare")}>
              Compare
            </button>
          )}
        </div>
      </div>
      {tree ? (
        <TreeView
          name={`Dependency tree of: ${sentence.text}`}
          sentence={sentence}
          tree={tree}
          sureness={showsModel ? sentence.sureness : undefined}
          labels={labelsFor(sentence, tree)}
          onEdit={(dependent, head, label) => {
            setWish("gold");
            return editArc(sentence, index, tree, dependent, head, label);
          }}
        />
      ) : (
        <p class="note">This sentence has no heads, and there is no model to find them.</p>
      )}
      <div class="card-foot">
        <span class="faint hint">
          {index === 0 && "Drag an arc to another word to make a gold tree; click a word for its details."}
        </span>
        {tree && <Exports sentence={sentence} tree={tree} />}
        <CopyLink />
      </div>
    </section>
  );
}
