import { useEffect, useState } from "preact/hooks";
import type { Differing, TreebankRow, TreeSource } from "../../protocol/treebank.js";
import { differing as found } from "../../state/comparison/adjudication.js";
import { ask } from "../../state/shown/client.js";
import { reason, say } from "../../state/shown/say.js";
import { place, sides } from "../../state/shown/state.js";
import { openSentence } from "../../state/treebank/open.js";
import { isDone, numberOf, ROW, treebank } from "../../state/treebank/treebank.js";
import { VirtualList } from "../common/VirtualList.js";
import { AgreementTable } from "./AgreementTable.js";

const SOURCES: readonly TreeSource[] = ["gold", "model", "other-model", "other-file"];

function isSource(side: string): side is TreeSource {
  return SOURCES.some((source) => source === side);
}

async function find(pair: [TreeSource, TreeSource], of: string): Promise<void> {
  found.value = { done: 0 };
  try {
    const answer = await ask("differences", { pair }, (done) => {
      if (found.value && "done" in found.value) found.value = { done };
    });
    found.value = answer && { ...answer, of };
  } catch (error) {
    found.value = undefined;
    say(reason(error));
  }
}

/** The sentences of the open treebank where the two sides differ. */
export function DifferingSentences({ above, below }: { above: string; below: string }) {
  const file = treebank.value;
  const [a, b] = sides.value;
  if (!isSource(a) || !isSource(b) || a === b) return null;
  if (!file) {
    return (
      <p class="faint">
        {above} against {below}: open a treebank in the Treebank view to find all its sentences in which they differ.
      </p>
    );
  }
  const of = `${file.key} ${a} ${b} ${above} ${below}`;
  const state = found.value;
  const ready = state && "matches" in state && state.of === of ? state : undefined;
  return (
    <section class="card" aria-label="Sentences that differ">
      <h2>Where they differ in {file.name}</h2>
      <div class="evaluation-top">
        <button
          type="button"
          class="small primary"
          disabled={state && "done" in state}
          onClick={() => void find([a, b], of)}
        >
          {ready ? "Compare again" : "Compare all sentences"}
        </button>
        {state && "done" in state && (
          <>
            <progress value={state.done} max={1} aria-label="Comparing" />
            <button type="button" class="small" onClick={() => void ask("cancel", { name: "differences" })}>
              Cancel
            </button>
          </>
        )}
        {ready && (
          <output class="found">
            {ready.matches.length.toLocaleString("en-US")} of {ready.compared.toLocaleString("en-US")} sentences differ,
            in {counted(ready.words.reduce((sum, count) => sum + count, 0))}
            {ready.missing > 0 && `; ${ready.missing.toLocaleString("en-US")} could not be compared`}
          </output>
        )}
      </div>
      {ready && pairs([a, b]) && (
        <AgreementTable
          agreement={ready.agreement}
          names={[a === "gold" ? file.name : above, b === "gold" ? file.name : below]}
        />
      )}
      {ready && ready.matches.length > 0 && <Rows found={ready} />}
    </section>
  );
}

/** Are they the work of two annotators? */
export function pairs(sides: readonly string[]): boolean {
  return sides.includes("gold") && sides.includes("other-file");
}

function Rows({ found: { matches, words } }: { found: Differing }) {
  const [rows, setRows] = useState(new Map<number, TreebankRow>());
  const [range, setRange] = useState<[number, number]>([0, 0]);
  useEffect(() => {
    const indices = matches.slice(range[0], range[1]);
    if (indices.length === 0) return;
    ask("rows", { indices, pattern: "", errors: undefined }).then(
      (answer) => answer && setRows(new Map(answer.map((row) => [row.index, row]))),
      (error) => say(reason(error)),
    );
  }, [matches, range[0], range[1]]);
  return (
    <div class="differing">
      <VirtualList
        count={matches.length}
        start={0}
        onScroll={() => {}}
        height={ROW}
        onRange={(from, to) => setRange([from, to])}
        row={(at) => {
          const index = matches[at]!;
          const isShown = place.value?.index === index;
          return (
            <button
              type="button"
              class="sentence-row"
              aria-current={isShown ? "true" : undefined}
              onClick={() => void openSentence(index, "compare")}
            >
              <span class="number">{numberOf(index)}</span>
              <span class="sentence-text" dir="auto">
                {rows.get(index)?.text ?? <span class="line-skeleton" />}
              </span>
              <span class="row-facts">
                {isDone(index) && <span class="badge good">done</span>}
                <span class="badge bad">{counted(words[at]!)}</span>
              </span>
            </button>
          );
        }}
      />
    </div>
  );
}

function counted(words: number): string {
  return words === 1 ? "one word" : `${words.toLocaleString("en-US")} words`;
}
