import { describeSystem } from "@stemma/core/systems";
import type { SystemChoice } from "../../../../protocol/derivation.js";
import { setSystem } from "../../../../state/derivation/actions.js";
import type { ShownSentence } from "../../../../state/shown/sentence.js";
import { system } from "../../../../state/shown/state.js";
import { Form } from "../../../common/Form.js";
import { useAnswer } from "../../../common/use-answer.js";

/** At which step each of some systems builds each arc of the gold tree. */
export function WhenBuilt({ sentence, names }: { sentence: ShownSentence; names: readonly string[] }) {
  const { root, singleRoot, settings } = system.value;
  const { forms, gold } = sentence;
  const answer = useAnswer(
    "lessonOutcomes",
    () =>
      gold &&
      names.map((name) => {
        const choice: SystemChoice = { name, root, singleRoot, settings };
        const request = { sentence: sentence.json, system: choice, target: gold, prefix: [] };
        return { ...request, policy: "static" as const, withoutModel: true };
      }),
    [sentence, names.join(), root, singleRoot, JSON.stringify(settings)],
    { stays: true },
  );
  if (!gold || !answer) return null;
  if ("reason" in answer) return <p class="note bad">{answer.reason}</p>;
  const steps = answer.map(({ since }) => since);
  return (
    <section class="card" aria-label="When each arc is built">
      <h2>When each arc is built</h2>
      <div class="table-scroll">
        <table class="derivation when-built">
          <thead>
            <tr>
              <th scope="col">Arc</th>
              {names.map((name) => (
                <th key={name} scope="col">
                  <button
                    type="button"
                    class="small"
                    aria-pressed={system.value.name === name}
                    onClick={() => setSystem({ name })}
                  >
                    {describeSystem(name).title}
                  </button>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {forms.map((_, d) =>
              d === 0 ? null : (
                <tr key={d}>
                  <th scope="row">
                    <Form node={gold.heads[d]!} forms={forms} /> → <Form node={d} forms={forms} />
                  </th>
                  {steps.map((since, i) => (
                    <td key={i}>step {since[d]}</td>
                  ))}
                </tr>
              ),
            )}
          </tbody>
        </table>
      </div>
    </section>
  );
}
