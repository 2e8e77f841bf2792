import type { Sentence } from "@stemma/core";
import { isTree } from "@stemma/core/treebank";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Tree } from "../../protocol/sentence.js";
import { copyWholePrediction } from "../../state/annotation/actions.js";
import { editArc } from "../../state/editing/arc-edit.js";
import { annotationProblems } from "../../state/editing/problems.js";
import { repair, reparse, reparsed } from "../../state/editing/reparse.js";
import { discardEdits } from "../../state/editing/treebank-edits.js";
import { ask } from "../../state/shown/client.js";
import { ShownSentence } from "../../state/shown/sentence.js";
import { modelInfo, sentenceState } from "../../state/shown/state.js";
import { labelsFor } from "../../state/treebank/labels.js";
import { shownPattern } from "../../state/treebank/treebank.js";
import { Exports } from "../export/Exports.js";
import { ConfidenceLegend, confidenceClass } from "../tree/confidence.js";
import { TreeView } from "../tree/TreeView.js";
import { GraphEditor } from "./GraphEditor.js";
import { Problems } from "./Problems.js";
import { ReparsedWords, Suggestions } from "./Suggestions.js";
import { WordTable } from "./WordTable.js";

interface Props {
  /** Which sentence of the text: there are several where one was split. */
  k: number;
  count: number;
  sentence: Sentence;
  /** The worker's answer; undefined until it is there. */
  data: ShownSentence | undefined;
  isStale: boolean;
}

const FOLLOW_AFTER = 60;

/** A sentence with everything that can be done to it. */
export function SentenceEditor({ k, count, sentence, data, isStale }: Props) {
  /** The word that is marked in the tree, and the one that the table is to go to. */
  const [word, setWord] = useState(1);
  const [asked, setAsked] = useState({ word: 1 });
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  // The tree follows when the keys in the table rest: large ones take a while to draw.
  const follow = (to: number) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setWord(to), FOLLOW_AFTER);
  };
  const choose = (to: number) => {
    setAsked({ word: to });
    follow(to);
  };
  const problems = useMemo(() => annotationProblems(sentence), [sentence]);
  const tree = useMemo<Tree>(() => {
    const labels = [""];
    for (let i = 1; i <= sentence.length; i++) labels.push(sentence.deprel(i));
    return { heads: [...sentence.heads], labels };
  }, [sentence]);
  const matched = useMatched(sentence);
  const hasArcs = tree.heads.some((head) => head >= 0);
  const shown = hasArcs ? tree : (data?.predicted ?? tree);
  const drawn = useMemo(
    () => new ShownSentence({ given: sentence.toJSON(), predicted: undefined, unseenScript: undefined }),
    [sentence],
  );
  const changed =
    reparsed.value?.k === k && reparsed.value.text.includes(sentence.toString()) ? reparsed.value.words : [];
  const changedWords = new Set(changed.map((one) => one.word));
  const isBroken = hasArcs && !isTree(sentence.heads);
  return (
    <section
      class={`card tree-card ${isStale ? "stale" : ""}`}
      aria-busy={isStale}
      aria-label={count > 1 ? `Sentence ${k + 1}` : "Sentence"}
    >
      <div class="card-top">
        <div class="card-title">
          {count > 1 && <span class="number">{k + 1}</span>}
          <span class="kind">{hasArcs ? "Tree" : data?.predicted ? "Prediction" : "No tree yet"}</span>
          {sentence.id && <span class="faint id">{sentence.id}</span>}
        </div>
        <div class="card-actions">
          {isBroken && (
            <button type="button" class="small primary" onClick={() => void repair(k)}>
              Repair the tree
            </button>
          )}
          {modelInfo.value && (
            <>
              <button
                type="button"
                class="small"
                title="Reparse everything that is not fixed (R)"
                onClick={() => void reparse(k)}
              >
                Reparse the rest
              </button>
              <button type="button" class="small" onClick={() => copyWholePrediction(k)}>
                Accept the prediction
              </button>
            </>
          )}
          {sentenceState.value?.text !== undefined && k === 0 && (
            <button type="button" class="small" onClick={() => discardEdits()}>
              Discard edits
            </button>
          )}
        </div>
      </div>
      {shown.heads.some((head) => head >= 0) ? (
        <TreeView
          name={`Dependency tree of: ${sentence.text}`}
          sentence={drawn}
          tree={shown}
          confidence={hasArcs ? undefined : data?.confidence}
          arcClass={(d) => (changedWords.has(d) ? "changed" : hasArcs ? "" : confidenceClass(data?.confidence?.[d]))}
          wordClass={(i) => `${matched.has(i) ? "found" : ""} ${i === word ? "selected" : ""}`}
          predicates={hasArcs ? drawn.predicates(false) : data?.predicates(true)}
          removed={hasArcs ? drawn.removedIn(shown) : data?.removed}
          labels={labelsFor(data, shown)}
          onEdit={(dependent, head, label) => data !== undefined && editArc(data, k, dependent, head, label)}
          onWord={choose}
          inSight={word}
        />
      ) : (
        <p class="note">This sentence has no heads, and there is no model to predict them. Enter them in the table.</p>
      )}
      {!hasArcs && data?.confidence && <ConfidenceLegend />}
      <ReparsedWords sentence={sentence} words={changed} />
      <Problems problems={problems} onWord={choose} />
      {data && hasArcs && <Suggestions k={k} sentence={sentence} data={data} />}
      <WordTable k={k} sentence={sentence} data={data} asked={asked} onWord={follow} problems={problems} />
      <GraphEditor k={k} sentence={sentence} labels={labelsFor(data, shown)} />
      <div class="card-foot">
        <span class="faint hint" />
        {data && <Exports sentence={data} tree={shown} ofModel={!hasArcs} />}
      </div>
    </section>
  );
}

/** The words that the pattern of the search fits. */
function useMatched(sentence: Sentence): ReadonlySet<number> {
  const [words, setWords] = useState<ReadonlySet<number>>(new Set());
  const pattern = shownPattern.value;
  useEffect(() => {
    if (pattern === "") return setWords(new Set());
    let isOver = false;
    ask("highlight", { sentence: sentence.toJSON(), pattern }).then(
      (answer) => {
        if (answer && !isOver) setWords(new Set(answer));
      },
      // The field of the pattern says what is wrong with it.
      () => setWords(new Set()),
    );
    return () => {
      isOver = true;
    };
  }, [sentence, pattern]);
  return words;
}
