import { Go, Source, T } from "./Lesson.js";
import type { LessonText } from "./lesson-text.js";

export const oracles: LessonText = {
  summary: "Who tells the parser what would have been right: canonical derivations, and the cost of each transition.",
  Text: () => (
    <>
      <p>
        Treebanks have trees, parsers learn transitions. An <b>oracle</b> translates. A <b>static oracle</b> gives one
        canonical derivation of the gold tree, and knows nothing about configurations outside of it.
      </p>
      <p>
        A <b>dynamic oracle</b> can be asked in any configuration. The <b>loss</b> of a configuration is the number of
        gold arcs that are missing in the best tree that can still be reached from it. The <b>cost</b> of a transition
        is the loss after it less the loss before it: how many more arcs it gives away. A transition that costs nothing
        is optimal, and there is always one.
      </p>
      <p>
        After <Go to={4}>step 4</Go>, <T>LEFT-ARC</T> is free, but <T>RIGHT-ARC</T> costs 2: “mayor” would get the wrong
        head, and “the” could no longer get the right one, because “mayor” would be above it on the stack. One wrong
        transition, two lost arcs.
      </p>
      <p>
        After <Go to={6}>step 6</Go> two transitions are free: <T>REDUCE</T> now, or <T>SHIFT</T> first and{" "}
        <T>REDUCE</T> later. A static oracle would call one of them wrong.
      </p>
      <p>
        Try it: take a transition that costs something, let the oracle finish, and compare the trees under “What if”.
      </p>
      <Source>
        Goldberg &amp; Nivre 2012, “A Dynamic Oracle for Arc-Eager Dependency Parsing”; 2013 for other systems.
      </Source>
    </>
  ),
  question: {
    question: <p>A derivation began with a loss of 0. What is the loss of its last configuration?</p>,
    answers: [
      "The sum of the costs of its transitions.",
      "The number of transitions that cost something.",
      "The largest cost of one of its transitions.",
    ],
    right: 0,
    because:
      "Each cost is a difference of losses, so they add up to the last loss: the gold arcs that the tree lacks. One mistake can cost several arcs.",
    hint: "The cost is the loss after a transition less the loss before it. What remains when you add up all of them?",
  },
};
