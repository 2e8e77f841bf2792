import { Go, Source } from "./Lesson.js";
import type { LessonText } from "./lesson-text.js";

export const projectivity: LessonText = {
  summary: "Crossing arcs, and why most systems cannot build them.",
  Text: () => (
    <>
      <p>
        An arc is <b>projective</b> if its head dominates every word between head and dependent: all of them are below
        the head in the tree. A tree is projective if all its arcs are; drawn above the words and below ROOT, it then
        has no crossing arcs.
      </p>
      <p>
        In this sentence the relative clause “that flooded the cellars” belongs to “storm” but stands behind the verb.
        The arc from “storm” to “flooded” spans “came” and “yesterday”, which are not below “storm”. In the English
        treebank EWT one arc in 700 is of this kind, in the Basque treebank BDT one in 20.
      </p>
      <p>
        Arc-standard, arc-eager and arc-hybrid build exactly the projective trees. Before the first transition the{" "}
        <Go to={0}>loss is already 1</Go>: one gold arc is out of reach whatever the parser does. The dynamic oracle
        leads to a tree that is as near as possible; there, <Go to={10}>“flooded” hangs on “came”</Go>.
      </p>
      <p>What can be done about it:</p>
      <ul>
        <li>
          systems that build more: Attardi's transitions reach deeper into the stack, <b>swap</b> reorders the words,
          Covington compares all pairs, 2-planar has two stacks (the next lessons);
        </li>
        <li>
          <b>pseudo-projective</b> parsing: arcs are lifted until the tree is projective, labels remember from where,
          and afterwards the arcs are lowered again.
        </li>
      </ul>
      <Source>
        Nivre &amp; Nilsson 2005, “Pseudo-Projective Dependency Parsing”; Kuhlmann &amp; Nivre 2006 measure how
        non-projective treebanks are.
      </Source>
    </>
  ),
  question: {
    question: <p>Which of these variants has a projective tree?</p>,
    answers: [
      "Yesterday a storm came that flooded the cellars.",
      "Yesterday came a storm that flooded the cellars.",
      "A storm came that flooded the cellars yesterday.",
    ],
    right: 1,
    because:
      "Here nothing stands between “storm” and “flooded” but “that”, which depends on “flooded”. In the other two, “came” stands between them.",
    hint: "Look at what stands between “storm” and “flooded”.",
  },
};
