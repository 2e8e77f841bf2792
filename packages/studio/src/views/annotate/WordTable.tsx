import type { Sentence } from "@stemma/core";
import type { EmptyNode, Violation } from "@stemma/core/treebank";
import type { VNode } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Tree } from "../../protocol/sentence.js";
import {
  copyPrediction,
  type EditableColumn,
  joinNext,
  joinNextSentence,
  setArcOf,
  setColumn,
  setTokenForm,
  splitBefore,
  toggleFixed,
  toggleToken,
} from "../../state/annotation/actions.js";
import { addNode, removeNode, setNodeColumn } from "../../state/annotation/graph-actions.js";
import { isRootLabel } from "../../state/editing/problems.js";
import { fixedOf } from "../../state/editing/treebank-edits.js";
import { isolate } from "../../state/shown/direction.js";
import { say } from "../../state/shown/say.js";
import type { ShownSentence } from "../../state/shown/sentence.js";
import { place } from "../../state/shown/state.js";
import { cellDraft, keepCell } from "../../state/storage/drafts.js";
import { CellInput, type TableColumn } from "./CellInput.js";
import { SplitForm } from "./SplitForm.js";

const COLUMNS = [
  "form",
  "lemma",
  "upos",
  "xpos",
  "feats",
  "head",
  "deprel",
  "deps",
  "misc",
] as const satisfies readonly TableColumn[];

/** A line of CoNLL-U: a word, a multiword token before its words, or an empty node after its word. */
type Row =
  | { kind: "word"; id: string; word: number }
  | { kind: "token"; id: string; word: number; to: number; form: string }
  | { kind: "empty"; id: string; word: number; node: EmptyNode };

interface Props {
  k: number;
  sentence: Sentence;
  data: ShownSentence | undefined;
  /** A word that was chosen elsewhere, in the tree or in a remark. */
  asked: { word: number };
  onWord(word: number): void;
  problems: readonly Violation[];
}

/** The columns of a sentence, to be edited cell by cell, and what can be done with its words. */
export function WordTable({ k, sentence, data, asked, onWord, problems }: Props) {
  const rows = useMemo(() => rowsOf(sentence), [sentence]);
  /** The cell that has the focus, by the ID of its row, which stays when lines come and go before it. */
  const [draft] = useState(() => cellDraft(place.peek(), k));
  const [cell, setCell] = useState({ id: draft?.id ?? "1", at: 0, column: draft?.column ?? 0 });
  const [editing, setEditing] = useState(draft !== undefined);
  const [splitting, setSplitting] = useState(0);
  const table = useRef<HTMLTableElement>(null);
  /** Set if the cell is to have the focus when it is drawn. */
  const wantsFocus = useRef(false);
  const fixed = new Set(fixedOf(k));
  const faulty = useMemo(() => faultyWords(problems), [problems]);
  const found = rows.findIndex(({ id }) => id === cell.id);
  const at = found >= 0 ? found : Math.min(cell.at, rows.length - 1);
  const { column } = cell;

  const hasDraft = useRef(draft !== undefined);
  useEffect(() => {
    if (hasDraft.current) {
      hasDraft.current = false;
      return;
    }
    const wanted = rows.findIndex((row) => row.kind === "word" && row.word === asked.word);
    if (wanted >= 0) setCell({ id: rows[wanted]!.id, at: wanted, column });
  }, [asked]);
  useLayoutEffect(() => {
    if (!wantsFocus.current || editing) return;
    wantsFocus.current = false;
    table.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus();
  });

  const choose = (row: number, to: number, focus = true) => {
    const next = Math.max(0, Math.min(rows.length - 1, row));
    wantsFocus.current = focus;
    const { kind, id, word: chosen } = rows[next]!;
    setCell({ id, at: next, column: Math.max(0, Math.min(COLUMNS.length - 1, to)) });
    if (kind === "word") onWord(chosen);
  };
  const current = rows[at]!;
  const chosen = Math.min(current.word, sentence.length);
  const take = (value: string): boolean => {
    const name = COLUMNS[column]!;
    if (current.kind === "empty") return setNodeColumn(k, current.id, name as EditableColumn, value);
    if (current.kind === "token") return setTokenForm(k, current.word, current.to, value);
    if (name === "head") return takeHead(k, sentence, chosen, value);
    if (name === "deprel") return setArcOf(k, chosen, sentence.head(chosen), value.trim());
    return setColumn(k, chosen, name, value);
  };
  const stop = (value: string | undefined, step: [number, number] = [0, 0]) => {
    setEditing(false);
    keepCell(undefined);
    if (value !== undefined && value !== valueIn(sentence, current, COLUMNS[column]!)) take(value);
    choose(at + step[0], column + step[1]);
  };

  const commands = {
    c: () => copyPrediction(k, chosen),
    f: () => toggleFixed(k, chosen),
    s: () => setSplitting(chosen),
    j: () => joinNext(k, chosen),
    m: () => toggleToken(k, chosen),
    e: () => addNode(k, current.id.startsWith("0.") ? 0 : chosen),
    Delete: () => current.kind === "empty" && removeNode(k, current.id),
    S: () => splitBefore(k, chosen),
    J: () => joinNextSentence(k),
  };
  const press = (event: KeyboardEvent) => {
    if (editing || event.ctrlKey || event.metaKey || event.altKey) return;
    const moves: Record<string, [number, number]> = {
      ArrowUp: [at - 1, column],
      ArrowDown: [at + 1, column],
      ArrowLeft: [at, column - 1],
      ArrowRight: [at, column + 1],
      Home: [at, 0],
      End: [at, COLUMNS.length - 1],
    };
    const move = moves[event.key];
    const command = (commands as Record<string, (() => unknown) | undefined>)[event.key];
    if (move) choose(...move);
    else if (event.key === "Enter" || event.key === "F2") setEditing(isEditable(current, COLUMNS[column]!));
    else if (command) {
      wantsFocus.current = event.key !== "s";
      command();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };

  /** A click chooses a cell, another one edits it. */
  const click = (event: MouseEvent) => {
    const target = (event.target as Element).closest<HTMLElement>("[data-column]");
    if (!target || (event.target as Element).closest("input")) return;
    const [row, to] = [Number(target.getAttribute("data-row")), Number(target.getAttribute("data-column"))];
    if (row === at && to === column) return setEditing(isEditable(current, COLUMNS[column]!));
    choose(row, to);
  };

  const { predicted, confidence } = data ?? {};
  const takePrediction = useMemo(() => (of: number) => void copyPrediction(k, of), [k]);
  const name = COLUMNS[column]!;
  const value = valueIn(sentence, current, name);
  const input = (
    <CellInput
      column={name}
      form={current.kind === "word" ? sentence.form(current.word) : ""}
      upos={current.kind === "word" ? sentence.upos(current.word) : "_"}
      name={`${name.toUpperCase()} of ${current.id}`}
      value={value === "_" && name !== "form" ? "" : value}
      draft={
        draft?.id === current.id && draft.column === column && cellDraft(place.peek(), k) ? draft.typed : undefined
      }
      onType={(typed) => keepCell({ place: place.peek()!, k, id: current.id, column, typed })}
      onTake={(typed, step) => stop(typed === "" && value === "_" ? undefined : typed, step)}
      onCancel={() => stop(undefined)}
    />
  );
  return (
    <div class="word-table">
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset brings a frame that does not belong here */}
      <div class="word-actions" role="group" aria-label={`Word ${chosen}, ${sentence.form(chosen)}`}>
        <span class="word-actions-name">
          {chosen} <bdi>{sentence.form(chosen)}</bdi>
        </span>
        <Action name="Split…" keys="S" onClick={() => setSplitting(chosen)} />
        <Action name="Join with next" keys="J" disabled={chosen === sentence.length} onClick={commands.j} />
        <Action name="Multiword token" keys="M" onClick={commands.m} />
        <Action name="Empty node" keys="E" onClick={commands.e} />
        {current.kind === "empty" && <Action name="Remove empty node" keys="Delete" onClick={commands.Delete} />}
        <Action name="New sentence here" keys="Shift+S" disabled={chosen === 1} onClick={commands.S} />
        <Action name="Join with next sentence" keys="Shift+J" onClick={commands.J} />
        <Action name={fixed.has(chosen) ? "Unfix" : "Fix"} keys="F" onClick={commands.f} />
        {predicted && <Action name="Accept prediction" keys="C" onClick={commands.c} />}
      </div>
      {splitting > 0 && splitting <= sentence.length && (
        <SplitForm
          k={k}
          sentence={sentence}
          word={splitting}
          onClose={() => {
            setSplitting(0);
            choose(at, column);
          }}
        />
      )}
      <div class="word-table-scroll">
        {/* biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: it is edited cell by cell, by keyboard, too */}
        <table ref={table} role="grid" aria-label="Words" onKeyDown={press} onClick={click}>
          <thead>
            <tr>
              {["ID", ...COLUMNS.map((name) => name.toUpperCase()), ...(predicted ? ["Prediction"] : [])].map(
                (name) => (
                  <th key={name} scope="col">
                    {name}
                  </th>
                ),
              )}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, r) => (
              <WordRow
                key={row.id}
                sentence={sentence}
                row={row}
                number={r}
                column={r === at ? column : -1}
                input={r === at && editing ? input : undefined}
                isChosen={row.kind === "word" && row.word === chosen}
                isFixed={row.kind === "word" && fixed.has(row.word)}
                severity={row.kind === "word" ? faulty.get(row.word) : undefined}
                prediction={predicted && predictionOf(predicted, confidence, row)}
                onTake={takePrediction}
              />
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}

interface Prediction {
  head: number;
  label: string;
  confidence: number | undefined;
}

function predictionOf({ heads, labels }: Tree, confidence: readonly number[] | undefined, { word }: Row): Prediction {
  return { head: heads[word]!, label: labels[word]!, confidence: confidence?.[word] };
}

interface RowProps {
  sentence: Sentence;
  row: Row;
  number: number;
  /** The column that has the focus, or -1. */
  column: number;
  /** The field of the cell that is edited. */
  input: VNode | undefined;
  isChosen: boolean;
  isFixed: boolean;
  severity: Violation["severity"] | undefined;
  prediction: Prediction | undefined;
  onTake(word: number): void;
}

/** A row, drawn anew only if something in it is another: sentences may have hundreds. */
function WordRow(props: RowProps) {
  const { sentence, row, number, column, input, isChosen, isFixed, severity, prediction, onTake } = props;
  return useMemo(
    () => (
      <tr class={`${row.kind}-row ${isChosen ? "chosen" : ""} ${severity ?? ""}`}>
        <th scope="row">
          {row.id}
          {isFixed && (
            <span class="fixed-mark" title="Fixed: reparsing keeps this arc">
              <span aria-hidden="true">◆</span>
              <span class="unseen"> fixed</span>
            </span>
          )}
        </th>
        {COLUMNS.map((name, c) => (
          <td
            key={name}
            class={`${name} ${isEditable(row, name) ? "" : "fixed-cell"}`}
            tabIndex={c === column && !input ? 0 : -1}
            data-row={number}
            data-column={c}
          >
            {c === column && input ? input : shownValue(sentence, row, name, valueIn(sentence, row, name))}
          </td>
        ))}
        {prediction && (
          <td class="prediction">
            {row.kind === "word" && (
              <Predicted sentence={sentence} word={row.word} {...prediction} onTake={() => onTake(row.word)} />
            )}
          </td>
        )}
      </tr>
    ),
    [sentence, row, number, column, input, isChosen, isFixed, severity, prediction?.head, prediction?.label, onTake],
  );
}

function Action(props: { name: string; keys: string; disabled?: boolean; onClick(): unknown }) {
  return (
    <button
      type="button"
      class="small"
      title={`${props.name} (${props.keys})`}
      disabled={props.disabled}
      onClick={() => void props.onClick()}
    >
      {props.name}
    </button>
  );
}

/** The model's arc of a word, as a button that takes it over. */
function Predicted(props: {
  sentence: Sentence;
  word: number;
  head: number;
  label: string;
  confidence: number | undefined;
  onTake(): void;
}) {
  const { sentence, word, head, label, confidence, onTake } = props;
  if (sentence.head(word) === head && sentence.deprel(word) === label) return <span class="faint">same</span>;
  const text = head === 0 ? "root" : `${label} of ${head} ${isolate(sentence.form(head) ?? "")}`;
  return (
    <button type="button" class="small take" title="Accept (C)" onClick={onTake}>
      {text} {confidence !== undefined && <small>{Math.round(100 * confidence)} %</small>}
    </button>
  );
}

/** How bad it is with each word. */
function faultyWords(problems: readonly Violation[]): Map<number, Violation["severity"]> {
  const severities = new Map<number, Violation["severity"]>();
  for (const { word, severity } of problems) if (severities.get(word) !== "error") severities.set(word, severity);
  return severities;
}

function isEditable(row: Row, name: TableColumn): boolean {
  if (row.kind === "empty") return name !== "head" && name !== "deprel";
  return row.kind === "word" || name === "form";
}

function rowsOf(sentence: Sentence): Row[] {
  const rows: Row[] = sentence.emptyNodes
    .filter(({ id }) => id.startsWith("0."))
    .map((node) => ({ kind: "empty", id: node.id, word: 1, node }));
  for (let i = 1; i <= sentence.length; i++) {
    const token = sentence.multiWordTokens.find(({ from }) => from === i);
    if (token) rows.push({ kind: "token", id: `${i}-${token.to}`, word: i, to: token.to, form: token.form });
    rows.push({ kind: "word", id: String(i), word: i });
    for (const node of sentence.emptyNodes) {
      if (node.id.startsWith(`${i}.`)) rows.push({ kind: "empty", id: node.id, word: i, node });
    }
  }
  return rows;
}

function valueIn(sentence: Sentence, row: Row, name: TableColumn): string {
  if (row.kind === "token") return name === "form" ? row.form : "";
  if (row.kind === "empty") return name === "head" || name === "deprel" ? "" : row.node[name];
  if (name !== "head") return sentence[name](row.word);
  const head = sentence.head(row.word);
  return head < 0 ? "_" : String(head);
}

function shownValue(sentence: Sentence, row: Row, name: TableColumn, value: string) {
  if (value === "_" && name !== "form") return <span class="faint">_</span>;
  if (row.kind === "word" && name === "head" && Number(value) > 0) {
    return (
      <>
        {value} <bdi class="faint">{sentence.form(Number(value))}</bdi>
      </>
    );
  }
  return <bdi>{value}</bdi>;
}

/** The head is typed as the number of a word, 0 for the root. */
function takeHead(k: number, sentence: Sentence, word: number, value: string): boolean {
  const head = Number(value);
  if (!/^\d+$/.test(value.trim()) || head > sentence.length) {
    say(`HEAD is the number of another word, 1 to ${sentence.length}, or 0 for the root; “${value}” is not.`);
    return false;
  }
  const label = sentence.deprel(word);
  const isRoot = isRootLabel(label);
  const next = head === 0 ? (isRoot ? label : "root") : isRoot || label === "_" ? "dep" : label;
  return setArcOf(k, word, head, next);
}
