import type { TwoReadings } from "../../../protocol/derivation.js";
import { LIKED_THE_TRUTH } from "../../../state/address/lesson-plans.js";
import { treeOf } from "../../../state/lessons/tree-of.js";
import { BeamCard } from "../../step/BeamCard.js";
import { Go, Source, T } from "./Lesson.js";
import type { LessonText } from "./lesson-text.js";

const READINGS: TwoReadings = {
  system: { name: "arc-eager", root: "first", singleRoot: true, settings: {} },
  rival: treeOf(LIKED_THE_TRUTH),
  until: 1,
};

export const beam: LessonText = {
  summary: "Several derivations at a time, and where the right one is given up.",
  Below: ({ sentence }) => <BeamCard sentence={sentence} open readings={READINGS} />,
  Text: () => (
    <>
      <p>
        A greedy parser follows the best transition of each step. <b>Beam search</b> keeps the best k derivations
        instead: at each step all of them are continued in all permitted ways, and of the results the best k live on.
        What counts is the score of the whole derivation so far, of a network the sum of the logarithms of its
        probabilities. So a derivation can recover from a step that looked poor.
      </p>
      <p>
        “She told the man she liked the truth” is hard: until the end it looks as if she liked the truth. The picture
        below the derivation shows the search with scores that are made for this lesson: they prefer the wrong reading
        as long as words are to come, and find nothing more that fits it at the full stop. Each column is a step, the
        best derivation on top. Green ones can still end in the gold tree, red ones were given up.
      </p>
      <p>
        Choose a <b>width</b> of 1: that is greedy search. After <Go to={11}>step 11</Go> “truth” is at the front of the
        buffer, and <T>RIGHT-ARC</T>, which attaches it to “liked”, looks better than <T>REDUCE</T>. The gold derivation{" "}
        <b>falls out of the beam</b> in step 12. With a width of 2 it is second there, and in the next step already the
        best: the other one has nowhere to go.
      </p>
      <p>
        What greedy search did is a <b>search error</b>: the gold derivation would have had the highest score. If it
        stays in the beam and another one wins, that is a <b>model error</b>, and no width of the beam will help. The
        line above the picture says what happened; in <i>Step through</i> you can look at the beam of a real model.
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
