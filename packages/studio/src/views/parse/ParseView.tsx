import { useState } from "preact/hooks";
import type { Tree } from "../../protocol/sentence.js";
import { embedded } from "../../state/address/embed.js";
import { editArc } from "../../state/editing/arc-edit.js";
import { problemsOf } from "../../state/editing/problems.js";
import { repairDraft } from "../../state/editing/reparse.js";
import { chooseSentence, setGold } from "../../state/editing/text.js";
import type { ShownSentence } from "../../state/shown/sentence.js";
import { goldOf, isEdited, keyOf, parsed, parsing, view } from "../../state/shown/state.js";
import { labelsFor } from "../../state/treebank/labels.js";
import { NoTree } from "../common/Empty.js";
import { UnseenScript } from "../common/UnseenScript.js";
import { CopyLink, Exports } from "../export/Exports.js";
import { TextInput } from "../input/TextInput.js";
import { ConfidenceLegend, confidenceClass } from "../tree/confidence.js";
import { TreeView } from "../tree/TreeView.js";
import { EnhancedView } from "./EnhancedView.js";
import { RemovedLegend } from "./RemovedLegend.js";

/** Trees drawn at once; more on demand. */
const PAGE = 20;

export function ParseView() {
  const [pages, setPages] = useState(1);
  const sentences = parsed.value?.sentences ?? [];
  return (
    <>
      {!embedded && <TextInput />}
      {sentences.length === 0 ? (
        <section class="card tree-card" aria-label="Tree">
          <NoTree />
        </section>
      ) : (
        sentences
          .slice(0, pages * PAGE)
          .map((sentence, i) => <SentenceCard key={keyOf(i)} sentence={sentence} index={i} count={sentences.length} />)
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

function SentenceCard({ sentence, index, count }: { sentence: ShownSentence; index: number; count: number }) {
  const [wish, setWish] = useState<"gold" | "model">("gold");
  const gold = goldOf(sentence, index);
  const edited = isEdited(sentence, index);
  const [insists, setInsists] = useState(false);
  // Arcs that are no tree are shown, to be repaired.
  const given = gold ?? sentence.draft;
  const showsModel = sentence.predicted !== undefined && (wish === "model" || !given);
  const tree: Tree | undefined = showsModel ? sentence.predicted : given;
  const removed = showsModel ? sentence.removed : tree && sentence.removedIn(tree);
  const isGuess = showsModel && sentence.unseenScript !== undefined;
  const go = (to: "step" | "compare") => {
    chooseSentence(index);
    view.value = to;
  };
  return (
    <section
      class={`card tree-card ${count > 1 ? "one-of-many" : ""} ${parsing.value ? "stale" : ""}`}
      aria-busy={parsing.value}
      aria-label={count > 1 ? `Sentence ${index + 1}` : "Tree"}
    >
      <div class="card-top">
        <div class="card-title">
          {count > 1 && <span class="number">{index + 1}</span>}
          {given && sentence.predicted ? (
            // biome-ignore lint/a11y/useSemanticElements: a fieldset brings a frame that does not belong here
            <div class="segmented" role="group" aria-label="Tree to show">
              <button type="button" aria-pressed={!showsModel} onClick={() => setWish("gold")}>
                {gold ? (edited ? "Gold (edited)" : "Gold") : "As given"}
              </button>
              <button type="button" aria-pressed={showsModel} onClick={() => setWish("model")}>
                Prediction
              </button>
            </div>
          ) : (
            <span class="kind">{gold ? "Gold tree" : given ? "As given" : "Prediction"}</span>
          )}
          {edited && (
            <button type="button" class="small" onClick={() => setGold(index, undefined)}>
              Discard edits
            </button>
          )}
          {sentence.id && <span class="faint id">{sentence.id}</span>}
        </div>
        <div class="card-actions">
          {sentence.draft && !gold && (
            <button type="button" class="small primary" onClick={() => repairDraft(sentence, index)}>
              Repair the tree
            </button>
          )}
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
      {isGuess && <UnseenScript sentence={sentence} />}
      {given &&
        !showsModel &&
        problemsOf(sentence, given).map((problem) => (
          <p key={problem} class="note warn">
            {problem}
          </p>
        ))}
      {isGuess && !insists ? (
        <button type="button" class="small show-guess" onClick={() => setInsists(true)}>
          Show the guess
        </button>
      ) : tree ? (
        <TreeView
          name={`Dependency tree of: ${sentence.text}`}
          sentence={sentence}
          tree={tree}
          confidence={showsModel ? sentence.confidence : undefined}
          arcClass={(d) => (showsModel ? confidenceClass(sentence.confidence?.[d]) : "")}
          predicates={sentence.predicates(showsModel)}
          removed={removed}
          labels={labelsFor(sentence, tree)}
          onEdit={(dependent, head, label) => {
            setWish("gold");
            return editArc(sentence, index, dependent, head, label);
          }}
        />
      ) : (
        <p class="note">This sentence has no heads, and there is no model to find them.</p>
      )}
      {!showsModel && <EnhancedView sentence={sentence} />}
      {showsModel && sentence.confidence && !(isGuess && !insists) && index === 0 && <ConfidenceLegend />}
      {removed?.some((kind) => kind > 0) && <RemovedLegend />}
      <div class="card-foot">
        <span class="faint hint">
          {index === 0 && "Drag an arc to another word to make a gold tree; click a word for its details."}
        </span>
        {tree && !(isGuess && !insists) && <Exports sentence={sentence} tree={tree} ofModel={showsModel} />}
        <CopyLink />
      </div>
    </section>
  );
}
