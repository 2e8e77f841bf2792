import type { WordAttribute } from "../features/columns.js";
import type { KnownWords } from "../pipeline/given-word.js";
import type { Lemmatizer } from "../pipeline/lemmatizer/lemmatizer.js";
import { TaggedWords } from "../pipeline/tagged-words.js";
import type { TaggerHeader } from "../pipeline/tagger/tagger-header.js";
import type { CandidateTagger } from "./candidate-tagger.js";
import type { JointWords } from "./joint-words.js";
import type { TagChoices } from "./tag-choices.js";

/** The words of a pipeline whose parser chooses tags. */
export class OpenWords extends TaggedWords implements JointWords {
  override readonly needsTree = true;
  declare protected readonly tagger: CandidateTagger;
  private known: KnownWords | undefined;

  /** `seesLemmas`: whether the parser sees the lemmas of analyses that it has chosen. */
  constructor(
    tagger: CandidateTagger,
    lemmatizer: Lemmatizer | undefined,
    private readonly seesLemmas: boolean,
  ) {
    super(tagger, lemmatizer);
  }

  get choices(): TagChoices {
    return this.tagger.choices;
  }

  override tag(forms: string[], known?: KnownWords): void {
    super.tag(forms, known);
    this.known = known;
  }

  /** Words have the analyses that the parser chose, and the lemmas follow these. */
  override settle(): void {
    for (let i = 1; i <= this.length; i++) {
      if (!this.isOpen(i)) continue;
      this.uposTags[i] = this.upos(i);
      this.xposTags[i] = this.xpos(i);
      this.featsTexts[i] = this.feats(i);
      if (this.lemmatizer && !this.hasOwnLemma(i)) this.lemmas[i] = this.predictedLemma(i);
    }
  }

  override lemma(i: number): string {
    if (!this.seesLemmas || !this.lemmatizer || !this.isOpen(i) || this.hasOwnLemma(i)) return this.lemmas[i]!;
    return this.lemmatizer.lemma(this.forms[i]!, this.upos(i), this.xpos(i), this.feats(i));
  }
  override upos(i: number): string {
    return this.isOpen(i) ? this.tagger.model.header.upos[this.chosen(i)[1]]! : this.uposTags[i]!;
  }
  override xpos(i: number): string {
    return this.isOpen(i) ? this.tagger.model.header.xpos[this.chosen(i)[2]]! : this.xposTags[i]!;
  }
  override feats(i: number): string {
    return this.isOpen(i) ? this.tagger.model.header.feats[this.chosen(i)[3]]! : this.featsTexts[i]!;
  }
  value(attribute: WordAttribute, i: number): number | undefined {
    return attribute === "rivals" ? this.choices.rivals(i) : undefined;
  }

  private hasOwnLemma(i: number): boolean {
    return this.known?.[i - 1]?.lemma !== undefined;
  }

  /** Whether the word has several tags to choose from; known tags need not be among those of the tagger. */
  private isOpen(i: number): boolean {
    const { from } = this.choices;
    return from[i + 1]! > from[i]! + 1;
  }

  private chosen(i: number): TaggerHeader["analyses"][number] {
    return this.tagger.model.header.analyses[this.choices.analysis(i)]!;
  }
}
