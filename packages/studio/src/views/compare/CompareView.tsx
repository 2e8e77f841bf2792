import { describeSystem, systemNames } from "@stemma/core/systems";
import { useEffect, useMemo, useState } from "preact/hooks";
import type { Tree } from "../../protocol/sentence.js";
import type { TreeSource } from "../../protocol/treebank.js";
import { isTreeSource, type Side, sideNames } from "../../state/address/address.js";
import { embedded } from "../../state/address/embed.js";
import { opened, openOtherFile, showBelow } from "../../state/comparison/other-side.js";
import type { ShownSentence } from "../../state/shown/sentence.js";
import { gold, parsed, place, sentence, sides, system, target } from "../../state/shown/state.js";
import { treebank } from "../../state/treebank/treebank.js";
import { Empty, NoTree, Skeleton } from "../common/Empty.js";
import { FilePicker } from "../common/FilePicker.js";
import { Form } from "../common/Form.js";
import { HeadRow } from "../common/HeadRow.js";
import { ScoreTile } from "../common/ScoreTile.js";
import { UnseenScript } from "../common/UnseenScript.js";
import { type Answer, useAnswer } from "../common/use-answer.js";
import { ExportDrawn } from "../export/DrawnTree.js";
import { CopyLink } from "../export/Exports.js";
import { FoundBar } from "../input/FoundBar.js";
import { SecondModel } from "../input/SecondModel.js";
import { SentencePicker } from "../input/SentencePicker.js";
import { TextInput } from "../input/TextInput.js";
import { useErrorWords } from "../input/use-error-words.js";
import { TreeView } from "../tree/TreeView.js";
import { Adjudication } from "./Adjudication.js";
import { CauseCard } from "./CauseCard.js";
import { DifferingSentences, pairs } from "./DifferingSentences.js";

const TITLES: Record<TreeSource, string> = {
  gold: "Gold tree",
  model: "Model's prediction",
  "other-model": "Second model",
  "other-file": "Second file",
};

/** The name of a side; of files and models their own. */
function titleOf(side: Side): string {
  return (
    (side === "other-model" || side === "other-file" ? opened.value[side] : undefined) ??
    (isTreeSource(side) ? TITLES[side] : describeSystem(side).title)
  );
}

/** Two trees of one sentence: one above the words, one below, differences coloured. */
export function CompareView() {
  const data = sentence.value;
  const { trees: reached, problems, texts } = joined(useReached(), useOthers());
  const treeOf = (side: Side): Tree | undefined => {
    // A sentence of a treebank is no tree for a while when arcs of another one are taken.
    if (side === "gold") return gold.value ?? (place.value ? data?.draft : undefined);
    if (side === "model") return data?.predicted;
    return reached.get(side);
  };
  const [a, b] = [treeOf(sides.value[0]), treeOf(sides.value[1])];
  /** The second annotator's sentence, if the first one's is shown. */
  const second = place.value && pairs(sides.value) ? texts.get("other-file") : undefined;
  const why = [a, b]
    .flatMap((tree, i) => (tree ? [] : [problems.get(sides.value[i]!) ?? problems.get("")]))
    .find(Boolean);
  return (
    <>
      {!embedded && <TextInput compact />}
      {!embedded && <FoundBar />}
      {!embedded && <Settings />}
      {!data ? (
        <section class="card tree-card" aria-label="Comparison">
          <NoTree />
        </section>
      ) : a && b ? (
        <Comparison sentence={data} a={a} b={b} isDecided={second !== undefined} />
      ) : (
        <section class="card tree-card" aria-label="Comparison">
          {why ? (
            <Empty title="This tree is not available">{why}</Empty>
          ) : waiting(a, b) ? (
            <Skeleton />
          ) : [a, b].some((tree, i) => !tree && sides.value[i] === "gold") ? (
            <Empty title="This sentence has no gold tree">
              Paste CoNLL-U with heads, or drag an arc of the predicted tree in the Parse view. Two systems can be
              compared without one.
            </Empty>
          ) : (
            <Empty title="No tree to compare">Open a model file, or choose the gold tree and a system.</Empty>
          )}
        </section>
      )}
      {data && second !== undefined && (
        <Adjudication
          sentence={data}
          second={second}
          names={[treebank.value?.name ?? titleOf("gold"), titleOf("other-file")]}
        />
      )}
      {!embedded && <DifferingSentences above={titleOf(sides.value[0])} below={titleOf(sides.value[1])} />}
    </>
  );
}

function Settings() {
  return (
    <section class="settings" aria-label="Trees to compare">
      <SideSelect label="Above" index={0} />
      <span class="versus" aria-hidden="true">
        against
      </span>
      <SideSelect label="Below" index={1} />
      <SecondModel onChoose={(isThere) => isThere && showBelow("other-model")} />
      <FilePicker class="small" name="Second treebank file" onFile={(file) => void openOtherFile(file)}>
        {opened.value["other-file"] ? "Open another second file" : "Open a second CoNLL-U file"}
      </FilePicker>
      {!sides.value.every(isTreeSource) && (
        <span class="faint settings-hint">
          For a system, the tree is the one that its oracle reaches, with root {system.value.root}.
        </span>
      )}
    </section>
  );
}

/** Is one of the trees still to come, from a system's oracle or the other side? */
function waiting(...trees: readonly (Tree | undefined)[]): boolean {
  return (
    target.value !== undefined &&
    trees.some((tree, i) => !tree && sides.value[i] !== "gold" && sides.value[i] !== "model")
  );
}

function SideSelect({ label, index }: { label: string; index: 0 | 1 }) {
  return (
    <label>
      {label}
      <select
        value={sides.value[index]}
        onChange={(event) => {
          const side = event.currentTarget.value as Side;
          sides.value = index === 0 ? [side, sides.value[1]] : [sides.value[0], side];
        }}
      >
        {sideNames().map((side) => (
          <option key={side} value={side}>
            {titleOf(side)}
          </option>
        ))}
      </select>
    </label>
  );
}

interface ReachedTrees {
  trees: Map<Side, Tree>;
  /** Why there is no tree, by system; under "" if it is so for all. */
  problems: Map<Side | "", string>;
  /** The sentences of files as CoNLL-U. */
  texts: Map<Side, string>;
}

/** The answer for some sides, by side. */
function bySide(wanted: readonly Side[], answer: Answer<"reach" | "otherTrees">): ReachedTrees {
  const result: ReachedTrees = { trees: new Map(), problems: new Map(), texts: new Map() };
  if (answer && "reason" in answer) result.problems.set("", answer.reason);
  else
    answer?.forEach((one, i) => {
      if ("reason" in one) result.problems.set(wanted[i]!, one.reason);
      else result.trees.set(wanted[i]!, one.tree);
      if ("text" in one && one.text !== undefined) result.texts.set(wanted[i]!, one.text);
    });
  return result;
}

/** The trees that the systems in question reach. */
function useReached(): ReachedTrees {
  const aim = target.value;
  const { root, singleRoot } = system.value;
  const settings = JSON.stringify(system.value.settings);
  const wanted = systemNames().filter((name) => sides.value.includes(name));
  const answer = useAnswer("reach", () => {
    if (!aim || wanted.length === 0) return undefined;
    const systems = wanted.map((name) => ({ name, root, singleRoot, settings: JSON.parse(settings) }));
    return { systems, target: aim };
  }, [sentence.value, aim, wanted.join(), root, settings, singleRoot]);
  return bySide(wanted, answer);
}

/** The trees that a second model and a second file have, where they are asked for. */
function useOthers(): ReachedTrees {
  const data = sentence.value;
  const sources = (["other-model", "other-file"] as const).filter((side) => sides.value.includes(side));
  const answer = useAnswer("otherTrees", () => {
    if (!data || sources.length === 0) return undefined;
    return { sentence: data.given.toJSON(), retag: parsed.value?.format === "text", sources };
    // A file is asked for the words: other values of the sentence may change meanwhile, and the answer stays.
  }, [
    sources.includes("other-model") ? data : data && `${data.id} ${data.forms.join("\t")}`,
    sources.join(),
    opened.value,
  ]);
  return bySide(sources, answer);
}

function joined(a: ReachedTrees, b: ReachedTrees): ReachedTrees {
  return {
    trees: new Map([...a.trees, ...b.trees]),
    problems: new Map([...a.problems, ...b.problems]),
    texts: new Map([...a.texts, ...b.texts]),
  };
}

interface ComparisonProps {
  sentence: ShownSentence;
  a: Tree;
  b: Tree;
  /** Are differences decided below? Then they are listed there. */
  isDecided: boolean;
}

function Comparison({ sentence: data, a, b, isDecided }: ComparisonProps) {
  const n = data.forms.length - 1;
  const fits = a.heads.length === n + 1 && b.heads.length === n + 1;
  const verdicts = useMemo(() => a.heads.map((_, d) => verdict(a, b, d)), [a, b]);
  const marked = useErrorWords();
  const [asked, setAsked] = useState(0);
  useEffect(() => setAsked(0), [data, a, b]);
  if (!fits) return null;
  const differing = verdicts.flatMap((one, d) => (d > 0 && one !== "" ? [d] : []));
  const heads = n - verdicts.filter((one) => one === "bad").length;
  const both = n - differing.length;
  const labels = a.labels.filter((label, d) => d > 0 && label === b.labels[d]).length;
  const [above, below] = sides.value.map(titleOf);
  const right = gold.value;
  const isOfModel = sides.value.includes("gold") && sides.value.includes("model") && right !== undefined;
  /** Of two trees that are both not gold, it is worth knowing which is right. */
  const third = sides.value.includes("gold") ? undefined : right;
  return (
    <>
      <section class="card tree-card" aria-label="Comparison">
        <div class="card-top">
          <div class="scores">
            <Score title="Same head (UAS)" part={heads} whole={n} />
            <Score title="Same head and label (LAS)" part={both} whole={n} />
            <Score title="Same label" part={labels} whole={n} />
          </div>
          <div class="legend" aria-hidden="true">
            <span class="bad">other head</span>
            <span class="warn">other label</span>
          </div>
        </div>
        {sides.value.includes("model") && <UnseenScript sentence={data} />}
        <p class="side-name">{above}</p>
        <TreeView
          name={`${above} above, ${below} below: ${data.text}`}
          sentence={data}
          tree={a}
          lower={b}
          arcClass={(d) => verdicts[d] || "same"}
          wordClass={(d) => `${verdicts[d] ?? ""} ${marked.includes(d) ? "found" : ""}`}
          inSight={marked[0]}
        />
        <p class="side-name below">{below}</p>
        <div class="card-foot">
          <SentencePicker />
          <ExportDrawn sentence={data} names={[above!, below!]} />
          <CopyLink />
        </div>
      </section>
      <section class="card" aria-label="Differences" hidden={isDecided}>
        <h2>
          {differing.length === 0
            ? "No differences"
            : differing.length === 1
              ? "One word differs"
              : `${differing.length} words differ`}
        </h2>
        {differing.length > 0 && (
          <div class="table-scroll">
            <table class="differences">
              <HeadRow
                titles={["Word", above!, below!, ...(third ? [titleOf("gold")] : []), ...(isOfModel ? ["Cause"] : [])]}
              />
              <tbody>
                {differing.map((d) => (
                  <tr key={d} class={marked.includes(d) ? "wanted" : ""}>
                    <th scope="row">
                      <Form node={d} forms={data.forms} /> <sub>{d}</sub>
                    </th>
                    {[a, b].map((tree, i) => (
                      <td key={i}>
                        <span class={`mark ${verdicts[d]}`}>
                          {tree.heads[d]! < 0 ? (
                            noHead(sides.value[i]!)
                          ) : (
                            <Form node={tree.heads[d]!} forms={data.forms} />
                          )}
                        </span>{" "}
                        {tree.heads[d]! >= 0 && <small>{tree.labels[d]}</small>}
                      </td>
                    ))}
                    {third && (
                      <td>
                        <Form node={third.heads[d]!} forms={data.forms} /> <small>{third.labels[d]}</small>
                      </td>
                    )}
                    {isOfModel && (
                      <td>
                        <button
                          type="button"
                          class="small"
                          aria-expanded={asked === d}
                          aria-label={`Why? The transition behind ${d} ${data.forms[d]}`}
                          onClick={() => setAsked(asked === d ? 0 : d)}
                        >
                          Why?
                        </button>
                      </td>
                    )}
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
        {isOfModel && asked > 0 && verdicts[asked] && <CauseCard sentence={data} target={right} word={asked} />}
      </section>
    </>
  );
}

function verdict(a: Tree, b: Tree, d: number): "" | "bad" | "warn" {
  if (d === 0) return "";
  if (a.heads[d] !== b.heads[d]) return "bad";
  return a.labels[d] === b.labels[d] ? "" : "warn";
}

/** A system that removes words leaves them without a head. */
function noHead(side: Side): string {
  const name = systemNames().find((one) => one === side);
  return name && describeSystem(name).leftOut ? "removed" : "no head";
}

function Score({ title, part, whole }: { title: string; part: number; whole: number }) {
  const value = whole === 0 ? "–" : `${((100 * part) / whole).toFixed(1)} %`;
  return <ScoreTile title={title} value={value} of={`${part} of ${whole}`} />;
}
