import type { GivenTags } from "../pipeline/tagger/agreeing-analyses.js";
import type { TagGuesses } from "../pipeline/tagger/tag-guesser.js";
import { Tagger } from "../pipeline/tagger/tagger.js";
import type { TaggerModel } from "../pipeline/tagger/tagger-model.js";
import type { CandidateFinder } from "./candidate-finder.js";
import { TagChoices } from "./tag-choices.js";

/** A tagger that leaves open what comes near the best. */
export class CandidateTagger extends Tagger {
  /** The candidates for the words of the last sentence; may be replaced before the next one. */
  choices = new TagChoices();

  constructor(
    model: TaggerModel,
    private readonly finder: CandidateFinder,
    guesses?: TagGuesses,
  ) {
    super(model, false, guesses);
  }

  override tag(forms: readonly string[], given?: readonly (GivenTags | undefined)[]): void {
    this.choices.begin(forms.length);
    super.tag(forms, given);
  }

  protected override note(scores: Int32Array, analysis: number, isGiven: boolean): void {
    this.finder.add(scores, analysis, this.choices, isGiven);
  }
}
