import { GraphCard } from "../../step/GraphCard.js";
import { Go, Source, T, Use } from "./Lesson.js";
import type { LessonText } from "./lesson-text.js";

export const spuriousAmbiguity: LessonText = {
  summary: "One tree, several derivations: where they part, and what that means for training.",
  Below: ({ sentence }) => <GraphCard sentence={sentence} open />,
  Text: () => (
    <>
      <p>
        A derivation determines its tree, but a tree does not determine its derivation. In{" "}
        <Use wish={{ name: "arc-standard" }}>arc-standard</Use>, “hunt” has one dependent on its left and two on its
        right. The left one can be attached <Go to={2}>as soon as “hunt” is on the stack</Go>, or after “mice”, or after
        “here”: both <T>LEFT-ARC</T> and <T>SHIFT</T> cost nothing there.
      </p>
      <p>
        The graph below the derivation has every configuration from which the tree can still be reached. A path from
        left to right is a derivation; there are <b>three</b>. The one that is shown beside this text is thick; click
        another configuration to go there.
      </p>
      <p>
        This is called <b>spurious ambiguity</b>: the sentence has one analysis, and only the order of building it
        differs. In general arc-standard can interleave the l left and r right dependents of a word in (l + r)! / (l!
        r!) ways, and these numbers multiply over the words. This tree has one derivation only in{" "}
        <Use wish={{ name: "arc-hybrid" }}>arc-hybrid</Use> and in <Use wish={{ name: "arc-eager" }}>arc-eager</Use>,
        but other trees have several there, too.
      </p>
      <p>
        A static oracle chooses one derivation, and the parser learns that all others are wrong. A dynamic oracle
        accepts each transition that costs nothing.
      </p>
      <Source>
        Cohen, Gómez-Rodríguez &amp; Satta 2012, “Elimination of Spurious Ambiguity in Transition-Based Dependency
        Parsing”; Goldberg &amp; Nivre 2012.
      </Source>
    </>
  ),
  question: {
    question: (
      <p>
        A word has two dependents on its left and two on its right, and these have none themselves. How many derivations
        does arc-standard have for this tree?
      </p>
    ),
    answers: ["2", "4", "6"],
    right: 2,
    because:
      "The dependents of one side must be attached from the inside out, so only the interleaving is free: 4! / (2! 2!) = 6. Make such a sentence in Step through and look at its graph.",
    hint: "The order within one side is fixed. In how many ways can two ordered pairs be merged into one sequence of four?",
  },
};
