import { Go, Source, T, Use } from "../Lesson.js";
import type { LessonText } from "../lesson-text.js";

export const swap: LessonText = {
  summary: "A fourth transition that changes the order of the words makes every tree reachable.",
  Text: () => (
    <>
      <p>
        A tree that is not projective becomes so when its words are put into another order. The <b>swap</b> system is
        arc-standard with one more transition, <T>SWAP</T>: the second word of the stack goes back to the buffer. It is
        permitted only for two words in their original order, so that nothing is swapped back and forth.
      </p>
      <p>
        “storm” and “flooded” must meet on the stack, but “came” is between them. After <Go to={7}>step 7</Go> the
        oracle begins to move “came” out of the way: <Go to={8}>it is in the buffer again</Go>. After{" "}
        <Go to={20}>step 20</Go> the two have met, and <T>RIGHT-ARC</T> builds the arc that arc-standard cannot build.
      </p>
      <p>
        Swapping as early as possible moves “came” past each word of the relative clause: four swaps, 26 transitions.
        The <b>lazy</b> oracle waits until the clause is built and its words have left the stack. Look at the derivation
        when words are <Use wish={{ settings: { lazy: false } }}>swapped eagerly</Use> and{" "}
        <Use wish={{ settings: { lazy: true } }}>swapped lazily</Use>: there is one swap in 20 transitions.
      </p>
      <p>
        In the worst case the number of transitions grows with the square of the length. But most sentences of treebanks
        need no swap at all, so that on average it grows linearly.
      </p>
      <Source>
        Nivre 2009, “Non-Projective Dependency Parsing in Expected Linear Time”; Nivre, Kuhlmann &amp; Hall 2009 have
        the lazy oracle.
      </Source>
    </>
  ),
  question: {
    question: <p>When does the lazy oracle swap “came”?</p>,
    answers: [
      "As soon as “that” is on the stack.",
      "When “flooded” has all its dependents and stands for the whole clause.",
      "At the end, when the buffer is empty.",
    ],
    right: 1,
    because:
      "After step 13 of the lazy derivation only “flooded” is left of the relative clause, so that a single swap brings it next to “storm”.",
    hint: "Choose “swapped lazily” above and look for the only yellow bar below the slider.",
  },
};
