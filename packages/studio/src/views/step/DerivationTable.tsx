import { useState } from "preact/hooks";
import type { Derivation } from "../../protocol/derivation.js";
import { capitalized, kindOf, stackTitle, transitionName } from "../../state/derivation/names.js";
import { derivationLatex } from "../../state/export/derivation-latex.js";
import { nameOf, save } from "../../state/export/export.js";
import { reason, say } from "../../state/shown/say.js";
import type { ShownSentence } from "../../state/shown/sentence.js";
import { gold, shownStep, step } from "../../state/shown/state.js";
import { NodeList } from "../common/NodeList.js";
import { saveAnimation, saveFrames } from "../export/animate.js";

/** The whole derivation as a table, as in the papers. */
export function DerivationTable({ derivation, sentence }: { derivation: Derivation; sentence: ShownSentence }) {
  const { forms } = sentence;
  const name = nameOf(sentence);
  const [open, setOpen] = useState(false);
  const listNames = Object.keys(derivation.configurations[0]!.lists);
  /** How far the animation is. */
  const [making, setMaking] = useState<number | undefined>(undefined);
  return (
    <details class="card fold" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>All steps as a table</summary>
      {open && (
        <>
          <div class="exports">
            <button
              type="button"
              class="small"
              onClick={() => {
                const text = derivationLatex(derivation, forms);
                save(new Blob([text], { type: "application/x-tex" }), `${name}-derivation.tex`);
              }}
            >
              LaTeX table
            </button>
            <button type="button" class="small" onClick={() => saveFrames(derivation, sentence)}>
              SVG frames
            </button>
            <button
              type="button"
              class="small"
              disabled={making !== undefined}
              onClick={() => {
                setMaking(0);
                saveAnimation(derivation, sentence, setMaking)
                  .catch((error) => say(reason(error)))
                  .finally(() => setMaking(undefined));
              }}
            >
              {making === undefined ? "GIF animation" : `GIF ${Math.round(100 * making)} %`}
            </button>
          </div>
          <div class="table-scroll">
            <table class="derivation">
              <thead>
                <tr>
                  <th scope="col">Step</th>
                  <th scope="col">Transition</th>
                  <th scope="col">{capitalized(stackTitle(derivation.system.name))}</th>
                  {listNames.map((title) => (
                    <th key={title} scope="col">
                      {capitalized(title)}
                    </th>
                  ))}
                  <th scope="col">Buffer</th>
                  <th scope="col">Cost</th>
                </tr>
              </thead>
              <tbody>
                {derivation.configurations.map(({ stack, lists, buffer }, i) => {
                  const before = derivation.configurations[i - 1];
                  const choice = before?.choices[before.taken];
                  const wrong = gold.value && (choice?.cost ?? 0) > 0;
                  return (
                    <tr key={i} class={i === shownStep.value ? "current" : ""}>
                      <td>
                        <button
                          type="button"
                          class="small"
                          aria-label={`Go to step ${i}`}
                          onClick={() => (step.value = i)}
                        >
                          {i}
                        </button>
                      </td>
                      <td>{choice && <span class={`move ${kindOf(choice.move)}`}>{transitionName(choice)}</span>}</td>
                      <td>
                        <NodeList nodes={stack} forms={forms} fromEnd />
                      </td>
                      {listNames.map((title) => (
                        <td key={title}>
                          <NodeList nodes={lists[title]!} forms={forms} />
                        </td>
                      ))}
                      <td>
                        <NodeList nodes={buffer} forms={forms} />
                      </td>
                      <td>{wrong ? <span class="badge bad">+{choice!.cost}</span> : (choice?.cost ?? "")}</td>
                    </tr>
                  );
                })}
              </tbody>
            </table>
          </div>
        </>
      )}
    </details>
  );
}
