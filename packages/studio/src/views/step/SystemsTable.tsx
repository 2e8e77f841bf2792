import { describeSystem, ROOT_POSITIONS, systemNames } from "@stemma/core/systems";
import type { Reached, SystemChoice } from "../../protocol/derivation.js";
import { setSystem } from "../../state/derivation/actions.js";
import { gold, sentence, system, target } from "../../state/shown/state.js";
import { useAnswer } from "../common/use-answer.js";

/** The same tree in every system and with every root position: steps that it takes, arcs that are out of reach. */
export function SystemsTable() {
  const aim = target.value;
  const { singleRoot } = system.value;
  const settings = JSON.stringify(system.value.settings);
  const answer = useAnswer("reach", () => {
    if (!aim) return undefined;
    const systems = systemNames().flatMap((name) =>
      ROOT_POSITIONS.map((root): SystemChoice => ({ name, root, singleRoot, settings: JSON.parse(settings) })),
    );
    return { systems, target: aim };
  }, [sentence.value, aim, settings, singleRoot]);
  const cells = Array.isArray(answer) ? answer : [];
  const problem = answer && "reason" in answer ? answer.reason : "";
  return (
    <section class="card systems" aria-label="The same sentence in every system">
      <h2>The same sentence in every system</h2>
      <p class="faint">
        Steps that the oracle takes to {gold.value ? "the gold tree" : "the model's tree"}, and in red how many arcs of
        it the system cannot build. Click to see the derivation.
      </p>
      {problem && (
        <p class="note bad" role="alert">
          {problem}
        </p>
      )}
      {!aim && <p class="note">There is no tree to derive: open a model file, or paste CoNLL-U with heads.</p>}
      <div class="table-scroll">
        <table>
          <thead>
            <tr>
              <td />
              {ROOT_POSITIONS.map((root) => (
                <th key={root} scope="col">
                  root {root}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {systemNames().map((name, row) => (
              <tr key={name}>
                <th scope="row">{describeSystem(name).title}</th>
                {ROOT_POSITIONS.map((root, column) => {
                  const cell = cells[row * ROOT_POSITIONS.length + column];
                  const current = system.value.name === name && system.value.root === root;
                  return (
                    <td key={root}>
                      <button
                        type="button"
                        class="cell"
                        aria-pressed={current}
                        onClick={() => setSystem({ name, root })}
                      >
                        <span class="unseen">
                          {describeSystem(name).title}, root {root}:{" "}
                        </span>
                        <CellContent cell={cell} waits={aim !== undefined && problem === ""} />
                      </button>
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function CellContent({ cell, waits }: { cell: Reached | undefined; waits: boolean }) {
  if (!cell) return <>{waits ? "…" : "–"}</>;
  if ("reason" in cell) return <span title={cell.reason}>not known</span>;
  return (
    <>
      {cell.steps}
      {cell.lost > 0 && <span class="badge bad">−{cell.lost}</span>}
    </>
  );
}
