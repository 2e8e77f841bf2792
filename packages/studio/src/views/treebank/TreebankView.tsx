import { signal } from "@preact/signals";
import type { TreebankSummary } from "../../protocol/treebank.js";
import { save } from "../../state/export/export.js";
import { fileOver } from "../../state/shown/state.js";
import { unplaced } from "../../state/treebank/carry-over.js";
import { openFile } from "../../state/treebank/open.js";
import {
  EVERYTHING,
  isUnreadable,
  opening,
  PANELS,
  panel,
  problem,
  search,
  treebank,
} from "../../state/treebank/treebank.js";
import { FilePicker } from "../common/FilePicker.js";
import { EvaluationPanel } from "./EvaluationPanel.js";
import { KeptTreebanks } from "./KeptTreebanks.js";
import { RewritePanel } from "./RewritePanel.js";
import { StatisticsPanel } from "./StatisticsPanel.js";
import { TreebankList } from "./TreebankList.js";

/** Are the treebanks of the browser listed below the one that is open? */
const listsKept = signal(false);

export function TreebankView() {
  return (
    <div class={`treebank ${fileOver.value ? "file-over" : ""}`}>
      {treebank.value ? <Opened summary={treebank.value} /> : <DropZone />}
      {(!treebank.value || listsKept.value) && !opening.value && <KeptTreebanks />}
    </div>
  );
}

function DropZone() {
  return (
    <section class="card drop-zone" aria-label="Open a treebank">
      <svg viewBox="0 0 48 48" width="56" height="56" aria-hidden="true">
        <path d="M14 6h14l10 10v26H14zM28 6v10h10M20 24h12M20 30h12M20 36h7" />
      </svg>
      {opening.value ? (
        <Reading />
      ) : (
        <>
          <strong>Open a treebank</strong>
          <p>
            Drop a CoNLL-U file here, plain or gzipped, of any size; CoNLL-2009 is converted. It is read in this page
            and sent nowhere.
          </p>
          <Problem />
          <FileButton title="Choose a file" />
        </>
      )}
    </section>
  );
}

function FileButton({ title }: { title: string }) {
  return (
    <FilePicker
      class="small primary"
      name="Treebank file"
      onFile={(file, handle) => void openFile(file, handle)}
      withHandle={true}
    >
      {title}
    </FilePicker>
  );
}

function Reading() {
  if (!opening.value) return null;
  return (
    <>
      <strong>Reading {opening.value.name}</strong>
      <progress value={opening.value.done} max={1} aria-label="Reading" />
    </>
  );
}

function Problem() {
  if (!problem.value) return null;
  return (
    <p class="note bad" role="alert">
      {problem.value}
    </p>
  );
}

function Opened({ summary }: { summary: TreebankSummary }) {
  const { statistics } = summary;
  return (
    <>
      <section class="card treebank-top" aria-label="Treebank">
        <div>
          <h2>{summary.name}</h2>
          <p class="faint">
            {count(summary.sentences)} sentences, {count(statistics.words)} words, {(summary.bytes / 1e6).toFixed(1)} MB
          </p>
        </div>
        {/* biome-ignore lint/a11y/useSemanticElements: a fieldset brings a frame that does not belong here */}
        <div class="segmented" role="group" aria-label="Part">
          {PANELS.map((name) => (
            <button key={name} type="button" aria-pressed={panel.value === name} onClick={() => (panel.value = name)}>
              {name}
            </button>
          ))}
        </div>
        {opening.value ? <Reading /> : <FileButton title="Open another" />}
        <button
          type="button"
          class="small"
          aria-pressed={listsKept.value}
          onClick={() => (listsKept.value = !listsKept.value)}
        >
          All treebanks
        </button>
      </section>
      <Problem />
      {summary.converted !== undefined && (
        <p class="note">
          The file is in CoNLL-2009 and was converted to CoNLL-U, with its predicates and roles. Saving writes a new
          file. {summary.converted === "" ? "Nothing was left out." : `Left out: ${summary.converted}.`}
        </p>
      )}
      <Unplaced document={summary.key} />
      <UnreadableSentences summary={summary} />
      {panel.value === "Sentences" && <TreebankList />}
      {panel.value === "Statistics" && <StatisticsPanel summary={summary} />}
      {panel.value === "Evaluation" && <EvaluationPanel />}
      {panel.value === "Rewrite" && <RewritePanel />}
    </>
  );
}

/** Edits of an earlier version of the file that have no place in this one. */
function Unplaced({ document }: { document: string }) {
  const left = unplaced.value;
  if (left?.document !== document) return null;
  const { length } = left.texts;
  return (
    <div class="note warn unplaced" role="alert">
      <span>
        {length === 1 ? "One edited sentence is" : `${count(length)} edited sentences are`} not in this version of the
        file, or {length === 1 ? "has" : "have"} other words now.
      </span>
      <button
        type="button"
        class="small"
        onClick={() => save(new Blob(left.texts, { type: "text/plain" }), `edits of ${left.name.replace(/\.gz$/, "")}`)}
      >
        Export
      </button>
      <button type="button" class="small" onClick={() => (unplaced.value = undefined)}>
        Dismiss
      </button>
    </div>
  );
}

/** Sentences that cannot be read stay in the file as they are until somebody mends them. */
function UnreadableSentences({ summary }: { summary: TreebankSummary }) {
  const left = summary.unreadable.filter(isUnreadable).length;
  if (left === 0) return null;
  const more = summary.unreadable.length - summary.errors.length;
  return (
    <details class="note bad">
      <summary>{left === 1 ? "One sentence" : `${count(left)} sentences`} cannot be read</summary>
      <ul>
        {summary.errors.map((error) => (
          <li key={error}>{error}</li>
        ))}
        {more > 0 && <li>… and {count(more)} more</li>}
      </ul>
      <p>They stay in the file as they are. Open one to see its text and to mend it.</p>
      <button
        type="button"
        class="small"
        onClick={() => {
          panel.value = "Sentences";
          void search({ ...EVERYTHING, marks: "unreadable" });
        }}
      >
        List {left === 1 ? "it" : "them"}
      </button>
    </details>
  );
}

function count(value: number): string {
  return value.toLocaleString("en-US");
}
