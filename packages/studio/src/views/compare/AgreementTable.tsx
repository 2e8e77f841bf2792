import type { AgreementSummary } from "@stemma/core/evaluation";
import { HeadRow } from "../common/HeadRow.js";
import { ScoreTile } from "../common/ScoreTile.js";

/** Rarer relations are in the output of `stemma evaluate --agreement --top`. */
const MOST_RELATIONS = 40;

/** How far two annotators agree, as `stemma evaluate --agreement --labels full` has it. */
export function AgreementTable({ agreement, names }: { agreement: AgreementSummary; names: [string, string] }) {
  const { words, uas, las, labels, kappa, relations } = agreement;
  return (
    <div class="agreement">
      <div class="scores">
        {(
          [
            ["Same head (UAS)", percent(uas)],
            ["Same head and label (LAS)", percent(las)],
            ["Same label", percent(labels)],
            ["κ of labels", shown(kappa)],
          ] as const
        ).map(([title, value]) => (
          <ScoreTile key={title} title={title} value={value} of={`${words.toLocaleString("en-US")} words`} />
        ))}
      </div>
      <details>
        <summary>Agreement by relation</summary>
        <div class="table-scroll">
          <table class="by-label">
            <HeadRow titles={["Relation", ...names, "Both", "Same arc", "κ"]} />
            <tbody>
              {Object.entries(relations)
                .slice(0, MOST_RELATIONS)
                .map(([label, one]) => (
                  <tr key={label}>
                    <th scope="row">{label}</th>
                    <td>{one.first}</td>
                    <td>{one.second}</td>
                    <td>{one.both}</td>
                    <td>{one.sameArc}</td>
                    <td>{shown(one.kappa)}</td>
                  </tr>
                ))}
            </tbody>
          </table>
        </div>
      </details>
    </div>
  );
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}

function shown(kappa: number | null): string {
  return kappa === null ? "–" : kappa.toFixed(3);
}
