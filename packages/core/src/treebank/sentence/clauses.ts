// Who does what to whom: predicates with their arguments, those included that a tree of Universal Dependencies has only
// once though they belong to several predicates, or at another word. The rules are those by which enhanced dependencies
// are made (Schuster and Manning 2016): conjuncts share what is before or after all of them, the noun that a relative
// clause belongs to fills its gap, and the subject of an open complement is an argument of the verb above.
import type { Sentence } from "./sentence.js";
import { Span } from "./span.js";
import type { Word } from "./word.js";

const SUBJECTS = new Set(["nsubj", "csubj"]);
/** Relations that make a word the predicate of a clause, whatever it is. */
const CLAUSAL = new Set("root csubj ccomp xcomp advcl acl parataxis".split(" "));
const VERBAL = new Set(["VERB", "AUX"]);
/** Relations that show that a word that is no verb is a predicate. */
const OF_PREDICATE = new Set(["cop", "nsubj", "csubj", "aux"]);
/** Parts of the predicate besides the word itself: was told, did not go, is a friend, gave up. */
const OF_VERB = new Set(["aux", "cop"]);

/** A predicate, a verb or what a copula belongs to, with its arguments. `Sentence.clauses` finds them. */
export class Clause {
  /** @internal */
  constructor(
    /** The word that the others belong to: a verb, or in "She is a friend" the noun. */
    readonly predicate: Word,
    /** The subject as grammar has it, which in the passive voice is what something is done to. */
    readonly subject: Word | undefined,
    /** The object, if it has one. */
    readonly object: Word | undefined,
    /** The indirect object, if it has one. */
    readonly indirectObject: Word | undefined,
    /** Phrases with prepositions and adverbial nouns, in the order of the sentence; the agent of a passive is one. */
    readonly obliques: readonly Word[],
  ) {}

  /** The sentence that it is of. */
  get sentence(): Sentence {
    return this.predicate.sentence;
  }

  /** The predicate with its auxiliaries, copula, particle and negation, in the order of the sentence. */
  get verb(): readonly Word[] {
    const parts = this.predicate.children.filter(
      (word) => OF_VERB.has(word.relation) || word.deprel === "compound:prt" || isNegation(word),
    );
    return [this.predicate, ...parts].sort((a, b) => a.index - b.index);
  }

  /** Whether it is denied: "not", "n't", "never". */
  get isNegated(): boolean {
    return this.predicate.children.some(isNegation);
  }

  /** Whether it is in the passive voice. */
  get isPassive(): boolean {
    return this.predicate.children.some(({ deprel }) => /^(nsubj|csubj|aux):pass\b/.test(deprel));
  }

  /** The agent of a passive: "by the editor". */
  get agent(): Word | undefined {
    return this.obliques.find(({ deprel }) => deprel === "obl:agent");
  }

  /** The word for the one who does it: the subject, or the agent of a passive. */
  get logicalSubject(): Word | undefined {
    return this.isPassive ? this.agent : this.subject;
  }

  /** The word for that to which it is done: the object, or the subject of a passive. */
  get logicalObject(): Word | undefined {
    return this.isPassive ? (this.object ?? this.subject) : this.object;
  }

  /** The words of the clause as text: from the first to the last that depends on the predicate. */
  get span(): Span {
    const { predicate } = this;
    // A conjunct is a clause of its own, and so is what follows it.
    const inside = predicate.subtree.filter(
      (word) => !word.path.some((one) => one.head === predicate && isConjunct(one)),
    );
    return new Span(this.sentence, inside[0]!.index, inside[inside.length - 1]!.index);
  }
}

/** The clauses of a sentence in the order of their predicates. */
export function clausesOf(sentence: Sentence): Clause[] {
  return new ClauseFinder(sentence).find();
}

/** The arguments of predicates, each found once. */
class ClauseFinder {
  private readonly subjects = new Map<Word, Word | undefined>();
  private readonly objects = new Map<Word, Word | undefined>();

  constructor(private readonly sentence: Sentence) {}

  find(): Clause[] {
    return this.sentence.words.filter(isPredicate).map((predicate) => {
      const obliques = predicate.children.filter(
        (word) => word.relation === "obl" || isRelativeAdverb(predicate, word),
      );
      return new Clause(
        predicate,
        this.subjectOf(predicate),
        this.objectOf(predicate),
        filled(
          predicate,
          childWith(predicate, ({ relation }) => relation === "iobj"),
        ),
        obliques.map((word) => (isStranded(word) && relativeHead(predicate)) || filled(predicate, word)!),
      );
    });
  }

  private subjectOf(predicate: Word): Word | undefined {
    if (!this.subjects.has(predicate)) {
      // A cycle, which is no tree, would have none.
      this.subjects.set(predicate, undefined);
      this.subjects.set(predicate, filled(predicate, ownSubject(predicate)) ?? this.sharedSubject(predicate));
    }
    return this.subjects.get(predicate);
  }

  private sharedSubject(predicate: Word): Word | undefined {
    const { head } = predicate;
    if (!head) return undefined;
    if (isConjunct(predicate)) return isPredicate(head) ? this.subjectOf(head) : undefined;
    // "what happened": the word that the clause belongs to is its own relative pronoun.
    if (predicate.deprel === "acl:relcl") return predicate.children.some(isRelative) ? undefined : head;
    // Control: "She told him to leave", "She wants to leave", "She was told to leave", "a man named Jim".
    if (predicate.relation !== "xcomp") return undefined;
    const argument = this.objectOf(head) ?? indirectObjectOf(head) ?? this.subjectOf(head);
    return argument ?? (head.relation === "acl" ? head.head : undefined);
  }

  private objectOf(predicate: Word): Word | undefined {
    if (!this.objects.has(predicate)) {
      this.objects.set(predicate, undefined);
      this.objects.set(predicate, this.findObject(predicate));
    }
    return this.objects.get(predicate);
  }

  private findObject(predicate: Word): Word | undefined {
    const own = childWith(predicate, ({ relation }) => relation === "obj");
    if (own) return filled(predicate, own);
    const { head } = predicate;
    // "the email I sent": nothing else in the clause stands for the noun, and the verb has no object.
    if (head && predicate.deprel === "acl:relcl" && hasObjectGap(predicate)) return head;
    // "bought and read the book": the object is after all conjuncts.
    if (head && isConjunct(predicate) && isPredicate(head) && VERBAL.has(predicate.upos)) {
      const shared = childWith(head, ({ relation, index }) => relation === "obj" && index > predicate.index);
      if (shared) return filled(head, shared);
    }
    return undefined;
  }
}

/** Whether a word is the predicate of a clause. */
function isPredicate(word: Word): boolean {
  const { relation, deprel } = word;
  if (word.children.some((child) => OF_PREDICATE.has(child.relation))) return true;
  if (isConjunct(word)) {
    const { head } = word;
    return head !== undefined && isPredicate(head) && (VERBAL.has(word.upos) || !VERBAL.has(head.upos));
  }
  if (!CLAUSAL.has(relation)) return false;
  return VERBAL.has(word.upos) || (relation === "acl" && deprel === "acl:relcl") || relation === "xcomp";
}

function isConjunct({ relation }: Word): boolean {
  return relation === "conj";
}

/** "not", "n't", "never" and the like: adverbs and particles whose meaning is negative. */
function isNegation(word: Word): boolean {
  if (word.relation !== "advmod") return false;
  return word.feats.Polarity === "Neg" || ["not", "never", "n't"].includes(word.lemma.toLowerCase());
}

function childWith(word: Word, test: (child: Word) => boolean): Word | undefined {
  return word.children.find(test);
}

function ownSubject(predicate: Word): Word | undefined {
  // "The problem is that they left": of the two subjects of "left" the outer one belongs to "is".
  const isInner = ({ relation, deprel }: Word) => SUBJECTS.has(relation) && !deprel.endsWith(":outer");
  return childWith(predicate, isInner) ?? childWith(predicate, ({ relation }) => SUBJECTS.has(relation));
}

function indirectObjectOf(predicate: Word): Word | undefined {
  return childWith(predicate, ({ relation }) => relation === "iobj");
}

/** An argument; for the relative pronoun of a clause the noun that the clause belongs to. */
function filled(predicate: Word, argument: Word | undefined): Word | undefined {
  if (!argument) return undefined;
  const clause = predicate.path.find((word, k, path) => word.deprel === "acl:relcl" || !passesUp(word, path[k + 1]));
  return clause?.deprel === "acl:relcl" && isRelative(argument) && clause.head ? clause.head : argument;
}

/** Whether a relative pronoun may belong to a clause above: "who came and left", "what she wants to know". */
function passesUp(word: Word, head: Word | undefined): boolean {
  return head !== undefined && (word.relation === "conj" || word.relation === "xcomp" || word.relation === "ccomp");
}

/** The noun that a relative clause belongs to. */
function relativeHead(predicate: Word): Word | undefined {
  return predicate.deprel === "acl:relcl" ? predicate.head : undefined;
}

/** "where" and "when" of a relative clause stand for the noun, which is an oblique of the verb. */
function isRelativeAdverb(predicate: Word, word: Word): boolean {
  return predicate.deprel === "acl:relcl" && word.relation === "advmod" && word.feats.PronType === "Rel";
}

function isRelative(word: Word): boolean {
  return (
    word.feats.PronType === "Rel" || /^(WDT|WP)$/.test(word.xpos) || (word.upos === "PRON" && word.form === "that")
  );
}

/** Whether the noun that a relative clause belongs to is its object: it has a subject, and nothing fills the gap. */
function hasObjectGap(predicate: Word): boolean {
  if (predicate.upos !== "VERB" || !ownSubject(predicate)) return false;
  // "the day when it rained", "the house that she lives in"
  const isFilled = (word: Word) => /^(obj|ccomp|xcomp|nsubj:pass|cop)$/.test(word.deprel) || isStranded(word);
  const isBefore = (word: Word) => word.index < predicate.index && (isRelative(word) || /^W(RB|P\$)$/.test(word.xpos));
  return !predicate.children.some(isFilled) && !predicate.subtree.some(isBefore);
}

/** A preposition whose noun is elsewhere: "the house she lives in". */
function isStranded(word: Word): boolean {
  return word.upos === "ADP" && (word.relation === "obl" || word.relation === "advmod");
}
