import { useMemo } from "preact/hooks";
import type { Outcome, Policy, Taken } from "../../protocol/derivation.js";
import { removeBranch, showBranch } from "../../state/derivation/actions.js";
import { outcomes, outcomesError } from "../../state/derivation/branches.js";
import { kindOf, transitionName } from "../../state/derivation/names.js";
import type { ShownSentence } from "../../state/shown/sentence.js";
import { after, branch, branches, effectivePolicy, gold } from "../../state/shown/state.js";
import { HeadRow } from "../common/HeadRow.js";
import { TreeView } from "../tree/TreeView.js";

const ORIGINAL: Readonly<Record<Policy, string>> = {
  model: "the model",
  static: "the oracle",
  "non-deterministic": "the oracle",
  dynamic: "the oracle",
  hand: "you",
};

/** The branches tried by hand beside the derivation that nobody changed: steps, losses, and how the trees differ. */
export function Branches({ sentence }: { sentence: ShownSentence }) {
  const known = outcomes.value;
  const list = branches.value;
  if (list.length === 0) return null;
  if (outcomesError.value) {
    return (
      <p class="note bad" role="alert">
        {outcomesError.value}
      </p>
    );
  }
  // Without another derivation to compare with, steps that are taken one by one are no branches.
  if (effectivePolicy.value === "hand" && list.length < 2) return null;
  const shown = branch.value;
  return (
    <section class="card branches" aria-label="Branches">
      <h2>What if</h2>
      <p class="faint">
        Every derivation that parts from the original one, below each other. Choose one to see it; its tree is compared
        with that of the original.
      </p>
      <div class="table-scroll">
        <table class="branch-table">
          <HeadRow
            titles={[
              "Derivation",
              "Parts at",
              "Transitions",
              `Loss${gold.value ? "" : "*"} at the end`,
              "Other arcs",
              "",
            ]}
          />
          <tbody>
            <Row name={`Original, by ${ORIGINAL[effectivePolicy.value]}`} index={undefined} outcome={known?.original} />
            {list.map(({ prefix }, i) => (
              <Row
                key={i}
                name={`Branch ${i + 1}`}
                index={i}
                prefix={prefix}
                outcome={known?.branches[i]}
                original={known?.original}
              />
            ))}
          </tbody>
        </table>
      </div>
      {known && shown !== undefined && known.branches[shown] && (
        <Difference sentence={sentence} branch={known.branches[shown]!} original={known.original} number={shown + 1} />
      )}
    </section>
  );
}

interface RowProps {
  name: string;
  index: number | undefined;
  prefix?: readonly Taken[];
  outcome: Outcome | undefined;
  original?: Outcome | undefined;
}

function Row({ name, index, prefix, outcome, original }: RowProps) {
  const isShown = branch.value === index;
  const parts = original && outcome ? firstDifference(original.taken, outcome.taken) : undefined;
  const choice = parts === undefined ? undefined : outcome?.taken[parts];
  const end = outcome?.losses.at(-1);
  return (
    <tr class={isShown ? "current" : ""}>
      <th scope="row">
        <button type="button" class="small" aria-pressed={isShown} onClick={() => showBranch(index)}>
          {name}
        </button>
      </th>
      <td>
        {prefix === undefined ? (
          <span class="faint">–</span>
        ) : choice === undefined ? (
          <span class="faint">{outcome ? "nowhere" : "…"}</span>
        ) : (
          <>
            step {parts! + 1}: <span class={`move ${kindOf(choice.move)}`}>{transitionName(choice)}</span>
          </>
        )}
      </td>
      <td>
        {outcome ? outcome.taken.length : "…"}
        {outcome && <Strip taken={outcome.taken} losses={outcome.losses} from={parts} />}
      </td>
      <td>
        {!outcome ? (
          "…"
        ) : !outcome.complete ? (
          <span class="faint">open{end === undefined ? "" : `, at least ${end}`}</span>
        ) : end === undefined ? (
          "?"
        ) : (
          <span class={`badge ${end === 0 ? "good" : "bad"}`}>{end}</span>
        )}
      </td>
      <td>{outcome && original ? otherArcs(outcome, original).length : <span class="faint">–</span>}</td>
      <td>
        {index !== undefined && (
          <button
            type="button"
            class="icon small-icon"
            aria-label={`Remove ${name}`}
            onClick={() => removeBranch(index)}
          >
            ×
          </button>
        )}
      </td>
    </tr>
  );
}

/** The transitions at a glance: what both share is pale, what cost something is raised. */
function Strip({
  taken,
  losses,
  from,
}: {
  taken: readonly Taken[];
  losses: Outcome["losses"];
  from: number | undefined;
}) {
  return (
    <div class="strip" aria-hidden="true">
      {taken.map((one, i) => {
        const [before, now] = [losses[i], losses[i + 1]];
        const bad = before !== undefined && now !== undefined && now > before ? "bad" : "";
        const own = from === undefined || i >= from ? "done" : "";
        return <span key={i} class={`${kindOf(one.move)} ${own} ${bad}`} title={`${i + 1}: ${transitionName(one)}`} />;
      })}
    </div>
  );
}

function firstDifference(a: readonly Taken[], b: readonly Taken[]): number | undefined {
  for (let i = 0; i < Math.max(a.length, b.length); i++) {
    if (a[i]?.move !== b[i]?.move || a[i]?.label !== b[i]?.label) return i;
  }
  return undefined;
}

/** Words that are attached otherwise, or in one of the two only. */
function otherArcs(a: Outcome, b: Outcome): number[] {
  return a.tree.heads.flatMap((head, d) =>
    d > 0 && (head !== b.tree.heads[d] || a.tree.labels[d] !== b.tree.labels[d]) ? [d] : [],
  );
}

function Difference({
  sentence,
  branch,
  original,
  number,
}: {
  sentence: ShownSentence;
  branch: Outcome;
  original: Outcome;
  number: number;
}) {
  const other = useMemo(() => new Set(otherArcs(branch, original)), [branch, original]);
  if (other.size === 0) {
    return <p class="note">{`Branch ${number} ends in the same tree as the original${spurious(branch, original)}.`}</p>;
  }
  const arcClass = (d: number) =>
    !other.has(d) ? "same" : branch.tree.heads[d] === original.tree.heads[d] ? "warn" : "bad";
  return (
    <>
      <p class="side-name">Branch {number}</p>
      <TreeView
        name={`Branch ${number} above, the original below: ${sentence.text}`}
        sentence={sentence}
        tree={branch.tree}
        lower={original.tree}
        arcClass={arcClass}
        wordClass={(d) => (other.has(d) ? arcClass(d) : "")}
      />
      <p class="side-name below">Original</p>
      {!branch.complete && after.value === "hand" && (
        <p class="faint">
          The branch is open: words without a head in it count as other arcs. Let the parser or the oracle finish it.
        </p>
      )}
    </>
  );
}

function spurious(a: Outcome, b: Outcome): string {
  return firstDifference(a.taken, b.taken) === undefined ? "" : ": the difference is spurious";
}
