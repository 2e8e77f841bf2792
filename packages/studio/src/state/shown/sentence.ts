import { type DrawablePredicate, Sentence, type SentenceJSON } from "@stemma/core";
import { isTree, REMOVALS, removedWords } from "@stemma/core/treebank";
import type { ParsedSentence, Tree } from "../../protocol/sentence.js";

const NO_PREDICATES: readonly DrawablePredicate[] = [];

/**
 * A sentence that is shown, with the trees that are known for it. Lists by word begin at index 1. Whole sentences of
 * the core are built when they are wanted: a long text has hundreds of them.
 */
export class ShownSentence {
  readonly forms: readonly string[];
  /** The tree that it came with. */
  readonly gold: Tree | undefined;
  /** The arcs that it came with if they are no tree: words lack a head, or the heads form a cycle. */
  readonly draft: Tree | undefined;
  readonly predicted: Tree | undefined;
  /** The model's probability of each arc with its label. */
  readonly confidence: readonly number[] | undefined;
  /** As what the model removes each word, a number of `REMOVALS`; undefined if it removes none. */
  readonly removed: readonly number[] | undefined;
  readonly unseenScript: string | undefined;
  /** With the model's tags where none were given. */
  readonly json: SentenceJSON;
  private readonly givenJSON: SentenceJSON;
  private givenSentence: Sentence | undefined;
  private taggedSentence: Sentence | undefined;

  constructor({ given, predicted, unseenScript }: ParsedSentence) {
    this.json = predicted ?? given!;
    this.givenJSON = given ?? predicted!;
    this.unseenScript = unseenScript;
    this.forms = ["", ...this.json.words.map(({ form }) => form)];
    const own = given && treeOf(given);
    if (own && this.forms.length > 1 && isTree(own.heads)) this.gold = own;
    else if (own?.heads.some((head) => head >= 0)) this.draft = own;
    this.predicted = predicted && treeOf(predicted);
    if (predicted?.words[0]?.score !== undefined) {
      this.confidence = [0, ...predicted.words.map(({ score }) => score!)];
    }
    this.removed = predicted && removedMarks(predicted);
  }

  get id(): string | undefined {
    return this.givenJSON.id;
  }

  get text(): string {
    return this.json.text ?? this.given.text;
  }

  /** As it came, before a model filled anything in; running text as the model has it. */
  get given(): Sentence {
    this.givenSentence ??= sentenceOf(this.givenJSON);
    return this.givenSentence;
  }

  /** With the model's tags where none were given. */
  get tagged(): Sentence {
    this.taggedSentence ??= sentenceOf(this.json);
    return this.taggedSentence;
  }

  get multiWordTokens(): readonly { from: number; to: number; form: string }[] {
    return this.json.multiWordTokens ?? [];
  }

  /** UPOS, or XPOS where there is none; "" without either. */
  tag(word: number): string {
    const { upos, xpos } = this.json.words[word - 1]!;
    const tag = upos === "_" ? xpos : upos;
    return tag === "_" ? "" : tag;
  }

  /** The columns of a word that were empty and that the model filled in. */
  filledIn(word: number): Set<"lemma" | "upos" | "xpos" | "feats"> {
    const columns = ["lemma", "upos", "xpos", "feats"] as const;
    return new Set(columns.filter((name) => this.given[name](word) === "_" && this.tagged[name](word) !== "_"));
  }

  /** Of the model: undefined if it looks for none. */
  get predictedPredicates(): readonly DrawablePredicate[] | undefined {
    return this.predicted && this.json.predicates;
  }

  /** The predicates to draw below a tree: those of the sentence, or below the model's tree those of the model. */
  predicates(ofModel: boolean): readonly DrawablePredicate[] {
    return (ofModel ? this.predictedPredicates : this.givenJSON.predicates) ?? NO_PREDICATES;
  }

  /**
   * As what each word of a given tree is removed, a number of `REMOVALS`; undefined if all stay. `Removed=` in MISC
   * says it; where nothing does, the labels do, if there is a filler or a reparandum: `discourse` alone is also in
   * texts that nobody stumbles over.
   */
  removedIn({ heads, labels }: Tree): readonly number[] | undefined {
    const marked = removedMarks(this.givenJSON);
    if (marked) return marked;
    if (labels.every((label) => label !== "discourse:filler" && !/^reparandum(:|$)/.test(label))) return undefined;
    const removed = removedWords(heads, labels);
    return removed && Array.from(removed);
  }
}

function sentenceOf(json: SentenceJSON): Sentence {
  return Sentence.from(json, { allowNonTrees: true });
}

function treeOf({ words }: SentenceJSON): Tree {
  return {
    heads: [-1, ...words.map(({ head }) => head ?? -1)],
    labels: ["", ...words.map(({ deprel }) => deprel)],
  };
}

/** As what `Removed=` in MISC says that each word is removed; undefined if it says nothing. */
function removedMarks({ words }: SentenceJSON): number[] | undefined {
  const kinds = words.map(({ misc }) => {
    const kind = typeof misc === "string" ? /(?:^|\|)Removed=(\w+)/.exec(misc)?.[1] : misc?.Removed;
    return Math.max(0, (REMOVALS as readonly (string | undefined)[]).indexOf(kind));
  });
  return kinds.some((kind) => kind > 0) ? [0, ...kinds] : undefined;
}
