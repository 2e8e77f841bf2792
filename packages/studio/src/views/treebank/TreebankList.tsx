import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { TreebankOrder, TreebankRow } from "../../protocol/treebank.js";
import { MARKS, type MarkFilter } from "../../state/address/address.js";
import { ask } from "../../state/shown/client.js";
import { reason } from "../../state/shown/say.js";
import { model, place, sides } from "../../state/shown/state.js";
import { sentenceStates } from "../../state/storage/journal.js";
import { openSentence } from "../../state/treebank/open.js";
import {
  evaluate,
  evaluation,
  isDone,
  matches,
  numberOf,
  progress,
  query,
  ROW,
  ranking,
  scrolled,
  search,
  searching,
  shownPattern,
  sidesOf,
  treebank,
} from "../../state/treebank/treebank.js";
import { VirtualList } from "../common/VirtualList.js";
import { ErrorChip } from "./ErrorChip.js";
import { PatternCounts } from "./PatternCounts.js";
import { PatternField } from "./PatternField.js";

const TYPING = 180;

/** Search and browse: only the rows in sight are read from the file. */
export function TreebankList() {
  const found = matches.value;
  const total = progress.value.sentences;
  const hasUnreadable = (treebank.value?.unreadable.length ?? 0) > 0;
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
        <label>
          Show
          <select
            value={query.value.marks}
            onChange={(event) => void search({ marks: event.currentTarget.value as MarkFilter })}
          >
            {MARKS.filter((name) => name !== "unreadable" || hasUnreadable).map((name) => (
              <option key={name} value={name}>
                {MARK_NAMES[name]}
              </option>
            ))}
          </select>
        </label>
        <Order />
        <label class="check">
          <input
            type="checkbox"
            checked={query.value.nonProjective}
            onChange={(event) => void search({ nonProjective: event.currentTarget.checked })}
          />
          Non-projective only
        </label>
        <WrongOnly />
        <ErrorChip />
        <output class="found" aria-live="polite">
          {found && `${found.length.toLocaleString("en-US")} of ${total.toLocaleString("en-US")}`}
          {searching.value && <span class="spinner" aria-hidden="true" />}
        </output>
        <PatternField key={`pattern ${treebank.value?.key}`} />
      </search>
      <PatternCounts />
      {found?.length === 0 ? <NothingFound /> : <Rows found={found ?? new Float64Array(0)} />}
    </section>
  );
}

const MARK_NAMES: Record<MarkFilter, string> = {
  all: "all sentences",
  open: "not done",
  done: "done",
  edited: "edited",
  noted: "with a note",
  unreadable: "that cannot be read",
};

/** In which order: for annotators, what the model knows least comes first, or what it doubts. */
function Order() {
  const state = ranking.value;
  const isBusy = state !== undefined && state !== true;
  return (
    <label>
      <span>Order {isBusy && <span class="faint">({Math.round(100 * state.done)} % parsed)</span>}</span>
      <select
        value={query.value.order}
        disabled={model.value.kind !== "ready"}
        onChange={(event) => void search({ order: event.currentTarget.value as TreebankOrder })}
      >
        <option value="file">as in the file</option>
        <option value="unsure">least confident first</option>
        <option value="doubtful">most suspicious first</option>
      </select>
    </label>
  );
}

function NothingFound() {
  const state = evaluation.value;
  const waits = (query.value.wrong || query.value.errors) && state && "done" in state;
  return (
    <div class="empty">
      <strong>{waits ? "The model is parsing the treebank" : "No matching sentences"}</strong>
      <p>{waits ? "The sentences with these errors will be listed here." : "Try fewer conditions."}</p>
    </div>
  );
}

function Field() {
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  // Text that is being typed stays while the list around it changes.
  const [typed, setTyped] = useState(query.peek().form);
  // A link may be followed meanwhile: then this is what is searched for.
  const searched = query.value.form;
  useEffect(() => {
    if (timer.current === undefined && searched !== typed) setTyped(searched);
  }, [searched]);
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
          timer.current = setTimeout(() => {
            timer.current = undefined;
            void search({ form: value });
          }, TYPING);
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

function Rows({ found }: { found: Float64Array }) {
  const [rows, setRows] = useState(new Map<number, TreebankRow>());
  const [range, setRange] = useState<[number, number]>([0, 0]);
  const [problem, setProblem] = useState("");
  const shown = place.value;
  const states = sentenceStates.value.get(treebank.value?.key ?? "");
  const { order } = query.value;
  // Where it is when it is drawn; not a signal that every movement would draw it again for.
  const start = useMemo(() => scrolled.peek(), [found]);
  const judged = evaluation.value !== undefined && "summary" in evaluation.value;
  const ranked = ranking.value === true;
  useEffect(() => {
    const indices = Array.from(found.subarray(range[0], range[1]));
    if (indices.length === 0) return;
    ask("rows", { indices, pattern: shownPattern.peek(), errors: query.peek().errors }).then(
      (answer) => {
        if (!answer) return;
        setProblem("");
        setRows(new Map(answer.map((row) => [row.index, row])));
      },
      (error) => setProblem(reason(error)),
    );
  }, [found, range[0], range[1], judged, ranked, states]);
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
          <button
            type="button"
            class="sentence-row"
            aria-current={shown?.index === index && shown.key === treebank.value?.key ? "true" : undefined}
            onClick={() => void openFound(index)}
          >
            <span class="number">{numberOf(index)}</span>
            <span class="sentence-text" dir="auto">
              {row ? <Marked row={row} /> : <span class="line-skeleton" />}
            </span>
            <span class="row-facts">
              {isDone(index) && <span class="badge good">done</span>}
              {states?.get(index)?.text !== undefined && <span class="badge edited">edited</span>}
              {states?.get(index)?.note && <span class="badge noted">note</span>}
              {row?.unreadable && (
                <span class="badge bad" title={row.unreadable}>
                  cannot be read
                </span>
              )}
              {row && !row.unreadable && (
                <>
                  {order === "unsure" && row.confidence !== undefined && (
                    <span class="badge plain">{Math.round(100 * row.confidence)} % confident</span>
                  )}
                  {order === "doubtful" && row.doubtful !== undefined && (
                    <span class={`badge ${row.doubtful > 0 ? "warn" : "plain"}`}>{row.doubtful} suspicious</span>
                  )}
                  {row.wrong !== undefined && (
                    <span class={`badge ${row.wrong === 0 ? "good" : "bad"}`}>
                      {row.wrong === 0 ? "right" : `${row.wrong} wrong`}
                    </span>
                  )}
                  {row.nonProjective && <span class="badge warn">non-projective</span>}
                  <small>{row.words === 1 ? "1 word" : `${row.words} words`}</small>
                </>
              )}
            </span>
          </button>
        );
      }}
    />
  );
}

/** Opens a sentence of the list; errors are seen where two trees are compared. */
async function openFound(index: number): Promise<void> {
  const { errors } = query.value;
  if (errors) sides.value = sidesOf(errors);
  await openSentence(index, errors && "compare");
}

/** The text of a sentence with the words that the pattern fits. */
function Marked({ row: { text, marked } }: { row: TreebankRow }) {
  const parts = [];
  let at = 0;
  for (const [from, to] of marked) {
    parts.push(text.slice(at, from), <mark key={from}>{text.slice(from, to)}</mark>);
    at = to;
  }
  return (
    <>
      {parts}
      {text.slice(at)}
    </>
  );
}
