import { Go, Source, T, Use } from "../Lesson.js";
import type { LessonText } from "../lesson-text.js";
import { WhenBuilt } from "./WhenBuilt.js";

export const arcEager: LessonText = {
  summary: "Two ways to the same tree: waiting for all dependents, or attaching a word as soon as its head is there.",
  Below: ({ sentence }) => <WhenBuilt sentence={sentence} names={["arc-standard", "arc-eager"]} />,
  Text: () => (
    <>
      <p>
        Arc-standard attaches a word to a head on its left only when the word has all its own dependents. In “found the
        key to the door of the cellar” that means waiting for the last noun. <b>Arc-eager</b> attaches as soon as head
        and dependent meet, at the top of the stack and the front of the buffer:
      </p>
      <ul>
        <li>
          <T>LEFT-ARC</T>: the front of the buffer becomes the head of the top of the stack, which leaves the stack. The
          top must not have a head yet.
        </li>
        <li>
          <T>RIGHT-ARC</T>: the top of the stack becomes the head of the front of the buffer, which moves to the stack
          and <b>stays</b> there.
        </li>
        <li>
          <T>REDUCE</T>: the top of the stack leaves. It must have a head.
        </li>
        <li>
          <T>SHIFT</T>: the front of the buffer moves to the stack.
        </li>
      </ul>
      <p>
        The table below the derivation says when each system builds each arc. “found → key” is there in{" "}
        <Go to={6}>step 6</Go> of <Use wish={{ name: "arc-eager" }}>arc-eager</Use>, long before the noun phrase is
        complete; <Use wish={{ name: "arc-standard" }}>arc-standard</Use> has it in step 19, after everything within the
        phrase. Arcs to the left are built at nearly the same time by both.
      </p>
      <p>
        The price is a harder decision: after <Go to={5}>step 5</Go> arc-eager has to know that “key” depends on “found”
        before it has seen what follows.
      </p>
      <Source>
        Nivre 2003, “An Efficient Algorithm for Projective Dependency Parsing”; Nivre 2008 compares the two.
      </Source>
    </>
  ),
  question: {
    question: <p>Arc-eager needs REDUCE, arc-standard does without it. Why?</p>,
    answers: [
      "Arc-eager has more words on the stack at the beginning.",
      "Without REDUCE, words could get two heads.",
      "A word that RIGHT-ARC attached stays on the stack for its own dependents, and something has to remove it later.",
    ],
    right: 2,
    because:
      "In arc-standard a word leaves the stack with the arc that attaches it. In arc-eager, attaching and leaving are two transitions for dependents on the right.",
    hint: "Compare what RIGHT-ARC does to the dependent in the two systems.",
  },
};
