import { Go, Source, T } from "../Lesson.js";
import type { LessonText } from "../lesson-text.js";

export const covington: LessonText = {
  summary: "Two lists in the place of the stack: each word may be compared with all words before it.",
  Text: () => (
    <>
      <p>
        The simplest way to find all arcs is to look at every pair of words. Covington's algorithm does that. In the
        place of a stack there are two lists: <b>λ1</b> has the words before the one in question, <b>λ2</b> those that
        it has already been compared with. The front of the buffer is compared with the last word of λ1:
      </p>
      <ul>
        <li>
          <T>LEFT-ARC</T> and <T>RIGHT-ARC</T> build an arc between them, in one direction or the other;
        </li>
        <li>
          <T>NO-ARC</T> builds none. After each of the three, the word of λ1 goes to λ2, and the one before it is next;
        </li>
        <li>
          <T>SHIFT</T> ends the comparisons: all words come back to λ1, with the front of the buffer as the last.
        </li>
      </ul>
      <p>
        No word ever disappears, so no arc stands in the way of another. After <Go to={11}>step 11</Go> “flooded” looks
        for its head: <T>NO-ARC</T> passes “yesterday”, <T>NO-ARC</T> passes “came”, and after <Go to={13}>step 13</Go>{" "}
        <T>RIGHT-ARC</T> attaches it to “storm”, across “came” and its arcs. Every tree can be built in this way; arcs
        that would close a cycle or give a word a second head are not permitted.
      </p>
      <p>
        The price is time: a word may be compared with all words before it, so n words may take about n² / 2
        transitions. Here there are <Go to={26}>26</Go>, and <T>SHIFT</T> before the end of λ1 saves many.
      </p>
      <Source>
        Covington 2001, “A Fundamental Algorithm for Dependency Parsing”; Nivre 2008 as a transition system;
        Gómez-Rodríguez &amp; Fernández-González 2015 for its dynamic oracle.
      </Source>
    </>
  ),
  question: {
    question: (
      <p>
        After <Go to={4}>step 4</Go>, <T>SHIFT</T> would cost one arc. Which one?
      </p>
    ),
    answers: ["came → storm", "storm → A", "ROOT → came"],
    right: 2,
    because:
      "After SHIFT “came” is in λ1, and ROOT is never compared with it as the front of the buffer again. The other two arcs are already there.",
    hint: "Which word of λ1 has “came” not been compared with yet? Point at SHIFT to see the arc.",
  },
};
