import { plotSVG } from "@stemma/core/evaluation";
import type { DistributionSummary, SummaryWithDisfluencies } from "@stemma/core/treebank";
import { useMemo } from "preact/hooks";
import type { TreebankSummary } from "../../protocol/treebank.js";
import { Figure } from "../common/Figure.js";

const MOST_BARS = 14;

export function StatisticsPanel({ summary }: { summary: TreebankSummary }) {
  const { statistics } = summary;
  const { nonProjective, sentenceLength, arcLength, depth, gapDegree } = statistics;
  const percent = (share: number) => `${(100 * share).toFixed(2)} %`;
  const facts: [string, string][] = [
    ["Sentences", whole(statistics.sentences)],
    ["Words", whole(statistics.words)],
    ["Different forms", whole(statistics.forms)],
    ["Labels", whole(Object.keys(statistics.deprel).length)],
    ["Words in a sentence", `${sentenceLength.mean.toFixed(1)} on average, ${sentenceLength.max} at most`],
    ["Length of an arc", `${arcLength.mean.toFixed(2)} on average, ${arcLength.max} at most`],
    ["Depth of a tree", `${depth.mean.toFixed(2)} on average, ${depth.max} at most`],
    ["Arcs to the left", percent(statistics.leftArcs.share)],
    ["Non-projective sentences", `${whole(nonProjective.sentences)} (${percent(nonProjective.sentenceShare)})`],
    ["Non-projective arcs", `${whole(nonProjective.arcs)} (${percent(nonProjective.arcShare)})`],
    ["Maximum gap degree", String(gapDegree.max)],
    ["Not trees", whole(statistics.notTrees)],
    ...disfluentFacts(statistics),
  ];
  if (summary.predicates > 0)
    facts.push(["Predicates", whole(summary.predicates)], ["Semantic arguments", whole(summary.arguments)]);
  const plots = useMemo(
    () => [
      plotSVG({
        title: "Sentence length",
        x: { label: "words" },
        y: { label: "sentences", min: 0 },
        series: [{ name: "sentences", points: points(sentenceLength) }],
      }),
      plotSVG({
        title: "Arc length",
        x: { label: "words between head and dependent", log: true },
        y: { label: "arcs", log: true },
        series: [{ name: "arcs", points: points(arcLength) }],
      }),
    ],
    [sentenceLength, arcLength],
  );
  return (
    <section class="card" aria-label="Statistics">
      <dl class="facts">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <div class="plots">
        <Figure svg={plots[0]!} />
        <Figure svg={plots[1]!} />
      </div>
      <div class="plots">
        <Bars title="Labels" counts={statistics.deprel} total={statistics.words} />
        <Bars title="Parts of speech" counts={statistics.upos} total={statistics.words} />
      </div>
    </section>
  );
}

/** Words that are no part of what is said, by the labels, if there are any. */
function disfluentFacts({ disfluencies, words }: SummaryWithDisfluencies): [string, string][] {
  const kinds = [
    ["Interjections", disfluencies.IJ],
    ["Discourse markers", disfluencies.DM],
    ["Reparanda", disfluencies.RP],
  ] as const;
  return kinds
    .filter(([, kind]) => kind.words > 0)
    .map(([name, kind]) => [name, `${whole(kind.words)} words (${((100 * kind.words) / words).toFixed(2)} %)`]);
}

function points({ counts }: DistributionSummary): { x: number; y: number }[] {
  return Object.entries(counts).map(([x, y]) => ({ x: Number(x), y }));
}

function whole(value: number): string {
  return value.toLocaleString("en-US");
}

function Bars({ title, counts, total }: { title: string; counts: Record<string, number>; total: number }) {
  const entries = Object.entries(counts);
  const most = entries[0]?.[1] ?? 1;
  return (
    <div class="bars">
      <h3>{title}</h3>
      <table>
        <tbody>
          {entries.slice(0, MOST_BARS).map(([name, count]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td class="bar-cell">
                <span class="bar" style={{ width: `${(100 * count) / most}%` }} />
              </td>
              <td class="number">{whole(count)}</td>
              <td class="number faint">{((100 * count) / Math.max(1, total)).toFixed(1)} %</td>
            </tr>
          ))}
        </tbody>
      </table>
      {entries.length > MOST_BARS && <p class="faint">and {entries.length - MOST_BARS} more</p>}
    </div>
  );
}
