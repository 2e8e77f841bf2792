import { Go, Source, T } from "../Lesson.js";
import type { LessonText } from "../lesson-text.js";

export const shiftReduce: LessonText = {
  summary: "A stack, a buffer, three transitions: how a sentence becomes a tree from left to right.",
  Text: () => (
    <>
      <p>
        A transition-based parser reads a sentence once, from left to right. The words that it has not read yet wait in
        the <b>buffer</b>; those that it has begun to work on are on the <b>stack</b>. Together with the arcs built so
        far they are a <b>configuration</b>. It <Go to={0}>begins</Go> with only ROOT on the stack and ends when the
        buffer is empty and ROOT is alone again.
      </p>
      <p>Arc-standard, the system beside this text, has three transitions:</p>
      <ul>
        <li>
          <T>SHIFT</T> moves the first word of the buffer to the stack.
        </li>
        <li>
          <T>LEFT-ARC</T> makes the top of the stack the head of the word below it, which leaves the stack.
        </li>
        <li>
          <T>RIGHT-ARC</T> makes the word below the top the head of the top, which leaves the stack.
        </li>
      </ul>
      <p>
        After two shifts, <Go to={2}>“The” and “ferryman” meet</Go> on the stack, and <T>LEFT-ARC</T> attaches the
        determiner to its noun. A word leaves the stack when it gets its head, so by then it must have all its own
        dependents: trees grow <b>from the bottom up</b>. Each word is shifted once and gets one head, so a sentence of
        n words always takes 2n transitions: <Go to={12}>twelve</Go> for these six.
      </p>
      <Source>Nivre 2004, “Incrementality in Deterministic Dependency Parsing”; Nivre 2008 has the proofs.</Source>
    </>
  ),
  question: {
    question: (
      <p>
        After <Go to={5}>step 5</Go> ROOT and “rings” are on the stack, and ROOT is the head of “rings” in the gold
        tree. Why does the parser not take RIGHT-ARC at once?
      </p>
    ),
    answers: [
      "“rings” would leave the stack before “bell” and the full stop are attached to it.",
      "ROOT must not have dependents as long as words are in the buffer that have no head.",
      "SHIFT always comes before an arc when the buffer is not empty.",
    ],
    right: 0,
    because:
      "RIGHT-ARC takes the dependent off the stack. The dependents of “rings” that are still to come could never be attached to it.",
    hint: "Think of what happens to the dependent of RIGHT-ARC, and of which words still need “rings”.",
  },
};
