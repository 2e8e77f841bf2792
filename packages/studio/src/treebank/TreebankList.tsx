import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { trees } from "../annotation/journal.js";
import { ask } from "../client.js";
import { reason } from "../page/say.js";
import type { TreebankRow } from "../protocol.js";
import { model } from "../state.js";
import { openSentence } from "./open.js";
import { evaluate, evaluation, matches, query, ROW, scrolled, search, searching, treebank } from "./state.js";
import { VirtualList } from "./VirtualList.js";

const TYPING = 180;

/** Search and browse: only the rows in sight are read from the file. */
export function TreebankList() {
  const found = matches.value;
  const total = treebank.value?.sentences ?? 0;
  const labels = Object.keys(treebank.value?.statistics.deprel ?? {});
  return (
    <section class="card" aria-label="Sentences">
      <search class="treebank-search">
        <Field key={treebank.value?.key} />
        <label>
          Label
          <select value={query.value.label} onChange={(event) => void search({ label: event.currentTarget.value })}>
            <option value="">any</option>
            {labels.map((label) => (
              <option key={label}>{label}</option>
            ))}
          </select>
        </label>
        <label class="check">
          <input
            type="checkbox"
            checked={query.value.nonProjective}
            onChange={(event) => void search({ nonProjective: event.currentTarget.checked })}
          />
          Non-projective only
        </label>
        <WrongOnly />
        <output class="found" aria-live="polite">
          {found && `${found.length.toLocaleString("en-US")} of ${total.toLocaleString("en-US")}`}
          {searching.value && <span class="spinner" aria-hidden="true" />}
        </output>
      </search>
      {found?.length === 0 ? <NothingFound /> : <Rows found={found ?? new Uint32Array(0)} />}
    </section>
  );
}

function NothingFound() {
  const state = evaluation.value;
  const waits = query.value.wrong && state && "done" in state;
  return (
    <div class="empty">
      <strong>{waits ? "The model is parsing the treebank" : "No matching sentences"}</strong>
      <p>{waits ? "The sentences that it gets wrong will be listed here." : "Try fewer conditions."}</p>
    </div>
  );
}

function Field() {
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  // What is typed stays while the list around it changes.
  const [typed, setTyped] = useState(query.peek().form);
  return (
    <label class="grow">
      Word or phrase
      <input
        type="search"
        title="Whole words, ignoring case; a star stands for any letters: be*"
        value={typed}
        onInput={(event) => {
          const value = event.currentTarget.value;
          setTyped(value);
          clearTimeout(timer.current);
          timer.current = setTimeout(() => void search({ form: value }), TYPING);
        }}
      />
    </label>
  );
}

function WrongOnly() {
  const state = evaluation.value;
  const running = state && "done" in state;
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={query.value.wrong}
        disabled={model.value.kind !== "ready"}
        onChange={(event) => {
          const wrong = event.currentTarget.checked;
          if (wrong && !state) void evaluate();
          void search({ wrong });
        }}
      />
      Wrong only {running && <span class="faint">(parsing, {Math.round(100 * state.done)} %)</span>}
    </label>
  );
}

function Rows({ found }: { found: Uint32Array }) {
  const [rows, setRows] = useState(new Map<number, TreebankRow>());
  const [range, setRange] = useState<[number, number]>([0, 0]);
  const [problem, setProblem] = useState("");
  const edited = trees.value.get(treebank.value?.key ?? "");
  // Where it is when it is drawn; not a signal that every movement would draw it again for.
  const start = useMemo(() => scrolled.peek(), [found]);
  const judged = evaluation.value !== undefined && "summary" in evaluation.value;
  useEffect(() => {
    const indices = Array.from(found.subarray(range[0], range[1]));
    if (indices.length === 0) return;
    ask("rows", { indices }).then(
      (answer) => {
        if (!answer) return;
        setProblem("");
        setRows(new Map(answer.map((row) => [row.index, row])));
      },
      (error) => setProblem(reason(error)),
    );
  }, [found, range[0], range[1], judged]);
  if (problem) {
    return (
      <p class="note bad" role="alert">
        {problem}
      </p>
    );
  }
  return (
    <VirtualList
      count={found.length}
      start={start}
      onScroll={(top) => (scrolled.value = top)}
      height={ROW}
      onRange={(from, to) => setRange([from, to])}
      row={(at) => {
        const index = found[at]!;
        const row = rows.get(index);
        return (
          <button type="button" class="sentence-row" onClick={() => void openSentence(index)}>
            <span class="number">{(index + 1).toLocaleString("en-US")}</span>
            <span class="sentence-text" dir="auto">
              {row ? row.text : <span class="line-skeleton" />}
            </span>
            <span class="row-facts">
              {edited?.has(String(index)) && <span class="badge edited">edited</span>}
              {row && (
                <>
                  {row.wrong !== undefined && (
                    <span class={`badge ${row.wrong === 0 ? "good" : "bad"}`}>
                      {row.wrong === 0 ? "right" : `${row.wrong} wrong`}
                    </span>
                  )}
                  {row.nonProjective && <span class="badge warn">non-projective</span>}
                  <small>{row.words} words</small>
                </>
              )}
            </span>
          </button>
        );
      }}
    />
  );
}
