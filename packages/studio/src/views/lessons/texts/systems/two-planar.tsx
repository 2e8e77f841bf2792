import { Go, Source, T } from "../Lesson.js";
import type { LessonText } from "../lesson-text.js";

export const twoPlanar: LessonText = {
  summary: "Arcs that cross are drawn in two planes: two stacks, and a transition that changes between them.",
  Text: () => (
    <>
      <p>
        Drawn above the words, the arcs of a tree may cross. But often they can be divided into two groups,{" "}
        <b>planes</b>, such that no two arcs of the same group cross: one above the words, one below them. Such a tree
        is <b>2-planar</b>. In treebanks of nine languages, at least 98 trees in 100 are.
      </p>
      <p>
        The parser has a stack for each plane. <T>SHIFT</T> moves the front of the buffer to <b>both</b>. Arcs are built
        between the top of the <b>active</b> stack and the front of the buffer, as in arc-eager, but no word leaves with
        its arc: <T>REDUCE</T> takes the top off the active stack alone. <T>SWITCH</T> makes the other stack the active
        one.
      </p>
      <p>
        To attach “came” to ROOT, the parser has to remove “storm” from the active stack: <Go to={4}>after step 4</Go>.
        In the other plane, “storm” stays. When “flooded” looks for its head, the oracle <Go to={12}>switches</Go>,
        removes what lies above “storm” in this plane, and <Go to={16}>builds the arc</Go> that crosses that of “came”.
        For “cellars” it <Go to={19}>switches back</Go>, although it need not: a word is on both stacks, and spurious
        ambiguity is great.
      </p>
      <p>
        The number of transitions stays linear: each word is shifted once, leaves each stack at most once and gets one
        head, and two switches in a row are not permitted. But which plane an arc belongs to has to be decided early:
        the cost of a transition has to count arcs that are still within reach one by one, but no longer fit into two
        planes together.
      </p>
      <Source>
        Gómez-Rodríguez &amp; Nivre 2010, “A Transition-Based Parser for 2-Planar Dependency Structures”; 2013 in
        Computational Linguistics; Fernández-González &amp; Gómez-Rodríguez 2018 for a dynamic oracle.
      </Source>
    </>
  ),
  question: {
    question: <p>Why does “storm” still have to be on a stack when “flooded” is at the front of the buffer?</p>,
    answers: [
      "Because arcs are built between the top of a stack and the front of the buffer only.",
      "Because it has no head yet.",
      "Because every word stays on both stacks to the end.",
    ],
    right: 0,
    because:
      "“storm” got its head in step 4. It was removed from one stack, and the arc to “flooded” is built from the other.",
    hint: "Look at the step in which “storm” gets its head, and at what the arc to “flooded” starts from.",
  },
};
