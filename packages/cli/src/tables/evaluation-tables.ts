import { printable } from "@stemma/core";
import {
  Agreement,
  type ConfusionExample,
  DisfluencyScores,
  type Evaluation,
  type Group,
  inBins,
  LENGTH_BINS,
  type NamedEvaluation,
  ROLE_DISTANCE_BINS,
  ROOT_DISTANCE_BINS,
  RoleScores,
  type Score,
  SENTENCE_LENGTH_BINS,
  type Significance,
} from "@stemma/core/evaluation";
import { alignedLines } from "../terminal/text-table.js";

/** The ways of breaking scores down, by the names they have on the command line. */
export const BREAKDOWNS = [
  "label",
  "confusions",
  "length",
  "root-distance",
  "sentence-length",
  "projectivity",
  "upos",
] as const;
export type BreakdownName = (typeof BREAKDOWNS)[number];

/** Two systems and how they differ. */
export interface Comparison {
  first: string;
  second: string;
  uas: Significance;
  las: Significance;
}

export interface TableOptions {
  gold: string;
  by: readonly BreakdownName[];
  /** Rows of the tables of labels, tags and confusions. */
  top: number;
}

type Row = readonly string[];
type Calibration = Evaluation["calibration"];

/** The evaluation as text: one column for each system, precision and recall as well where they differ from F1. */
export function evaluationTables(
  systems: readonly NamedEvaluation[],
  comparisons: readonly Comparison[],
  options: TableOptions,
): string {
  const sections = [
    summary(systems, options),
    tags(systems),
    ...scores(systems),
    disfluencies(systems),
    ...agreements(systems, options.top),
    ...calibration(systems),
    ...semanticRoles(systems, options.top),
    significance(comparisons),
    ...options.by.map((name) => breakdown(name, systems, options.top)),
  ];
  return `${sections
    .filter((section) => section.length > 0)
    .map((section) => `${section.join("\n")}\n`)
    .join("\n")}`;
}

function summary(systems: readonly NamedEvaluation[], { gold }: TableOptions): string[] {
  const [{ evaluation }] = systems as [NamedEvaluation];
  const { sentences, words } = evaluation.scores;
  const differ = systems.filter((system) => !system.evaluation.sameWords).map(({ name }) => printable(name));
  const kind = evaluation.labels === "full" ? "full labels" : 'universal labels (the part before ":")';
  return [
    `${printable(gold)}: ${number(sentences.gold)} sentences, ${number(words.gold)} words; ${kind}`,
    ...(differ.length > 0 ? [`Different words or sentences in ${differ.join(", ")}: aligned by characters`] : []),
  ];
}

function tags(systems: readonly NamedEvaluation[]): string[] {
  const statuses = systems.map(({ evaluation }) => evaluation.tags);
  const row = (name: string, column: "upos" | "xpos" | "feats"): Row => [
    `  ${name}`,
    ...statuses.map((status) => {
      const { source, accuracy } = status[column];
      return source === "predicted" ? `predicted, ${percent(accuracy)}` : source;
    }),
  ];
  const header = ["Tags in the system file", ...names(systems)];
  return alignedLines([header, row("UPOS", "upos"), row("XPOS", "xpos"), row("FEATS", "feats")]);
}

type Named = readonly (readonly [name: string, score: (of: Evaluation) => Score])[];

const SEGMENTATION: Named = [
  ["Tokens", ({ scores }) => scores.tokens],
  ["Sentences", ({ scores }) => scores.sentences],
  ["Words", ({ scores }) => scores.words],
  ["UPOS", ({ scores }) => scores.upos],
  ["XPOS", ({ scores }) => scores.xpos],
  ["UFeats", ({ scores }) => scores.ufeats],
  ["AllTags", ({ scores }) => scores.allTags],
  ["Lemmas", ({ scores }) => scores.lemmas],
];

const ARCS: Named = [
  ["UAS", ({ scores }) => scores.uas],
  ["LAS", ({ scores }) => scores.las],
  ["LAS, full labels", ({ scores }) => scores.lasFull],
  ["CLAS", ({ scores }) => scores.clas],
  ["MLAS", ({ scores }) => scores.mlas],
  ["BLEX", ({ scores }) => scores.blex],
  ["label accuracy", ({ scores }) => scores.labels],
  ["exact match, unlabelled", ({ scores }) => scores.exactUnlabelled],
  ["exact match, labelled", ({ scores }) => scores.exactLabelled],
];

/** Of enhanced graphs, if the files have them. */
const GRAPHS: Named = [
  ["ELAS", ({ scores }) => scores.elas],
  ["EULAS", ({ scores }) => scores.eulas],
];

const REST: Named = [
  ["UAS", ({ scores }) => scores.withoutPunctuation.uas],
  ["LAS", ({ scores }) => scores.withoutPunctuation.las],
  ["label accuracy", ({ scores }) => scores.withoutPunctuation.labels],
  ["exact match, unlabelled", ({ scores }) => scores.withoutPunctuation.exactUnlabelled],
  ["exact match, labelled", ({ scores }) => scores.withoutPunctuation.exactLabelled],
];

function scores(systems: readonly NamedEvaluation[]): string[][] {
  const [first, second] = systems as [NamedEvaluation, NamedEvaluation | undefined];
  const detailed = systems.length === 1;
  // The share of the aligned words says more than recall only when not all are aligned.
  const aligned = !first.evaluation.sameWords;
  const header = detailed
    ? ["precision", "recall", "F1", ...(aligned ? ["aligned"] : [])]
    : [...names(systems), ...(systems.length === 2 ? ["difference"] : [])];
  const cells = (score: (of: Evaluation) => Score): string[] => {
    if (detailed) {
      const { precision, recall, f1, alignedAccuracy } = score(first.evaluation);
      const rates = [precision, recall, f1].map(percent);
      return aligned && alignedAccuracy !== null ? [...rates, percent(alignedAccuracy)] : rates;
    }
    const values = systems.map(({ evaluation }) => score(evaluation).f1);
    const difference = second === undefined || systems.length > 2 ? [] : [signed(values[1]! - values[0]!)];
    return [...values.map(percent), ...difference];
  };
  const perfect = SEGMENTATION.every(([, score]) => systems.every(({ evaluation }) => score(evaluation).f1 === 1));
  const table = (rows: Named): Row[] => rows.map(([name, score]) => [`  ${name}`, ...cells(score)]);
  const f1 = detailed ? "" : " (F1)";
  const hasGraphs = systems.some(({ evaluation: { scores } }) => scores.elas.gold + scores.elas.system > 0);
  const arcs = hasGraphs ? [...ARCS, ...GRAPHS] : ARCS;
  const lines = alignedLines([
    [`All words${f1}`, ...header],
    ...table(arcs),
    [`Without punctuation${f1}`],
    ...table(REST),
    ...(perfect ? [] : [[`Segmentation, tags, lemmas${f1}`], ...table(SEGMENTATION)]),
  ]);
  const [a, b] = [arcs.length + 1, arcs.length + REST.length + 2];
  return [lines.slice(0, a), lines.slice(a, b), lines.slice(b)];
}

const DISFLUENCIES = [
  ["removed words", "removed"],
  ["interjections", "interjections"],
  ["discourse markers", "markers"],
  ["reparanda", "reparanda"],
  ["UAS of what remains", "uas"],
  ["LAS of what remains", "las"],
] as const;

function disfluencies(systems: readonly NamedEvaluation[]): string[] {
  const all = alsoScored(systems, DisfluencyScores);
  if (all.length < systems.length) return [];
  const detailed = systems.length === 1;
  const rows = DISFLUENCIES.map(([name, score]): Row => {
    const found = all.map((scores) => scores[score]);
    const { gold, system, precision, recall, f1 } = found[0]!;
    const cells = detailed
      ? [number(system), ...[precision, recall, f1].map(percent)]
      : found.map((one) => percent(one.f1));
    return [`  ${name}`, number(gold), ...cells];
  });
  const header = detailed ? ["gold", "system", "precision", "recall", "F1"] : ["gold", ...names(systems)];
  return alignedLines([[`Disfluencies${detailed ? "" : " (F1)"}`, ...header], ...rows]);
}

const ROLES: readonly (readonly [name: string, score: (of: RoleScores) => Score])[] = [
  ["labelled", ({ labelled }) => labelled],
  ["unlabelled", ({ unlabelled }) => unlabelled],
  ["predicates", ({ predicates }) => predicates],
  ["predicates with sense", ({ senses }) => senses],
  ["arguments", (of) => of.argumentsUnlabelled],
  ["arguments with role", (of) => of.arguments],
  ["whole propositions", ({ propositions }) => propositions],
];

/** The scores of a kind that systems have besides the usual ones. */
function alsoScored<Kind>(systems: readonly NamedEvaluation[], kind: new () => Kind): Kind[] {
  return systems.flatMap(({ evaluation }) =>
    evaluation.also.filter((one): one is Kind & typeof one => one instanceof kind),
  );
}

/** The agreement of annotators, if it was asked for. */
function agreements(systems: readonly NamedEvaluation[], top: number): string[][] {
  const found = alsoScored(systems, Agreement).map((one) => one.toJSON());
  if (found.length < systems.length) return [];
  const kappa = (value: number | null) => (value === null ? "-" : value.toFixed(3));
  return [
    alignedLines([
      ["Agreement", ...names(systems)],
      ["  UAS", ...found.map(({ uas }) => percent(uas))],
      ["  LAS", ...found.map(({ las }) => percent(las))],
      ["  same label", ...found.map(({ labels }) => percent(labels))],
      ["  κ of labels", ...found.map((one) => kappa(one.kappa))],
    ]),
    ...found.map(({ relations }, i) =>
      alignedLines([
        [`Agreement by relation, ${names(systems)[i]}`, "first", "second", "both", "same arc", "κ"],
        ...Object.entries(relations)
          .slice(0, top)
          .map(([label, { first, second, both, sameArc, kappa: own }]) => [
            `  ${printable(label)}`,
            ...[first, second, both, sameArc].map(number),
            kappa(own),
          ]),
      ]),
    ),
  ];
}

/** Senses and roles, if they were asked for. */
function semanticRoles(systems: readonly NamedEvaluation[], top: number): string[][] {
  const found = alsoScored(systems, RoleScores);
  if (found.length < systems.length) return [];
  const detailed = systems.length === 1;
  const header = detailed ? ["gold", "system", "precision", "recall", "F1"] : names(systems);
  const cells = (score: (of: RoleScores) => Score): string[] => {
    if (!detailed) return found.map((of) => percent(score(of).f1));
    const { gold, system, precision, recall, f1 } = score(found[0]!);
    return [number(gold), number(system), ...[precision, recall, f1].map(percent)];
  };
  const padding = detailed ? ["", "", "", ""] : [];
  return [
    alignedLines([
      [`Semantic roles${found[0]!.strict ? ", strict" : ""}${detailed ? "" : " (F1)"}`, ...header],
      ...ROLES.map(([name, score]) => [`  ${name}`, ...cells(score)]),
      ["  sense accuracy", ...padding, ...found.map(({ senseAccuracy }) => percent(senseAccuracy))],
    ]),
    grouped("By role", systems, (_, k) => found[k]!.role.byCount(), top, "unlabelled"),
    grouped(
      "By distance from the predicate",
      systems,
      (_, k) => inBins(found[k]!.distance, ROLE_DISTANCE_BINS),
      undefined,
      "unlabelled",
    ),
  ];
}

/** The calibration of scores of arcs, if a system gives any, and how in detail, if it is the only one. */
function calibration(systems: readonly NamedEvaluation[]): string[][] {
  if (systems.every(({ evaluation }) => evaluation.calibration.words === 0)) return [];
  const row = (name: string, value: (of: Calibration) => string): Row => [
    `  ${name}`,
    ...systems.map(({ evaluation: { calibration } }) => (calibration.words === 0 ? "-" : value(calibration))),
  ];
  const error = (count: number, binning: "width" | "mass") => (of: Calibration) =>
    percent(of.expectedError(count, binning));
  const table = alignedLines([
    ["Scores of arcs", ...names(systems)],
    row("words with a score", ({ words }) => number(words)),
    row("mean score", ({ meanScore }) => percent(meanScore)),
    row("right head and full label", ({ accuracy }) => percent(accuracy)),
    row("expected calibration error, 10 equal-width bins", error(10, "width")),
    row("expected calibration error, 15 equal-width bins", error(15, "width")),
    row("expected calibration error, 10 equal-mass bins", error(10, "mass")),
    row("expected calibration error, 15 equal-mass bins", error(15, "mass")),
    row("Brier score", ({ brier }) => brier.toFixed(4)),
    row("area under the ROC curve", ({ auc }) => auc.toFixed(4)),
  ]);
  if (systems.length > 1) return [table];
  const bins = systems[0]!.evaluation.calibration
    .bins(10, "width")
    .map(({ from, to, words, meanScore, accuracy }) => [
      `  ${from.toFixed(1)} to ${to.toFixed(1)}`,
      ...[number(words), percent(meanScore), percent(accuracy), signed(accuracy - meanScore)],
    ]);
  return [table, alignedLines([["By score", "words", "mean score", "right", "difference"], ...bins])];
}

function significance(comparisons: readonly Comparison[]): string[] {
  const [some] = comparisons;
  if (some === undefined) return [];
  const { test, samples } = some.las;
  const interval = ({ interval }: Significance) =>
    interval === undefined ? [] : [`${signed(interval[0])} to ${signed(interval[1])}`];
  const extra = test === "bootstrap" ? ["95 %"] : [];
  const title = test === "bootstrap" ? "Paired bootstrap" : "Approximate randomisation";
  const rows = comparisons.map(({ first, second, uas, las }) => [
    `  ${printable(second)} - ${printable(first)}`,
    ...[signed(uas.difference), probability(uas.p), ...interval(uas)],
    ...[signed(las.difference), probability(las.p), ...interval(las)],
  ]);
  const header = [`${title}, ${number(samples)} samples`, "UAS", "p", ...extra, "LAS", "p", ...extra];
  return alignedLines([header, ...rows]);
}

function breakdown(name: BreakdownName, systems: readonly NamedEvaluation[], top: number): string[] {
  switch (name) {
    case "label":
      return grouped("By label", systems, ({ breakdowns }) => breakdowns.label.byCount(), top);
    case "length":
      return grouped("By dependency length", systems, ({ breakdowns }) => inBins(breakdowns.length, LENGTH_BINS));
    case "root-distance":
      return grouped("By distance to the root", systems, ({ breakdowns }) =>
        inBins(breakdowns.rootDistance, ROOT_DISTANCE_BINS),
      );
    case "sentence-length":
      return grouped("By words in the sentence", systems, ({ breakdowns }) =>
        inBins(breakdowns.sentenceLength, SENTENCE_LENGTH_BINS),
      );
    case "projectivity":
      return grouped("By projectivity of the arc", systems, ({ breakdowns }) => breakdowns.projectivity.byCount());
    case "upos":
      return grouped("By gold UPOS", systems, ({ breakdowns }) => breakdowns.upos.byCount(), top);
    case "confusions":
      return systems.flatMap((system, i) => [...(i === 0 ? [] : [""]), ...confusions(system, systems.length > 1, top)]);
  }
}

function grouped(
  title: string,
  systems: readonly NamedEvaluation[],
  groups: (of: Evaluation, index: number) => [string, Group][],
  top = Number.POSITIVE_INFINITY,
  unlabelled = "UAS F1",
): string[] {
  const columns = systems.map(({ evaluation }, k) => new Map(groups(evaluation, k)));
  // Every system has the same gold arcs; names that only some systems use come after them.
  const keys = [...new Set(columns.flatMap((column) => [...column.keys()]))];
  const detailed = systems.length === 1;
  const header = detailed
    ? ["gold", "system", "precision", "recall", "F1", unlabelled]
    : ["gold", ...names(systems), ...(systems.length === 2 ? ["difference"] : [])];
  const rows = keys.slice(0, top).map((key): Row => {
    const found = columns.map((column) => column.get(key));
    const gold = number(Math.max(...found.map((group) => group?.gold ?? 0)));
    const values = found.map((group) => group?.labelled.f1 ?? 0);
    if (!detailed) {
      const difference = systems.length === 2 ? [signed(values[1]! - values[0]!)] : [];
      return [`  ${printable(key)}`, gold, ...values.map(percent), ...difference];
    }
    const { labelled, unlabelled: arcs, system } = found[0]!;
    const rates = [labelled.precision, labelled.recall, labelled.f1, arcs.f1].map(percent);
    return [`  ${printable(key)}`, gold, number(system), ...rates];
  });
  if (keys.length > top) rows.push([`  … ${number(keys.length - top)} more`]);
  return alignedLines([[`${title} (labelled${detailed ? "" : ", F1"})`, ...header], ...rows]);
}

function confusions({ name, evaluation }: NamedEvaluation, several: boolean, top: number): string[] {
  const pairs = evaluation.confusions.byCount();
  const title = `Confused labels${several ? ` of ${printable(name)}` : ""}`;
  const rows = pairs
    .slice(0, top)
    .map(
      ({ gold, system, count, attached }): Row => [
        `  ${printable(gold)} as ${printable(system)}`,
        number(count),
        number(attached),
      ],
    );
  const lines = alignedLines([[title, "count", "head right"], ...rows]);
  const shown = [lines[0]!];
  pairs.slice(0, top).forEach(({ examples }, i) => {
    shown.push(lines[i + 1]!, ...examples.map((one) => `      ${exampleLine(one)}`));
  });
  if (pairs.length > top) shown.push(`  … ${number(pairs.length - top)} more`);
  return shown;
}

function exampleLine({ sentence, id, word, form, goldHead, systemHead, context }: ConfusionExample): string {
  const head = (of: string | null) => (of === null ? "the root" : of);
  const heads =
    goldHead === systemHead ? `below ${head(goldHead)}` : `below ${head(goldHead)}, not ${head(systemHead)}`;
  return printable(`${sentence}${id === null ? "" : ` ${id}`}, word ${word}: ${form} ${heads}: … ${context} …`);
}

function names(systems: readonly NamedEvaluation[]): string[] {
  return systems.map(({ name }) => printable(name));
}

function number(value: number): string {
  return value.toLocaleString("en-US");
}

function percent(share: number): string {
  return (100 * share).toFixed(2);
}

function signed(difference: number): string {
  const text = percent(difference);
  return Number(text) === 0 ? "0.00" : difference > 0 ? `+${text}` : text;
}

function probability(p: number): string {
  return p < 0.0001 ? "<0.0001" : p.toFixed(4);
}
