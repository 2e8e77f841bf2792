import type { Words } from "../features/columns.js";
import type { TreeParser } from "../parser/tree-parser.js";
import { givenTags, type KnownWords } from "./given-word.js";
import type { Lemmatizer } from "./lemmatizer/lemmatizer.js";
import type { Tagger } from "./tagger/tagger.js";
import type { TaggerModel } from "./tagger/tagger-model.js";

/** The model of a parser that has a say in the tags of words. */
export interface TaggingParserModel {
  /** Throws a RangeError if the parser does not go with the tagger. */
  checkTagger(tagger: TaggerModel): void;
  /** The words that one of its parsers parses. */
  createWords(tagger: TaggerModel, lemmatizer: Lemmatizer | undefined, parser: TreeParser): TaggedWords;
}

/** The words of the sentence that is being parsed, with their tags and lemmas. */
export class TaggedWords implements Words {
  length = 0;
  forms: string[] = [""];
  lemmas: string[] = [""];
  uposTags: string[] = [""];
  xposTags: string[] = [""];
  featsTexts: string[] = [""];
  /** Whether tags are settled by parsing only. */
  readonly needsTree: boolean = false;

  constructor(
    protected readonly tagger: Tagger | undefined,
    protected readonly lemmatizer: Lemmatizer | undefined,
  ) {}

  /**
   * Forget the sentence, whose lists may be in use, for one with these forms (from index 1), what is known of the
   * words, and the tags and lemmas that are predicted for the rest.
   */
  tag(forms: string[], known?: KnownWords): void {
    const { tagger } = this;
    tagger?.tag(forms.slice(1), known && givenTags(known));
    this.length = forms.length - 1;
    this.forms = forms;
    this.lemmas = [""];
    this.uposTags = [""];
    this.xposTags = [""];
    this.featsTexts = [""];
    for (let i = 1; i < forms.length; i++) {
      const given = known?.[i - 1];
      this.uposTags[i] = given?.upos ?? (tagger ? tagger.upos(i - 1) : "_");
      this.xposTags[i] = given?.xpos ?? (tagger ? tagger.xpos(i - 1) : "_");
      this.featsTexts[i] = given?.feats ?? (tagger ? tagger.feats(i - 1) : "_");
      this.lemmas[i] = given?.lemma ?? this.predictedLemma(i);
    }
  }

  /** Let the lists have what was chosen in parsing. */
  settle(): void {}

  /** Go on with lists of its own, so that those of now can be kept. */
  renew(): void {
    this.lemmas = [...this.lemmas];
    this.uposTags = [...this.uposTags];
    this.xposTags = [...this.xposTags];
    this.featsTexts = [...this.featsTexts];
  }

  /** The lemma that follows from form and tags. */
  protected predictedLemma(i: number): string {
    const { lemmatizer, forms, uposTags, xposTags, featsTexts } = this;
    return lemmatizer ? lemmatizer.lemma(forms[i]!, uposTags[i]!, xposTags[i]!, featsTexts[i]!) : "_";
  }

  form(i: number): string {
    return this.forms[i]!;
  }
  lemma(i: number): string {
    return this.lemmas[i]!;
  }
  upos(i: number): string {
    return this.uposTags[i]!;
  }
  xpos(i: number): string {
    return this.xposTags[i]!;
  }
  feats(i: number): string {
    return this.featsTexts[i]!;
  }
}
