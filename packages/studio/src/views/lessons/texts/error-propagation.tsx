import { Go, Source, T } from "./Lesson.js";
import type { LessonText } from "./lesson-text.js";

export const errorPropagation: LessonText = {
  summary: "How one wrong transition leads to more, and how training can prepare for it.",
  Text: () => (
    <>
      <p>
        A greedy parser never takes anything back. Under “What if” there are two derivations beside the original one.
        Both go wrong in a single step, and then the oracle makes the best of it.
      </p>
      <p>
        In <b>branch 1</b> “bridge” leaves the stack after <Go to={14}>step 14</Go>, although “mill” should depend on
        it. That costs one arc, and all others can still be had: a mistake need not do more harm than itself. In{" "}
        <b>branch 2</b> “watched” is shifted after <Go to={1}>step 1</Go>, although “They” waits for it on the stack.
        That costs <b>three</b> arcs at once, before the parser has looked at the rest of the sentence.
      </p>
      <p>
        A real parser fares worse than that, because it does not know the best way on. If it was trained on the
        derivations of a <b>static oracle</b>, all configurations that it ever saw were without mistakes. After the
        first mistake it is in one that it was not prepared for, where the next mistake is more likely: this is{" "}
        <b>error propagation</b>.
      </p>
      <p>
        <b>Exploration</b> is the remedy: in training, follow the parser's own choices some of the time, wrong ones
        included, and let the dynamic oracle say what is best from there. The parser then learns what to do after a
        mistake. Only a dynamic oracle can give that answer.
      </p>
      <p>
        Make a mistake of your own: choose the original, click a transition that costs something, and choose{" "}
        <i>Finish with oracle</i>. For example <T>SHIFT</T> after <Go to={9}>step 9</Go>.
      </p>
      <Source>
        Goldberg &amp; Nivre 2013, “Training Deterministic Parsers with Non-Deterministic Oracles”; McDonald &amp; Nivre
        2007 describe the errors.
      </Source>
    </>
  ),
  question: {
    question: <p>Why does a parser that was trained with a static oracle do badly after a mistake?</p>,
    answers: [
      "The configurations that follow a mistake did not occur in its training.",
      "After a mistake the gold tree is no longer projective.",
      "The static oracle permits only one root.",
    ],
    right: 0,
    because:
      "It learned from perfect derivations alone. With exploration it also learns from configurations that its own mistakes lead to.",
    hint: "Think of which configurations the parser saw while it learned.",
  },
};
