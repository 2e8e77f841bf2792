import { useMemo } from "preact/hooks";
import { editArc } from "../annotation/edit.js";
import { labelsFor } from "../annotation/labels.js";
import { CopyLink } from "../export/Exports.js";
import { SentencePicker } from "../input/SentencePicker.js";
import { TextInput } from "../input/TextInput.js";
import { UnseenScript } from "../model/UnseenScript.js";
import { NoTree, Skeleton } from "../page/Empty.js";
import type { Derivation, SentenceData } from "../protocol.js";
import {
  considered,
  derivation,
  derivedFrom,
  deriveError,
  deriving,
  gold,
  parsing,
  sentence,
  sentenceIndex,
  shownStep,
  target,
} from "../state.js";
import { TreeView } from "../tree/TreeView.js";
import { Choices } from "./Choices.js";
import { ConfigurationView } from "./ConfigurationView.js";
import { DerivationTable } from "./DerivationTable.js";
import { Player } from "./Player.js";
import { SystemSettings } from "./SystemSettings.js";
import { SystemsTable } from "./SystemsTable.js";
import { Verdict } from "./Verdict.js";

export function StepView() {
  const data = sentence.value;
  const shown = derivation.value;
  // The derivation of another sentence says nothing about this one.
  const fits = data && shown && derivedFrom.value === data;
  const stale = parsing.value || deriving.value;
  return (
    <>
      <TextInput compact />
      <SystemSettings />
      {deriveError.value && (
        <p class="note bad" role="alert">
          {deriveError.value}
        </p>
      )}
      {data && !deriveError.value && <UnseenScript sentence={data} />}
      {!data || !fits ? (
        <section class="card tree-card" aria-label="Derivation">
          {data && !deriveError.value ? <Skeleton /> : <NoTree />}
        </section>
      ) : (
        <>
          <section class={`card ${stale ? "stale" : ""}`} aria-label="Derivation" aria-busy={stale}>
            <Player derivation={shown} forms={data.forms} />
            <div class="step-grid">
              <div class="step-main">
                <ConfigurationView derivation={shown} step={shownStep.value} forms={data.forms} />
                <GrowingTree sentence={data} derivation={shown} />
              </div>
              <Choices derivation={shown} forms={data.forms} />
            </div>
            <Verdict derivation={shown} sentence={data} />
            <div class="card-foot">
              <SentencePicker />
              <span class="faint hint">Keys: ← → one step, space plays, Home and End jump.</span>
              <CopyLink />
            </div>
          </section>
          <DerivationTable derivation={shown} sentence={data} />
          <SystemsTable />
        </>
      )}
    </>
  );
}

function GrowingTree({ sentence, derivation }: { sentence: SentenceData; derivation: Derivation }) {
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
    for (const word of here.buffer) places[word] = "in-buffer";
    for (const word of here.stack) places[word] = "on-stack";
    return places;
  }, [sentence, here]);
  const labels = useMemo(() => labelsFor(sentence, tree), [sentence, tree]);
  const choice = considered.value;
  const ghosts =
    choice && choice.dependent > 0 && here.choices.includes(choice)
      ? [{ head: choice.head, dependent: choice.dependent, label: choice.label, tone: "wish" as const }]
      : [];
  return (
    <TreeView
      name={`Tree after step ${step}`}
      sentence={sentence}
      tree={tree}
      visible={(d) => derivation.since[d]! <= step}
      arcClass={(d) => {
        const fresh = derivation.since[d] === step && step > 0 ? "new" : "";
        if (!goldTree) return fresh;
        if (goldTree.heads[d] !== tree.heads[d]) return `${fresh} bad`;
        return goldTree.labels[d] === tree.labels[d] ? fresh : `${fresh} warn`;
      }}
      wordClass={(i) => place[i]!}
      ghosts={ghosts}
      ghostRoom
      inSight={here.stack.at(-1) || here.buffer[0]}
      labels={labels}
      onEdit={(dependent, head, label) => editArc(sentence, sentenceIndex.value, dependent, head, label)}
    />
  );
}
