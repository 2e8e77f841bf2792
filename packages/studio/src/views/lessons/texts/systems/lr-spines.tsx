import { Go, Source, T, Use } from "../Lesson.js";
import type { LessonText } from "../lesson-text.js";
import { WhenBuilt } from "./WhenBuilt.js";

export const lrSpines: LessonText = {
  summary:
    "A word can be attached to any word at the edge of a tree on the stack, so nothing has to be decided too early.",
  Below: ({ sentence }) => <WhenBuilt sentence={sentence} names={["arc-standard", "lr-spines"]} />,
  Text: () => (
    <>
      <p>
        Arc-standard attaches a word only when it has all its own dependents, and nothing can be attached to it any
        more. LR-spines keeps that possible. The stack has whole trees, and the parser can see their edges: the{" "}
        <b>right spine</b> of a tree is its root, the rightmost dependent of the root, the rightmost dependent of that
        one, and so on; the <b>left spine</b> likewise. Spines are written below the roots on the stack.
      </p>
      <ul>
        <li>
          <T>RIGHT-ARC-k</T>: the top of the stack becomes a dependent of the k-th word on the right spine of the tree
          below it.
        </li>
        <li>
          <T>LEFT-ARC-k</T>: the tree below the top becomes a dependent of the k-th word on the left spine of the top.
        </li>
      </ul>
      <p>
        So “found” can be <Go to={4}>attached to ROOT</Go> as soon as it has its subject, long before “key” is read, and{" "}
        <T>RIGHT-ARC-2</T> <Go to={8}>attaches “key” to “found”</Go>, which is not on the stack itself but second on the
        right spine of ROOT. The arc is there in step 8, as early as its left dependents permit; arc-standard has it in
        step 19 (<Use wish={{ name: "arc-standard" }}>look</Use>, and <Use wish={{ name: "lr-spines" }}>back</Use>).
      </p>
      <p>
        After <Go to={19}>step 19</Go> the spine is ROOT, “found”, “key”, “door”: “cellar” may go to any of the last
        three, and the choice between them is the question of prepositional attachment, asked at one moment, with the
        whole phrase in sight. <T>RIGHT-ARC-4</T> attaches it to “door”. With the <Go to={22}>full stop</Go>, attached
        to “found”, the spine is cut: nothing can be attached to “key” any more, since it would cross.
      </p>
      <Source>
        Sartorio, Satta &amp; Nivre 2013, “A Transition-Based Dependency Parser Using a Dynamic Parsing Strategy”.
      </Source>
    </>
  ),
  question: {
    question: (
      <p>
        After <Go to={13}>step 13</Go> “door” is on the stack. To which word does <T>RIGHT-ARC-3</T> attach it?
      </p>
    ),
    answers: ["ROOT", "found", "key"],
    right: 2,
    because: "The right spine of the tree below is ROOT, “found”, “key”; the third word on it is “key”.",
    hint: "Read the right spine below ROOT on the stack, and count from its root.",
  },
};
