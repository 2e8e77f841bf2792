// Scores of semantic roles as in the CoNLL-2009 shared task (Hajič et al. 2009): the semantic dependencies are an arc
// from a virtual root to every predicate, labelled with its sense, and an arc from the predicate to each of its
// arguments for each of its roles. An arc of the system is right if its words are those of a gold arc, and labelled
// right if the label is the same; of a sense that is its number, since the lemma is given. Arguments of a word that is
// no predicate are wrong. What is counted is what the official program counts (eval09.pl 0.4).

import { check, checkOptions, TRUE_OR_FALSE } from "../checks/options.js";
import { arrayOf, checkHeads, holding } from "../checks/shapes.js";
import type { Alignment } from "../evaluation/alignment.js";
import { binsUpTo, Grouping, type GroupSummary, inBins } from "../evaluation/breakdowns.js";
import type { AdditionalScores } from "../evaluation/evaluation.js";
import type { JoinedWords } from "../evaluation/joined-words.js";
import { ATTACHED, CORRECT, ratio, Score, type ScoreSummary, WRONG_HEAD } from "../evaluation/scores.js";
import type { PredicateData } from "../treebank/sentence/semantics/predicate-data.js";

/** Distances between predicates and arguments, as evaluations group them. */
export const ROLE_DISTANCE_BINS = binsUpTo([1, 2, 3, 6, 10, 20]);

/** The plain form of the scores of semantic roles; shares lie between 0 and 1. */
export interface RoleSummary {
  /** "conll09": senses by their numbers, roles one by one; "strict": whole senses and joined roles. */
  definition: "conll09" | "strict";
  /** All semantic dependencies: senses and roles. */
  labelled: ScoreSummary;
  /** The same, whatever their senses and roles. */
  unlabelled: ScoreSummary;
  /** Predicates, whatever their sense. */
  predicates: ScoreSummary;
  /** Predicates with the right sense. */
  senses: ScoreSummary;
  /** Of the predicates that both have, the share with the right sense. */
  senseAccuracy: number;
  /** Arguments with the right role. */
  arguments: ScoreSummary;
  /** Arguments, whatever their role; with several roles once for each. */
  argumentsUnlabelled: ScoreSummary;
  /** Predicates with the right sense and all arguments right. */
  propositions: ScoreSummary;
  /** Arguments by their role. */
  role: Record<string, GroupSummary>;
  /** Arguments by the number of words from the predicate to the argument. */
  distance: Record<string, GroupSummary>;
}

/** The part of a sentence that is compared. */
export interface RoleSentence {
  /** Number of words. */
  readonly length: number;
  /** Its predicates with their arguments. */
  readonly predicates: readonly (PredicateData | { toJSON(): PredicateData })[];
}

/** Options of `RoleScores`. */
export interface RoleScoreOptions {
  /** Compare whole senses, with their lemmas, and roles joined by "|" as one. */
  strict?: boolean | undefined;
}

const ROLE_SENTENCES = arrayOf("an array of sentences", holding("a sentence", "predicates"));

/** Counts semantic dependencies that are right. */
export class RoleScores implements AdditionalScores {
  /** Its name. */
  readonly name = "roles";
  /** Whether senses and joined roles must be the same as a whole. */
  readonly strict: boolean;
  /** All semantic dependencies: senses and roles. */
  readonly labelled = new Score(-1);
  /** The same, whatever their senses and roles. */
  readonly unlabelled = new Score(-1);
  /** Predicates, whatever their sense. */
  readonly predicates = new Score(-1);
  /** Predicates with the right sense. */
  readonly senses = new Score(-1);
  /** Arguments with the right role. */
  readonly arguments = new Score(-1);
  /** Arguments, whatever their role; with several roles once for each. */
  readonly argumentsUnlabelled = new Score(-1);
  /** Predicates with the right sense and all arguments right. */
  readonly propositions = new Score(-1);
  /** Arguments by their role. */
  readonly role = new Grouping<string>();
  /** Arguments by the number of words from the predicate to the argument. */
  readonly distance = new Grouping<number>();

  /** @param options whether senses and joined roles must be the same as a whole */
  constructor(options: RoleScoreOptions = {}) {
    checkOptions("role scores", options, { strict: TRUE_OR_FALSE });
    this.strict = options.strict ?? false;
  }

  /** Of the predicates that both have, the share with the right sense. */
  get senseAccuracy(): number {
    return ratio(this.senses.correct, this.predicates.correct);
  }

  /**
   * Adds sentences that belong together. `goldOf` has the number of the gold word for each word of the system, -1 for
   * none, both counted through all sentences from 1; without it the words are the same.
   * @param goldSentences those of the gold standard
   * @param systemSentences those of the parser, with the same text
   * @param goldOf for each word of the system that of the gold standard, -1 for none
   */
  add(
    goldSentences: readonly RoleSentence[],
    systemSentences: readonly RoleSentence[],
    goldOf?: ArrayLike<number>,
  ): void {
    check("gold sentences", goldSentences, ROLE_SENTENCES);
    check("system sentences", systemSentences, ROLE_SENTENCES);
    if (goldOf !== undefined) checkHeads(goldOf, "gold words");
    const gold = joined(goldSentences, this.strict, (word) => word);
    // A word that the gold treebank does not have gets a number that none has.
    const system = joined(systemSentences, this.strict, (word) => {
      const aligned = goldOf ? goldOf[word]! : word;
      return aligned > 0 ? aligned : -word;
    });
    for (const found of system.values()) this.compare(gold.get(found.word), found, "system");
    for (const wanted of gold.values()) this.compare(system.get(wanted.word), wanted, "gold");
  }

  /** @internal */
  addWords(gold: JoinedWords, system: JoinedWords, { goldOf }: Alignment): void {
    this.add(gold.sentences, system.sentences, goldOf);
  }

  /** Counts what one side has; what is right is counted once, with what the system has. */
  private compare(other: Joined | undefined, own: Joined, side: "gold" | "system"): void {
    const right = side === "system" ? 1 : 0;
    const hit = (isRight: boolean, ...scores: readonly Score[]) => {
      for (const score of scores) {
        score[side]++;
        if (isRight) score.correct += right;
      }
    };
    const isSense = other?.sense === own.sense;
    hit(other !== undefined, this.unlabelled, this.predicates);
    hit(isSense, this.labelled, this.senses);
    let isWhole = isSense && other?.arcs === own.arcs;
    for (const [word, roles] of own.roles) {
      const rivals = other?.roles.get(word);
      const distance = Math.abs(own.places.get(word)! - own.place);
      const shared = Math.min(roles.length, rivals?.length ?? 0);
      for (const [i, role] of roles.entries()) {
        hit(i < shared, this.unlabelled, this.argumentsUnlabelled);
        const isRight = rivals?.includes(role) === true;
        hit(isRight, this.labelled, this.arguments);
        if (!isRight) isWhole = false;
        const verdict = isRight ? CORRECT : rivals === undefined ? WRONG_HEAD : ATTACHED;
        if (side === "gold") {
          this.role.addGold(role, verdict);
          this.distance.addGold(distance, verdict);
        } else {
          this.role.addSystem(role, verdict);
          this.distance.addSystem(distance, verdict);
        }
      }
    }
    hit(isWhole, this.propositions);
  }

  /** As plain data. */
  toJSON(): RoleSummary {
    const groups = (entries: readonly (readonly [string, { toJSON(): GroupSummary }])[]) =>
      Object.fromEntries(entries.map(([name, group]) => [name, group.toJSON()]));
    return {
      definition: this.strict ? "strict" : "conll09",
      labelled: this.labelled.toJSON(),
      unlabelled: this.unlabelled.toJSON(),
      predicates: this.predicates.toJSON(),
      senses: this.senses.toJSON(),
      senseAccuracy: this.senseAccuracy,
      arguments: this.arguments.toJSON(),
      argumentsUnlabelled: this.argumentsUnlabelled.toJSON(),
      propositions: this.propositions.toJSON(),
      role: groups(this.role.byCount()),
      distance: groups(inBins(this.distance, ROLE_DISTANCE_BINS)),
    };
  }
}

/** A predicate whose words are numbered through several sentences, in gold words. */
interface Joined {
  readonly word: number;
  readonly sense: string;
  /** The roles of each argument, and how many there are in all. */
  readonly roles: ReadonlyMap<number, readonly string[]>;
  readonly arcs: number;
  /** Where the predicate and its arguments are in their own sentence. */
  readonly place: number;
  readonly places: ReadonlyMap<number, number>;
}

/** The part of a sense that is compared: all after its only ".", if something follows; 01 is the same number as 1. */
function numberOfSense(sense: string): string {
  const [, number = sense] = /^[^.]+\.([^.]+)$/.exec(sense) ?? [];
  return /^\d+$/.test(number) ? number.replace(/^0+(?=\d)/, "") : number;
}

function joined(
  sentences: readonly RoleSentence[],
  strict: boolean,
  numberOf: (word: number) => number,
): Map<number, Joined> {
  const found = new Map<number, Joined>();
  let before = 0;
  for (const { predicates, length } of sentences) {
    for (const predicate of predicates) {
      const { word, sense, arguments: own } = "toJSON" in predicate ? predicate.toJSON() : predicate;
      const at = (i: number) => numberOf(before + i);
      const roles = new Map(own.map(({ word, role }) => [at(word), strict ? [role] : [...new Set(role.split("|"))]]));
      found.set(at(word), {
        word: at(word),
        sense: strict ? sense : numberOfSense(sense),
        roles,
        arcs: [...roles.values()].reduce((sum, list) => sum + list.length, 0),
        place: word,
        places: new Map(own.map((argument) => [at(argument.word), argument.word])),
      });
    }
    before += length;
  }
  return found;
}
