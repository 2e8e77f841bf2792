import { check, FUNCTION, number, TRUE_OR_FALSE, wholeNumber } from "../../checks/options.js";
import { arrayOf, holding, OBJECT, STRINGS } from "../../checks/shapes.js";
import type { Scorer } from "../../scoring/linear/linear-model.js";
import { AgreeingAnalyses, type GivenTags } from "./agreeing-analyses.js";
import type { TagGuesses } from "./tag-guesser.js";
import { GUESSED, MIXED, type TagContext, TaggerFeatures, WINDOW } from "./tagger-features.js";
import type { TaggerModel } from "./tagger-model.js";

/** A tag that a word may have, with its score; what differs from the best score is what counts. */
export interface TagCandidate {
  tag: number;
  score: number;
}

const GIVEN = arrayOf("an array of tags, undefined for words without", {
  expected: "",
  accepts: (one) => one === undefined || OBJECT.accepts(one),
});

/**
 * Tags sentences one by one: UPOS, XPOS and FEATS, always a combination of the training data. Two passes: the first
 * looks at words only and gives a hint for each word; the second goes from left to right and knows the tags before a
 * word and the hints for those after it. Time is linear in the number of words.
 */
export class Tagger {
  private readonly features: TaggerFeatures;
  private readonly scorer: Scorer;
  private readonly context: TagContext = { tag1: -1, tag2: -1, analysis1: -1, next1: -1, next2: -1 };
  private hints = new Int32Array(64);
  private chosen = new Int32Array(64);
  /** Scores of all tags, word by word. */
  private kept = new Int32Array(64);
  private length = 0;
  private agreeing: AgreeingAnalyses | undefined;

  constructor(
    readonly model: TaggerModel,
    /** Whether the scores of all tags are kept for `candidates`. */
    private readonly keepScores = false,
    /** The guesses that the model has learned with, or others in their place. */
    private readonly guesses: TagGuesses | undefined = model?.guesser?.guesses(),
  ) {
    check("model", model, holding("the model of a tagger", "linear", "analyses"));
    check("keepScores", keepScores, TRUE_OR_FALSE);
    if (guesses !== undefined) check("guesses", guesses, FUNCTION);
    const { classOf, linear } = model;
    this.features = new TaggerFeatures(classOf);
    this.scorer = linear.scorer();
  }

  /**
   * Tag a sentence; ask for the results before the next one. What is `given` of the tags of a word (words from 0) is
   * kept as far as there is an analysis with it, and the other words are tagged in that context.
   */
  tag(forms: readonly string[], given?: readonly (GivenTags | undefined)[]): void {
    check("forms", forms, STRINGS);
    if (given !== undefined) check("given tags", given, GIVEN);
    const { features, scorer, context, keepScores } = this;
    const { analyses } = this.model;
    const { tags, tagOf } = analyses;
    const { scores } = scorer;
    const n = forms.length;
    this.length = n;
    if (this.chosen.length < n + 2) {
      this.hints = new Int32Array(2 * n + 2);
      this.chosen = new Int32Array(2 * n + 2);
    }
    if (keepScores && this.kept.length < n * tags) this.kept = new Int32Array(2 * n * tags);
    const { hints, chosen, kept } = this;
    if (given) this.agreeing ??= new AgreeingAnalyses(this.model);
    const agreeing = given && this.agreeing;
    features.bind(forms);
    const guesses = this.guesses?.(forms);
    const more = guesses ? GUESSED : 0;
    for (let i = 0; i < n; i++) {
      features.window(i, scorer.features);
      if (guesses) features.guessed(i, guesses, scorer.features, WINDOW);
      scorer.scoreFeatures(WINDOW + more);
      hints[i] = agreeing?.hint(given![i]) ?? analyses.bestHint(scores);
    }
    hints[n] = hints[n + 1] = -1;
    context.tag1 = context.tag2 = context.analysis1 = -1;
    for (let i = 0; i < n; i++) {
      context.next1 = hints[i + 1]!;
      context.next2 = hints[i + 2]!;
      features.window(i, scorer.features);
      features.mixed(i, context, scorer.features);
      if (guesses) features.guessed(i, guesses, scorer.features, WINDOW + MIXED);
      scorer.scoreFeatures(WINDOW + MIXED + more);
      const analysis = agreeing?.best(scores, given![i]) ?? analyses.bestAnalysis(scores, analyses.bestTag(scores));
      this.note(scores, analysis, given?.[i] !== undefined);
      if (keepScores) for (let t = 0; t < tags; t++) kept[i * tags + t] = scores[t]!;
      chosen[i] = analysis;
      context.tag2 = context.tag1;
      context.tag1 = tagOf[analysis]!;
      context.analysis1 = analysis;
    }
  }

  /** Is told of every word in turn: its scores, and the analysis that was chosen. */
  protected note(_scores: Int32Array, _analysis: number, _isGiven: boolean): void {}

  /** The number of the analysis of word i, from 0: words with the same number have the same UPOS, XPOS and FEATS. */
  analysis(i: number): number {
    if (!(typeof i === "number" && i >= 0 && i < this.length))
      throw new RangeError(`invalid word: ${i} (expected 0 to ${this.length - 1})`);
    return this.chosen[i]!;
  }

  upos(i: number): string {
    const { header } = this.model;
    return header.upos[header.analyses[this.analysis(i)]![1]]!;
  }

  xpos(i: number): string {
    const { header } = this.model;
    return header.xpos[header.analyses[this.analysis(i)]![2]]!;
  }

  feats(i: number): string {
    const { header } = this.model;
    return header.feats[header.analyses[this.analysis(i)]![3]]!;
  }

  /** The best tags of word i, best first: at most k, none worse than the best by more than `margin`. */
  candidates(i: number, k: number, margin: number): TagCandidate[] {
    const { tags } = this.model.analyses;
    if (!this.keepScores) throw new RangeError("invalid tagger for candidates (expected one that keeps scores)");
    this.analysis(i);
    check("number of tags", k, wholeNumber(0));
    check("margin", margin, number(0));
    const found: TagCandidate[] = [];
    for (let tag = 0; tag < tags; tag++) found.push({ tag, score: this.kept[i * tags + tag]! });
    found.sort((a, b) => b.score - a.score || a.tag - b.tag);
    const least = found[0]!.score - margin;
    return found.slice(0, k).filter(({ score }) => score >= least);
  }
}
