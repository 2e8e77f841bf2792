import { signal } from "@preact/signals";
import { useState } from "preact/hooks";
import type { BeamTrace, Hypothesis, TwoReadings } from "../../protocol/derivation.js";
import { kindOf, transitionName } from "../../state/derivation/names.js";
import type { ShownSentence } from "../../state/shown/sentence.js";
import { gold, modelInfo, shownStep, step } from "../../state/shown/state.js";
import { Form } from "../common/Form.js";
import { useAnswer } from "../common/use-answer.js";

const WIDTHS = [1, 2, 4, 8, 16] as const;
const width = signal<number>(4);

const COLUMN = 26;
const ROW = 20;
const MARGIN = 14;

/** The hypotheses of beam search at each step, and where it gives up the gold derivation. */
export function BeamCard({
  sentence,
  open = false,
  readings,
}: {
  sentence: ShownSentence;
  open?: boolean;
  /** In the place of the model. */
  readings?: TwoReadings;
}) {
  const [isOpen, setOpen] = useState(open);
  const aim = gold.value;
  const info = modelInfo.value;
  const answer = useAnswer(
    "beam",
    () =>
      isOpen && (info || readings) ? { sentence: sentence.json, target: aim, width: width.value, readings } : undefined,
    [isOpen, sentence, aim, readings ? undefined : info, readings, width.value],
    { stays: true },
  );
  return (
    <details class="card fold beam" open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>The beam</summary>
      {isOpen && !info && !readings && <p class="note">There is no model, so there are no scores to search by.</p>}
      {isOpen && (info || readings) && (
        <>
          <div class="beam-top">
            <label>
              Width{" "}
              <select value={width.value} onChange={(event) => (width.value = Number(event.currentTarget.value))}>
                {WIDTHS.map((one) => (
                  <option key={one} value={one}>
                    {one}
                  </option>
                ))}
              </select>
            </label>
            <span class="faint">
              {readings ? "Scores that are made for this lesson" : `${info!.name}: ${info!.kind}`}
            </span>
          </div>
          {!answer ? (
            <p class="faint">Searching…</p>
          ) : "reason" in answer ? (
            <p class="note bad">{answer.reason}</p>
          ) : (
            <Trace trace={answer} forms={sentence.forms} />
          )}
        </>
      )}
    </details>
  );
}

function Trace({ trace, forms }: { trace: BeamTrace; forms: readonly string[] }) {
  const at = Math.min(Math.max(0, shownStep.value - 1), trace.steps.length - 1);
  return (
    <>
      <Summary trace={trace} />
      <Picture trace={trace} at={at} />
      <Candidates trace={trace} at={at} forms={forms} />
    </>
  );
}

/** A search error, a model error, or none. */
function Summary({ trace: { goldLostAt, wrong, steps } }: { trace: BeamTrace }) {
  if (wrong === undefined) {
    return (
      <p class="faint">
        Without a gold tree nobody knows which derivations are right: drag an arc in Parse to make one.
      </p>
    );
  }
  if (goldLostAt !== undefined) {
    const best = steps[goldLostAt]!.find(({ gold, kept }) => gold && !kept);
    return (
      <p class="note bad">
        <span>
          The last derivation that could still end in the gold tree fell out of the beam in step {goldLostAt + 1}
          {best && ` (it was number ${best.rank + 1})`}. {words(wrong)} wrong at the end.
        </span>
        <button type="button" class="small" onClick={() => (step.value = goldLostAt + 1)}>
          Go there
        </button>
      </p>
    );
  }
  // Without an oracle it is not known which derivations were right.
  const known = steps.some((all) => all.some((one) => one.gold));
  if (!known) return <p class="note">{words(wrong)} wrong at the end.</p>;
  return wrong === 0 ? (
    <p class="note good">The gold derivation was kept to the end, and it is the best one.</p>
  ) : steps.at(-1)![0]!.gold ? (
    <p class="note">The best derivation is as good as the system permits; {words(wrong).toLowerCase()} wrong.</p>
  ) : (
    <p class="note bad">
      The gold derivation was kept to the end, but another one scores higher: an error of the model, not of the search.{" "}
      {words(wrong)} wrong.
    </p>
  );
}

function words(count: number): string {
  return count === 1 ? "One word is" : `${count === 0 ? "No" : count} words are`;
}

/** Columns are steps, the best derivation on top; lines lead to where each comes from. */
function Picture({ trace, at }: { trace: BeamTrace; at: number }) {
  const { steps } = trace;
  const rows = Math.max(...steps.map((all) => all.length));
  const x = (column: number) => MARGIN + (column + 1) * COLUMN;
  const y = (row: number) => MARGIN + row * ROW;
  const best = bestPath(steps);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot hold a drawing
    <div class="graph-scroll" tabIndex={0} role="group" aria-label="The beam, step by step">
      <svg
        class="beam-picture"
        width={x(steps.length)}
        height={y(rows)}
        viewBox={`0 0 ${x(steps.length)} ${y(rows)}`}
        aria-hidden="true"
        onClick={(event) => {
          const { left, width } = event.currentTarget.getBoundingClientRect();
          const at = ((event.clientX - left) * x(steps.length)) / width;
          step.value = Math.max(0, Math.round((at - MARGIN) / COLUMN));
        }}
      >
        <rect class="beam-now" x={x(at) - COLUMN / 2} y={0} width={COLUMN} height={y(rows)} />
        {steps.map((all, column) =>
          all.map((one, row) => (
            <line
              key={`${column} ${row}`}
              class={`${one.gold ? "gold" : ""} ${one.kept ? "" : "lost"} ${best[column] === row ? "best" : ""}`}
              x1={x(column - 1)}
              y1={y(column === 0 ? 0 : one.parent)}
              x2={x(column)}
              y2={y(row)}
            />
          )),
        )}
        <circle class="gold" cx={x(-1)} cy={y(0)} r={5} />
        {steps.map((all, column) =>
          all.map((one, row) => (
            <circle
              key={`${column} ${row}`}
              class={`${one.gold ? "gold" : ""} ${one.kept ? "" : "lost"}`}
              cx={x(column)}
              cy={y(row)}
              r={one.kept ? 5 : 4}
            >
              <title>{`${column + 1}: ${one.taken ? transitionName(one.taken) : "ended"}`}</title>
            </circle>
          )),
        )}
      </svg>
    </div>
  );
}

/** For each step the place of the derivation that wins in the end. */
function bestPath(steps: readonly Hypothesis[][]): number[] {
  const path = new Array<number>(steps.length).fill(0);
  for (let column = steps.length - 1; column > 0; column--) path[column - 1] = steps[column]![path[column]!]!.parent;
  return path;
}

function Candidates({ trace, at, forms }: { trace: BeamTrace; at: number; forms: readonly string[] }) {
  const all = trace.steps[at] ?? [];
  const nodes = (list: readonly number[], end: boolean) => (
    <>
      {end && list.length > 3 && "… "}
      {(end ? list.slice(-3) : list.slice(0, 3)).map((node, i) => (
        <>
          {i > 0 && " "}
          <Form node={node} forms={forms} />
        </>
      ))}
      {!end && list.length > 3 && " …"}
    </>
  );
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot hold a table
    <div class="table-scroll" tabIndex={0} role="group" aria-label="Candidates of the step">
      <table class="derivation beam-table">
        <caption>Step {at + 1}: what was weighed</caption>
        <thead>
          <tr>
            <th scope="col">Rank</th>
            <th scope="col">From</th>
            <th scope="col">Transition</th>
            <th scope="col">{trace.logarithmic ? "Log probability" : "Score"}</th>
            <th scope="col">Stack</th>
            <th scope="col">Buffer</th>
            <th scope="col">
              <span class="unseen">What became of it</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {all.map((one) => (
            <tr key={one.rank} class={one.kept ? "" : "faint"}>
              <td>{one.rank + 1}</td>
              <td>{at === 0 ? "–" : one.parent + 1}</td>
              <td>
                {one.taken ? (
                  <span class={`move ${kindOf(one.taken.move)}`}>{transitionName(one.taken)}</span>
                ) : (
                  "ended before"
                )}
              </td>
              <td>{one.score.toFixed(2)}</td>
              <td>{nodes(one.stack, true)}</td>
              <td>{nodes(one.buffer, false)}</td>
              <td>
                {one.gold && <span class="badge good">gold</span>}{" "}
                {!one.kept && <span class="badge bad">given up</span>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
