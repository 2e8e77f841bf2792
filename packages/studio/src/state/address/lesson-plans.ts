// The beginning of each lesson. The texts are in views/lessons/texts; what they say about these derivations is checked
// by test/lessons.test.ts.

import type { Branch, Policy, SystemWish } from "../../protocol/derivation.js";
import { conllu } from "./examples.js";
import { readTaken } from "./taken.js";

export interface LessonPlan {
  id: LessonId;
  title: string;
  /** One sentence, with its gold tree. */
  conllu: string;
  system: SystemWish;
  policy: Policy;
  branches: Branch[];
  step: number;
}

export const LESSON_IDS = [
  "trees",
  "shift-reduce",
  "arc-eager",
  "spurious-ambiguity",
  "projectivity",
  "swap",
  "attardi",
  "covington",
  "two-planar",
  "lr-spines",
  "oracles",
  "dynamic-oracles",
  "error-propagation",
  "beam",
] as const;
export type LessonId = (typeof LESSON_IDS)[number];

const GULLS = conllu(
  "Two two NUM 2 nummod",
  "gulls gull NOUN 3 nsubj",
  "stole steal VERB 0 root",
  "the the DET 5 det",
  "baker baker NOUN 7 nmod:poss",
  "'s 's PART 5 case",
  "bread bread NOUN 3 obj",
  ". . PUNCT 3 punct",
);

const BELL = conllu(
  "The the DET 2 det",
  "ferryman ferryman NOUN 3 nsubj",
  "rings ring VERB 0 root",
  "a a DET 5 det",
  "bell bell NOUN 3 obj",
  ". . PUNCT 3 punct",
);

const KEY = conllu(
  "She she PRON 2 nsubj",
  "found find VERB 0 root",
  "the the DET 4 det",
  "key key NOUN 2 obj",
  "to to ADP 7 case",
  "the the DET 7 det",
  "door door NOUN 4 nmod",
  "of of ADP 10 case",
  "the the DET 10 det",
  "cellar cellar NOUN 7 nmod",
  ". . PUNCT 2 punct",
);

const FOXES = conllu(
  "Foxes fox NOUN 2 nsubj",
  "hunt hunt VERB 0 root",
  "mice mouse NOUN 2 obj",
  "here here ADV 2 advmod",
);

const STORM = conllu(
  "A a DET 2 det",
  "storm storm NOUN 3 nsubj",
  "came come VERB 0 root",
  "yesterday yesterday NOUN 3 obl:unmarked",
  "that that PRON 6 nsubj",
  "flooded flood VERB 2 acl:relcl",
  "the the DET 8 det",
  "cellars cellar NOUN 6 obj",
  ". . PUNCT 3 punct",
);

const LETTER = conllu(
  "He he PRON 2 nsubj",
  "sent send VERB 0 root",
  "the the DET 4 det",
  "mayor mayor NOUN 2 iobj",
  "a a DET 6 det",
  "letter letter NOUN 2 obj",
  ". . PUNCT 2 punct",
);

const BRIDGE = conllu(
  "They they PRON 2 nsubj",
  "watched watch VERB 0 root",
  "boats boat NOUN 2 obj",
  "from from ADP 6 case",
  "the the DET 6 det",
  "bridge bridge NOUN 2 obl",
  "near near ADP 9 case",
  "the the DET 9 det",
  "mill mill NOUN 6 nmod",
  ". . PUNCT 2 punct",
);

/** As the oracle does it until “mill” comes; then the mistake: “bridge” leaves the stack without it. */
const WITHOUT_THE_MILL: Branch = {
  prefix: readTaken(
    "SHIFT~LEFT-ARC.nsubj~RIGHT-ARC.root~RIGHT-ARC.obj~REDUCE~SHIFT~SHIFT~LEFT-ARC.det~LEFT-ARC.case~RIGHT-ARC.obl" +
      "~SHIFT~SHIFT~LEFT-ARC.det~LEFT-ARC.case~REDUCE",
  ),
  after: "dynamic",
};

/** “watched” is shifted, although “They” waits for it. */
const TOO_EARLY: Branch = { prefix: readTaken("SHIFT~SHIFT"), after: "dynamic" };

const TRUTH = conllu(
  "She she PRON 2 nsubj",
  "told tell VERB 0 root",
  "the the DET 4 det",
  "man man NOUN 2 iobj",
  "she she PRON 6 nsubj",
  "liked like VERB 4 acl:relcl",
  "the the DET 8 det",
  "truth truth NOUN 2 obj",
  ". . PUNCT 2 punct",
);

/** The wrong reading: she liked the truth. */
export const LIKED_THE_TRUTH = conllu(
  "She she PRON 2 nsubj",
  "told tell VERB 0 root",
  "the the DET 4 det",
  "man man NOUN 2 iobj",
  "she she PRON 6 nsubj",
  "liked like VERB 4 acl:relcl",
  "the the DET 8 det",
  "truth truth NOUN 6 obj",
  ". . PUNCT 2 punct",
);

/** A lesson in a system with the root first, from the first configuration on, unless `other` says otherwise. */
function lesson(
  id: LessonId,
  title: string,
  conllu: string,
  name: string,
  policy: Policy,
  other: Partial<LessonPlan> = {},
): LessonPlan {
  return { id, title, conllu, system: { name, root: "first" }, policy, branches: [], step: 0, ...other };
}

export const LESSONS: readonly LessonPlan[] = [
  // It begins at the end, with the tree.
  lesson("trees", "Heads, dependents and trees", GULLS, "arc-standard", "static", { step: 16 }),
  lesson("shift-reduce", "Shift and reduce", BELL, "arc-standard", "static"),
  lesson("arc-eager", "Arc-eager against arc-standard", KEY, "arc-eager", "static"),
  lesson("spurious-ambiguity", "Spurious ambiguity", FOXES, "arc-standard", "static", { step: 3 }),
  lesson("projectivity", "Projectivity", STORM, "arc-eager", "dynamic"),
  lesson("swap", "Swapping words", STORM, "swap", "static"),
  lesson("attardi", "Attardi: reaching deeper", STORM, "attardi", "static", {
    system: { name: "attardi", root: "first", settings: { degree: 2 } },
  }),
  lesson("covington", "Covington: every pair of words", STORM, "covington", "static"),
  lesson("two-planar", "2-planar: two stacks", STORM, "two-planar", "static"),
  lesson("lr-spines", "LR-spines: attaching later", KEY, "lr-spines", "static"),
  lesson("oracles", "Oracles and cost", LETTER, "arc-eager", "dynamic"),
  lesson("dynamic-oracles", "Dynamic oracles: arc by arc", LETTER, "arc-eager", "dynamic", { step: 4 }),
  lesson("error-propagation", "Error propagation and exploration", BRIDGE, "arc-eager", "static", {
    branches: [WITHOUT_THE_MILL, TOO_EARLY],
    step: 14,
  }),
  lesson("beam", "Beam search", TRUTH, "arc-eager", "static"),
];

export function lessonOf(id: LessonId): LessonPlan {
  return LESSONS.find((lesson) => lesson.id === id)!;
}
