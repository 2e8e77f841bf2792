import { useEffect } from "preact/hooks";
import type { Rewritten } from "../../protocol/treebank.js";
import { ask } from "../../state/shown/client.js";
import { applyRewriting, preview, previewRewriting, rewriting } from "../../state/treebank/rewriting.js";
import { numberOf, query } from "../../state/treebank/treebank.js";
import { UndoButtons } from "../input/UndoButtons.js";

/** Changes that are shown before they are made. */
const MOST_SHOWN = 100;

/** Changes wherever a pattern matches, as `stemma edit` makes them: first as a preview, then as one change. */
export function RewritePanel() {
  const state = preview.value;
  const { pattern, actions } = rewriting.value;
  useEffect(() => {
    // A search is often the beginning of a rewriting.
    if (pattern === "" && query.peek().pattern !== "")
      rewriting.value = { ...rewriting.value, pattern: query.peek().pattern };
  }, []);
  const type = (change: Partial<typeof rewriting.value>) => {
    rewriting.value = { ...rewriting.value, ...change };
    preview.value = undefined;
  };
  const isBusy = state !== undefined && "done" in state;
  return (
    <section class="card rewrite" aria-label="Rewrite">
      <label>
        Pattern
        <input
          type="text"
          class="mono"
          spellcheck={false}
          autocapitalize="off"
          placeholder="{upos:VERB}=a <aux {}"
          value={pattern}
          onInput={(event) => type({ pattern: event.currentTarget.value })}
        />
      </label>
      <label>
        Actions, one in a line
        <textarea
          class="mono"
          rows={4}
          spellcheck={false}
          placeholder={"set a.upos=AUX\nattach p=n\ndelete w\ncomment todo = tag of {a.form}"}
          value={actions}
          onInput={(event) => type({ actions: event.currentTarget.value })}
        />
      </label>
      <p class="faint">
        Patterns and actions are those of <code>stemma edit</code>: set, attach, delete, delete-subtree, comment.
        Nothing is changed before you have seen what would be.
      </p>
      <div class="evaluation-top">
        <button
          type="button"
          class="small primary"
          disabled={isBusy || pattern.trim() === ""}
          onClick={() => void previewRewriting()}
        >
          Preview
        </button>
        {isBusy && (
          <>
            <progress value={state.done} max={1} aria-label="Rewriting" />
            <button type="button" class="small" onClick={() => void ask("cancel", { name: "rewrite" })}>
              Cancel
            </button>
          </>
        )}
        {state && "changed" in state && state.changed.length > 0 && (
          <button type="button" class="small" onClick={applyRewriting}>
            Change {state.changed.length === 1 ? "one sentence" : `${number(state.changed.length)} sentences`}
          </button>
        )}
        <UndoButtons />
      </div>
      {state && "problem" in state && (
        <p class="note bad" role="alert">
          {state.problem}
        </p>
      )}
      {state && "changed" in state && <Preview rewritten={state} />}
    </section>
  );
}

function Preview({ rewritten: { matches, sentences, changed, refused } }: { rewritten: Rewritten }) {
  return (
    <>
      <p role="status">
        {number(matches)} {matches === 1 ? "match" : "matches"}; {number(changed.length)} of {number(sentences)}{" "}
        sentences would be changed{refused.length > 0 && `, ${number(refused.length)} left as they are`}.
      </p>
      {refused.length > 0 && (
        <ul class="note warn refused">
          {refused.slice(0, MOST_SHOWN).map(({ index, reason }) => (
            <li key={index}>
              {numberOf(index)}: {reason}
            </li>
          ))}
        </ul>
      )}
      <ol class="rewritten">
        {changed.slice(0, MOST_SHOWN).map(({ index, before, after }) => (
          <li key={index}>
            <b>{numberOf(index)}</b>
            <Lines before={before} after={after} />
          </li>
        ))}
      </ol>
      {changed.length > MOST_SHOWN && <p class="faint">and {number(changed.length - MOST_SHOWN)} more sentences</p>}
    </>
  );
}

/** The lines that go, and those that come. */
function Lines({ before, after }: { before: string; after: string }) {
  const [old, now] = [before, after].map((text) => text.split("\n"));
  const [olds, nows] = [new Set(old), new Set(now)];
  return (
    <div class="changed-lines mono">
      {old!
        .filter((line) => !nows.has(line))
        .map((line, i) => (
          <del key={i}>{line}</del>
        ))}
      {now!
        .filter((line) => !olds.has(line))
        .map((line, i) => (
          <ins key={i}>{line}</ins>
        ))}
    </div>
  );
}

function number(value: number): string {
  return value.toLocaleString("en-US");
}
