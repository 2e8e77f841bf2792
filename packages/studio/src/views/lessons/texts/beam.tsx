import { BeamCard } from "../../step/BeamCard.js";
import { Source } from "./Lesson.js";
import type { LessonText } from "./lesson-text.js";

export const beam: LessonText = {
  summary: "Several derivations at a time, and where the right one is given up.",
  Below: ({ sentence }) => <BeamCard sentence={sentence} open />,
  Text: () => (
    <>
      <p>
        A greedy parser follows the best transition of each step. <b>Beam search</b> keeps the best k derivations
        instead: at each step all of them are continued in all permitted ways, and of the results the best k live on.
        What counts is the score of the whole derivation so far, of a network the sum of the logarithms of its
        probabilities. So a derivation can recover from a step that looked poor.
      </p>
      <p>
        The picture below the derivation shows the model of this page at work on the sentence. Each column is a step,
        the best derivation on top. Green ones can still end in the gold tree, red ones were given up. Choose another{" "}
        <b>width</b> and see what changes: with a width of 1 it is greedy search.
      </p>
      <p>
        “She told the man she liked the truth” is hard: until the end it looks as if she liked the truth. The gold
        derivation can <b>fall out of the beam</b> when k others have higher scores at that moment. If it would have won
        in the end, that is a <b>search error</b>. If it stays and another one wins, it is a <b>model error</b>, and no
        width of the beam will help. The line above the picture says what happened.
      </p>
      <p>
        A beam of width k takes about k times as long. It helps only if the scores of whole derivations can be compared:
        as logarithms of probabilities, or after structured learning, which updates the weights when the gold derivation
        falls out (<i>early update</i>).
      </p>
      <Source>
        Zhang &amp; Clark 2008, “A Tale of Two Parsers”; Zhang &amp; Nivre 2011; Collins &amp; Roark 2004 for early
        update.
      </Source>
    </>
  ),
  question: {
    question: <p>With a beam of 8 the gold derivation is kept to the end, but another one is best. What would help?</p>,
    answers: [
      "A beam of 64.",
      "A better model: the search found the gold derivation, but the model prefers another one.",
      "Greedy search, which would have taken the right one.",
    ],
    right: 1,
    because:
      "The best derivation in the beam already scores higher than the gold one. A wider beam may find others, but the gold one stays below the one that is best now.",
    hint: "The gold derivation was there. Who decided against it: the search, or the scores?",
  },
};
