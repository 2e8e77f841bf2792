import type { Words } from "../features/columns.js";
import type { KnownWords } from "../pipeline/given-word.js";
import { TaggedWords } from "../pipeline/tagged-words.js";

/**
 * The words of a sentence as each member of a combination tags them. To everybody else they are those of the first
 * member.
 */
export class CombinedWords extends TaggedWords {
  override readonly needsTree: boolean;
  /** Whether they were tagged and not parsed since. */
  private isNew = false;

  /** `members`: for each its words; a member without a tagger has the words of the first. */
  constructor(readonly members: readonly TaggedWords[]) {
    super(undefined, undefined);
    this.needsTree = members[0]!.needsTree;
  }

  override tag(forms: string[], known?: KnownWords): void {
    for (const words of new Set(this.members)) words.tag(forms, known);
    this.isNew = true;
    this.adopt();
  }

  override settle(): void {
    this.members[0]!.settle();
    this.adopt();
  }

  override renew(): void {
    this.members[0]!.renew();
    this.adopt();
  }

  /**
   * The words for each member: its own, if they were just tagged for this sentence. In a treebank whose words have
   * tags nothing is tagged, and all members get the words as they are.
   */
  forMembers(words: Words): readonly Words[] {
    const own = words === this || (this.isNew && this.equals(words));
    if (words !== this) this.isNew = false;
    if (!own) return this.members.map(() => words);
    const [first, ...others] = this.members;
    const given = words === this ? first! : words;
    return [given, ...others.map((member) => (member === first ? given : member))];
  }

  private equals(words: Words): boolean {
    if (words.length !== this.length) return false;
    for (let i = 1; i <= this.length; i++) {
      for (const column of ["form", "upos", "xpos", "feats"] as const)
        if (words[column](i) !== this[column](i)) return false;
    }
    return true;
  }

  private adopt(): void {
    const { length, forms, lemmas, uposTags, xposTags, featsTexts } = this.members[0]!;
    Object.assign(this, { length, forms, lemmas, uposTags, xposTags, featsTexts });
  }
}
