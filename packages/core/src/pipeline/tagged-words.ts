import type { Words } from "../features/columns.js";
import type { TagChoices } from "../joint-tagging/tag-choices.js";
import type { Lemmatizer } from "./lemmatizer/lemmatizer.js";
import type { TaggerHeader } from "./tagger/tagger-header.js";
import type { TaggerModel } from "./tagger/tagger-model.js";

/** The words of the sentence that is being parsed. */
export class TaggedWords implements Words {
  length = 0;
  forms: string[] = [""];
  lemmas: string[] = [""];
  uposTags: string[] = [""];
  xposTags: string[] = [""];
  featsTexts: string[] = [""];
  /** Whether the lemma of a word was given, so that no analysis changes it. */
  readonly hasOwnLemma: boolean[] = [];

  constructor(
    private readonly tagger: TaggerModel | undefined,
    readonly choices: TagChoices | undefined,
    /** Gives the lemmas that the parser sees of analyses that it has chosen. */
    private readonly lemmatizer: Lemmatizer | undefined,
  ) {}

  /** Forget the sentence, whose lists may be in use, for one with these forms. */
  begin(forms: string[]): void {
    this.length = forms.length - 1;
    this.forms = forms;
    this.lemmas = [""];
    this.uposTags = [""];
    this.xposTags = [""];
    this.featsTexts = [""];
  }

  add(lemma: string, upos: string, xpos: string, feats: string): void {
    this.lemmas.push(lemma);
    this.uposTags.push(upos);
    this.xposTags.push(xpos);
    this.featsTexts.push(feats);
  }

  form(i: number): string {
    return this.forms[i]!;
  }
  lemma(i: number): string {
    const isChosen = this.lemmatizer !== undefined && this.isOpen(i) && !this.hasOwnLemma[i];
    return isChosen
      ? this.lemmatizer.lemma(this.forms[i]!, this.upos(i), this.xpos(i), this.feats(i))
      : this.lemmas[i]!;
  }
  upos(i: number): string {
    return this.isOpen(i) ? this.tagger!.header.upos[this.chosen(i)[1]]! : this.uposTags[i]!;
  }
  xpos(i: number): string {
    return this.isOpen(i) ? this.tagger!.header.xpos[this.chosen(i)[2]]! : this.xposTags[i]!;
  }
  feats(i: number): string {
    return this.isOpen(i) ? this.tagger!.header.feats[this.chosen(i)[3]]! : this.featsTexts[i]!;
  }
  /** Whether the word has several tags to choose from; known tags need not be among those of the tagger. */
  private isOpen(i: number): boolean {
    return this.choices !== undefined && this.choices.from[i + 1]! > this.choices.from[i]! + 1;
  }
  private chosen(i: number): TaggerHeader["analyses"][number] {
    return this.tagger!.header.analyses[this.choices!.analysis(i)]!;
  }
}
