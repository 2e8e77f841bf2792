import {
  check,
  checkOptions,
  type Expectation,
  oneOf,
  SENTENCES,
  STRING,
  shown,
  TRUE_OR_FALSE,
  wholeNumber,
} from "../checks/options.js";
import { arrayOf, having } from "../checks/shapes.js";
import { Sentence } from "../treebank/sentence/sentence.js";
import type { Alignment } from "./alignment.js";
import {
  Breakdowns,
  type Confusion,
  Confusions,
  type Grouping,
  type GroupSummary,
  inBins,
  LENGTH_BINS,
  ROOT_DISTANCE_BINS,
  SENTENCE_LENGTH_BINS,
} from "./breakdowns.js";
import { type JoinedWords, joinedWords } from "./joined-words.js";
import { Calibration, type CalibrationSummary, scoreOf } from "./measures/calibration.js";
import type { SentenceCounts } from "./measures/significance.js";
import { Pairing, type PairingOptions } from "./pairing.js";
import { isPunctuationForm, type Punctuation } from "./punctuation.js";
import {
  ATTACHED,
  addScores,
  CORRECT,
  isPunctuation,
  judgeArcs,
  type Score,
  type ScoreSummary,
  Scores,
} from "./scores.js";
import { LABEL_SETS, type LabelSet, labelReader } from "./universal.js";

/** Scores something else of the sentences that an evaluation compares: semantic roles, say. */
export interface AdditionalScores {
  /** The name that the summary has it under. */
  readonly name: string;
  /** Adds sentences that belong together. `verdicts`: what the arc of each word of the system is worth. */
  addWords(gold: JoinedWords, system: JoinedWords, alignment: Alignment, verdicts: Uint8Array): void;
  toJSON(): unknown;
}

/** Options of `evaluate`. */
export interface EvaluationOptions extends PairingOptions {
  /** `universal` by default, as in the CoNLL 2018 scorer. */
  labels?: LabelSet | undefined;
  /** False to leave punctuation out of breakdowns and significance tests; scores have both. */
  punctuation?: boolean | undefined;
  /** The words that count as punctuation in the gold treebank; by default, words with the UPOS PUNCT. */
  punctuationBy?: Punctuation | undefined;
  /** False to compute scores only. */
  breakdowns?: boolean | undefined;
  /** Further scores: `new Agreement()`, `new RoleScores()`, `new DisfluencyScores()`. */
  also?: readonly AdditionalScores[] | undefined;
  /** Number of examples to keep for each pair of confused labels, 3 by default. */
  examples?: number | undefined;
}

const EVALUATION_OPTIONS: Readonly<Record<keyof EvaluationOptions, Expectation>> = {
  labels: oneOf(...LABEL_SETS),
  punctuation: TRUE_OR_FALSE,
  punctuationBy: {
    expected: "upos, unicode or a Set of tags",
    accepts: (value) => value === "upos" || value === "unicode" || value instanceof Set,
  },
  breakdowns: TRUE_OR_FALSE,
  also: arrayOf("a list of scores", having("scores", "addWords", "toJSON")),
  examples: wholeNumber(0),
  goldSource: STRING,
  systemSource: STRING,
  sameWords: TRUE_OR_FALSE,
};

function checkSentence(what: string, sentence: unknown): void {
  if (!(sentence instanceof Sentence)) throw new TypeError(`invalid ${what}: ${shown(sentence)} (expected a Sentence)`);
}

/** Whether the system's tags are those of the gold treebank. */
export interface TagStatus {
  /** `gold`: all are equal; `predicted`: some are not; `absent`: the system output has none (and gold has some). */
  source: "gold" | "predicted" | "absent";
  /** Share of the gold words whose tag is right (F1 when the words differ). */
  accuracy: number;
}

/** The plain form of an evaluation. */
export interface EvaluationSummary {
  /** The labels that were compared. */
  labels: LabelSet;
  /** The number of sentences. */
  sentences: number;
  /** The number of gold words. */
  words: number;
  /** Whether both have the same words. */
  sameWords: boolean;
  /** Whether both have tags. */
  tags: Record<"upos" | "xpos" | "feats", TagStatus>;
  /** The scores, by their names. */
  scores: Record<ScoreName, ScoreSummary>;
  /** The scores of words that are no punctuation. */
  withoutPunctuation: Record<keyof Scores["withoutPunctuation"], ScoreSummary>;
  /** How well the scores of the system's arcs are calibrated, null if it gives none. */
  calibration: CalibrationSummary | null;
  /** The scores by label, length, distance, tag; null if they were not wanted. */
  breakdowns: {
    punctuation: boolean;
    label: Record<string, GroupSummary>;
    length: Record<string, GroupSummary>;
    exactLength: Record<string, GroupSummary>;
    rootDistance: Record<string, GroupSummary>;
    exactRootDistance: Record<string, GroupSummary>;
    sentenceLength: Record<string, GroupSummary>;
    projectivity: Record<string, GroupSummary>;
    upos: Record<string, GroupSummary>;
    confusions: Confusion[];
  } | null;
  /** Additional scores, by their names. */
  [also: string]: unknown;
}

/** The names of the scores of an evaluation. */
export const SCORE_NAMES = [
  "tokens",
  "sentences",
  "words",
  "upos",
  "xpos",
  "ufeats",
  "allTags",
  "lemmas",
  "uas",
  "las",
  "clas",
  "mlas",
  "blex",
  "elas",
  "eulas",
  "lasFull",
  "labels",
  "exactUnlabelled",
  "exactLabelled",
] as const;
/** One of `SCORE_NAMES`. */
export type ScoreName = (typeof SCORE_NAMES)[number];

/**
 * Compares the output of a system with a gold treebank, sentence by sentence: add a gold sentence, then system
 * sentences while needsSystem is true, and call end() at the end. Memory grows by a few numbers per sentence.
 */
export class Evaluation {
  /** The scores so far. */
  readonly scores = new Scores();
  /** The scores by label, length, distance, tag. */
  readonly breakdowns = new Breakdowns();
  /** Labels that were given in place of others. */
  readonly confusions: Confusions;
  /** Calibration of the scores of the system's arcs, the probabilities that head and full label are right. */
  readonly calibration = new Calibration();
  /** Further scores, as they were given. */
  readonly also: readonly AdditionalScores[];
  /** As they were given. */
  readonly options: Readonly<EvaluationOptions>;
  /** The labels that are compared. */
  readonly labels: LabelSet;
  /** Whether every sentence so far has the words of its gold sentence. */
  sameWords = true;
  /** Gold words that count as punctuation, and those that consist of punctuation characters. */
  readonly punctuation = { counted: 0, written: 0 };
  /** For each sentence what is right, for significance tests. */
  readonly counts = { gold: [], system: [], uas: [], las: [] } satisfies SentenceCounts as Record<
    keyof SentenceCounts,
    number[]
  >;
  private readonly pairing: Pairing;

  /** @param options which words and labels count, and what is broken down */
  constructor(options: EvaluationOptions = {}) {
    checkOptions("an evaluation", options, EVALUATION_OPTIONS);
    const {
      labels = "universal",
      punctuation = true,
      breakdowns = true,
      examples = 3,
      punctuationBy = "upos",
    } = options;
    this.options = options;
    this.also = options.also ?? [];
    this.labels = labels;
    this.confusions = new Confusions(examples);
    const label = labelReader(labels);
    this.pairing = new Pairing((goldSentences, systemSentences, alignment) => {
      const gold = joinedWords(goldSentences, label, punctuationBy);
      const system = joinedWords(systemSentences, label, punctuationBy);
      this.countPunctuation(gold);
      const verdicts = judgeArcs(gold, system, alignment);
      const first = this.counts.gold.length + 1;
      if (alignment.alignedWords < gold.length || alignment.alignedWords < system.length) this.sameWords = false;
      if (alignment.sameSentences.length < goldSentences.length) this.sameWords = false;
      addScores(this.scores, gold, system, alignment, verdicts);
      for (const scores of this.also) scores.addWords(gold, system, alignment, verdicts);
      this.count(gold, system, alignment, verdicts, punctuation);
      this.calibrate(gold, system, alignment, verdicts, punctuation);
      if (!breakdowns) return;
      this.breakdowns.add(gold, system, alignment, verdicts, punctuation);
      this.confusions.add(gold, system, alignment, verdicts, punctuation, first);
    }, options);
  }

  /**
   * Adds a sentence of the gold standard.
   * @param sentence the next one of the gold standard
   */
  addGold(sentence: Sentence): void {
    checkSentence("gold sentence", sentence);
    this.pairing.addGold(sentence);
  }

  /**
   * Adds a sentence of the parser.
   * @param sentence the next one of the parser
   */
  addSystem(sentence: Sentence): void {
    checkSentence("system sentence", sentence);
    this.pairing.addSystem(sentence);
  }

  /** Whether the gold sentences so far have words that the system sentences so far do not reach. */
  get needsSystem(): boolean {
    return this.pairing.needsSystem;
  }

  /** Throws a TreebankError when one of the treebanks has more words than the other. */
  end(): void {
    this.pairing.end();
  }

  private countPunctuation({ punctuation, sentences }: JoinedWords): void {
    for (const isCounted of punctuation) this.punctuation.counted += isCounted;
    for (const sentence of sentences) {
      for (let i = 1; i <= sentence.length; i++) if (isPunctuationForm(sentence.form(i))) this.punctuation.written++;
    }
  }

  private count(
    gold: JoinedWords,
    system: JoinedWords,
    alignment: Alignment,
    verdicts: Uint8Array,
    punctuation: boolean,
  ): void {
    const { counts } = this;
    const first = counts.gold.length;
    gold.sentences.forEach((sentence, k) => {
      let words = sentence.length;
      if (!punctuation) {
        for (let g = gold.before[k]! + 1; g <= gold.before[k + 1]!; g++) if (gold.punctuation[g] === 1) words--;
      }
      counts.gold.push(words);
      counts.system.push(0);
      counts.uas.push(0);
      counts.las.push(0);
    });
    for (let s = 1; s <= system.length; s++) {
      if (!punctuation && isPunctuation(gold, system, alignment, s)) continue;
      const at = first + alignment.goldSentenceOf[s]!;
      counts.system[at]!++;
      if (verdicts[s]! >= ATTACHED) counts.uas[at]!++;
      if (verdicts[s] === CORRECT) counts.las[at]!++;
    }
  }

  private calibrate(
    gold: JoinedWords,
    system: JoinedWords,
    alignment: Alignment,
    verdicts: Uint8Array,
    punctuation: boolean,
  ): void {
    system.sentences.forEach((sentence, k) => {
      for (let i = 1; i <= sentence.length; i++) {
        const score = scoreOf(sentence, i);
        const s = system.before[k]! + i;
        if (score === undefined || (!punctuation && isPunctuation(gold, system, alignment, s))) continue;
        const g = alignment.goldOf[s]!;
        const right = verdicts[s]! >= ATTACHED && system.labels[s]!.full === gold.labels[g]!.full;
        this.calibration.add(score, right);
      }
    });
  }

  /** Whether UPOS, XPOS and FEATS of the system output are those of the gold treebank. */
  get tags(): Record<"upos" | "xpos" | "feats", TagStatus> {
    const { scores } = this;
    const status = (column: "upos" | "xpos" | "feats"): TagStatus => {
      const score = scores[column];
      const absent = scores.tagged[column] === 0 && scores.goldTagged[column] > 0;
      const source = absent ? "absent" : score.correct === score.aligned ? "gold" : "predicted";
      return { source, accuracy: score.f1 };
    };
    return { upos: status("upos"), xpos: status("xpos"), feats: status("feats") };
  }

  /** As plain data. */
  toJSON(): EvaluationSummary {
    const { scores, breakdowns, options } = this;
    const summaries = <N extends string>(from: Record<N, Score>, names: readonly N[]) =>
      Object.fromEntries(names.map((name) => [name, from[name].toJSON()])) as Record<N, ScoreSummary>;
    const groups = (entries: readonly (readonly [string | number, { toJSON(): GroupSummary }])[]) =>
      Object.fromEntries(entries.map(([name, group]) => [name, group.toJSON()]));
    const exact = (grouping: Grouping<number>) => groups(grouping.byKey());
    return {
      labels: this.labels,
      sentences: scores.sentences.gold,
      words: scores.words.gold,
      sameWords: this.sameWords,
      tags: this.tags,
      scores: summaries(scores, SCORE_NAMES),
      withoutPunctuation: summaries(
        scores.withoutPunctuation,
        Object.keys(scores.withoutPunctuation) as (keyof Scores["withoutPunctuation"])[],
      ),
      calibration: this.calibration.words > 0 ? this.calibration.toJSON() : null,
      ...Object.fromEntries(this.also.map((scores) => [scores.name, scores.toJSON()])),
      breakdowns:
        options.breakdowns === false
          ? null
          : {
              punctuation: options.punctuation ?? true,
              label: groups(breakdowns.label.byCount()),
              length: groups(inBins(breakdowns.length, LENGTH_BINS)),
              exactLength: exact(breakdowns.length),
              rootDistance: groups(inBins(breakdowns.rootDistance, ROOT_DISTANCE_BINS)),
              exactRootDistance: exact(breakdowns.rootDistance),
              sentenceLength: groups(inBins(breakdowns.sentenceLength, SENTENCE_LENGTH_BINS)),
              projectivity: groups(breakdowns.projectivity.byCount()),
              upos: groups(breakdowns.upos.byCount()),
              confusions: this.confusions.byCount(),
            },
    };
  }
}

/**
 * Evaluates treebanks held in memory.
 *
 * @param gold the gold trees
 * @param system the predicted ones; words may differ
 * @param options punctuation, labels and breakdowns
 * @example
 * ```ts
 * import { evaluate } from "@stemma/core/evaluation";
 * import { readTreebank } from "@stemma/core/treebank";
 *
 * const conllu = "1\tShe\t_\tPRON\t_\t_\t2\tnsubj\t_\t_\n2\treads\t_\tVERB\t_\t_\t0\troot\t_\t_\n\n";
 * const { scores } = evaluate(readTreebank(conllu), readTreebank(conllu));
 * console.log(scores.las.f1);
 * ```
 */
export function evaluate(
  gold: Iterable<Sentence>,
  system: Iterable<Sentence>,
  options: EvaluationOptions = {},
): Evaluation {
  check("gold", gold, SENTENCES);
  check("system", system, SENTENCES);
  const evaluation = new Evaluation(options);
  const rest = system[Symbol.iterator]();
  for (const sentence of gold) {
    evaluation.addGold(sentence);
    while (evaluation.needsSystem) {
      const next = rest.next();
      if (next.done) evaluation.end();
      else evaluation.addSystem(next.value);
    }
  }
  const next = rest.next();
  if (!next.done) evaluation.addSystem(next.value);
  evaluation.end();
  return evaluation;
}
