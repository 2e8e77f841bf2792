import { Go, Source, T, Use } from "./Lesson.js";
import type { LessonText } from "./lesson-text.js";

export const dynamicOracles: LessonText = {
  summary: "How the cost of a transition is found: which arcs it puts out of reach, one by one or together.",
  Text: () => (
    <>
      <p>
        To know the cost of a transition one need not try all derivations. In arc-eager it suffices to ask which gold
        arcs the transition puts <b>out of reach</b>: an arc is within reach as long as its head and its dependent can
        still meet. Point at a transition that costs something: the arcs that it loses are drawn as dotted lines, and
        named below its name.
      </p>
      <p>
        After <Go to={4}>step 4</Go> “the” is on top of the stack, and “mayor” at the front of the buffer:
      </p>
      <ul>
        <li>
          <T>LEFT-ARC</T> builds a gold arc, and “the”, which leaves, has no other gold arcs. It costs nothing.
        </li>
        <li>
          <T>RIGHT-ARC</T> gives “mayor” a head, so “sent → mayor” is lost; and “mayor” moves to the stack, above “the”,
          so “mayor → the” is lost. It costs 2.
        </li>
        <li>
          <T>SHIFT</T> moves “mayor” to the stack: then it can get no head there, nor “the” below it. It costs the same
          two arcs.
        </li>
      </ul>
      <p>
        Each transition has such a list: the arcs between the word that moves and those that it can no longer meet. The
        cost is the number of gold arcs on it, found in linear time. This is right because arc-eager is{" "}
        <b>arc-decomposable</b>: if every arc of a projective tree is within reach, all of them are <b>together</b>.
        Arc-hybrid is, too (<Use wish={{ name: "arc-hybrid" }}>look</Use>, and{" "}
        <Use wish={{ name: "arc-eager" }}>back</Use>).
      </p>
      <p>
        <b>Arc-standard</b> is not. There, two arcs may each be within reach and yet exclude one another, because the
        words on the stack can be combined in one order only. Its oracle has to look at combinations, by dynamic
        programming over the stack; and it may be open <i>which</i> arc is lost: “loses one of”.
      </p>
      <p>
        The correct transitions on the way to the gold tree, those without cost as long as nothing is lost, are a{" "}
        <b>non-deterministic oracle</b>: it knows all derivations of the tree, but not what to do after a mistake. In{" "}
        <i>Step through</i> you can let each of the three oracles decide.
      </p>
      <Source>
        Goldberg &amp; Nivre 2013, “Training Deterministic Parsers with Non-Deterministic Oracles”; Goldberg, Sartorio
        &amp; Satta 2014, “A Tabular Method for Dynamic Oracles in Transition-Based Parsing”.
      </Source>
    </>
  ),
  question: {
    question: <p>What does a non-deterministic oracle not know that a dynamic oracle knows?</p>,
    answers: [
      "Which transitions lead to the gold tree if there are several.",
      "The labels of the arcs.",
      "What is best in a configuration from which the gold tree can no longer be reached.",
    ],
    right: 2,
    because:
      "It is defined as long as the gold tree can be reached. A dynamic oracle also knows the nearest tree that can be reached after a mistake.",
    hint: "Both permit several transitions. Think of what happens after a wrong one.",
  },
};
