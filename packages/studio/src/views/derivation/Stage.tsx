import { useMemo } from "preact/hooks";
import type { Derivation } from "../../protocol/derivation.js";
import { removedAt } from "../../state/derivation/arcs-at.js";
import { hidesAnswer, quizOn } from "../../state/derivation/quiz.js";
import { goldBeside } from "../../state/derivation/stage.js";
import { editArc } from "../../state/editing/arc-edit.js";
import type { ShownSentence } from "../../state/shown/sentence.js";
import {
  considered,
  deriving,
  gold,
  inLesson,
  parsing,
  sentenceIndex,
  shownStep,
  target,
} from "../../state/shown/state.js";
import { labelsFor } from "../../state/treebank/labels.js";
import { TreeView } from "../tree/TreeView.js";
import { Choices } from "./Choices.js";
import { ConfigurationView } from "./ConfigurationView.js";
import { type LostArcs, useLostArcs } from "./lost-arcs.js";
import { Player } from "./Player.js";
import { Quiz } from "./Quiz.js";

/** A derivation at work, in one window: steps, the growing tree, stack and buffer, and what is permitted. */
export function Stage({ derivation, sentence }: { derivation: Derivation; sentence: ShownSentence }) {
  const stale = parsing.value || deriving.value;
  const lost = useLostArcs(derivation);
  const most = Math.max(...derivation.configurations.map(({ choices }) => choices.length));
  return (
    <section
      class={`card stage ${stale ? "stale" : ""}`}
      style={{ "--most": Math.max(1, most) }}
      aria-label="Derivation"
      aria-busy={stale}
    >
      <Player derivation={derivation} forms={sentence.forms} lost={lost.byTaken} />
      <div class="step-main">
        <GrowingTree sentence={sentence} derivation={derivation} lost={lost} />
      </div>
      <ConfigurationView derivation={derivation} step={shownStep.value} forms={sentence.forms} />
      {quizOn.value ? (
        <Quiz derivation={derivation} forms={sentence.forms} />
      ) : (
        <Choices derivation={derivation} forms={sentence.forms} lost={lost} />
      )}
    </section>
  );
}

interface TreeProps {
  sentence: ShownSentence;
  derivation: Derivation;
  lost: LostArcs;
}

function GrowingTree({ sentence, derivation, lost }: TreeProps) {
  const step = shownStep.value;
  const goldTree = gold.value;
  const aim = target.value;
  // Words that have no head yet keep room for the arc that they should get.
  const tree = useMemo(() => {
    const { heads, labels } = derivation.tree;
    const open = heads.map((head, d) => head < 0 && d > 0 && aim !== undefined);
    return {
      heads: heads.map((head, d) => (open[d] ? aim!.heads[d]! : head)),
      labels: labels.map((label, d) => (open[d] ? aim!.labels[d]! : label)),
    };
  }, [derivation, aim]);
  const here = derivation.configurations[step]!;
  const place = useMemo(() => {
    const places = new Array<string>(sentence.forms.length).fill("gone");
    const removed = new Set(derivation.removals.map(({ word }) => word));
    for (const word of Object.values(here.lists).flat()) if (!removed.has(word)) places[word] = "on-stack";
    for (const word of here.buffer) places[word] = "in-buffer";
    for (const word of here.stack) places[word] = "on-stack";
    return places;
  }, [sentence, derivation, here]);
  const removed = useMemo(() => removedAt(derivation, step), [derivation, step]);
  const labels = useMemo(() => labelsFor(sentence, tree), [sentence, tree]);
  const choice = considered.value;
  // Arcs that go again later have no place of their own in the picture of the last tree.
  const passing = derivation.replaced
    .filter(({ since, until }) => since <= step && step < until)
    .map(({ head, dependent, label }) => ({ head, dependent, label, tone: "passing" as const }));
  // Arcs that are lost for good: by the transition that is pointed at, or by the one just taken.
  const pointed = choice && here.choices.find(({ move }) => move === choice.move);
  const gone = quizOn.value || hidesAnswer.value || !aim ? [] : ((pointed ? lost.by(pointed) : lost.byTaken) ?? []);
  const missing = gone.map((dependent) => ({
    head: aim!.heads[dependent]!,
    dependent,
    label: aim!.labels[dependent],
    tone: "missing" as const,
  }));
  const wishes =
    choice && choice.dependent > 0 && here.choices.some(({ move }) => move === choice.move)
      ? [{ head: choice.head, dependent: choice.dependent, label: choice.label, tone: "wish" as const }]
      : [];
  return (
    <TreeView
      name={`Tree after step ${step}`}
      sentence={sentence}
      tree={tree}
      visible={(d) => derivation.since[d]! <= step}
      arcClass={(d, lower) => {
        // The aim of a quiz is right, and does not tell what goes wrong on the way.
        if (lower) return "";
        const fresh = derivation.since[d] === step && step > 0 ? "new" : "";
        if (!goldTree) return fresh;
        if (goldTree.heads[d] !== tree.heads[d]) return `${fresh} bad`;
        return goldTree.labels[d] === tree.labels[d] ? fresh : `${fresh} warn`;
      }}
      wordClass={(i) => place[i]!}
      removed={removed}
      falls={removed !== undefined}
      ghosts={[...passing, ...missing, ...wishes]}
      ghostRoom
      fills
      // Who is asked for the way has to see where it leads.
      lower={quizOn.value || goldBeside.value ? aim : undefined}
      inSight={here.stack.at(-1) || here.buffer[0]}
      labels={labels}
      onEdit={
        inLesson.value || quizOn.value
          ? undefined
          : (dependent, head, label) => editArc(sentence, sentenceIndex.value, dependent, head, label)
      }
    />
  );
}
