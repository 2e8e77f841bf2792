import { Go, Source, T } from "../Lesson.js";
import type { LessonText } from "../lesson-text.js";

export const attardi: LessonText = {
  summary: "Arcs between words that are not neighbours on the stack build some crossing arcs.",
  Text: () => (
    <>
      <p>
        Arc-standard builds arcs between the two topmost words of the stack only. Attardi adds transitions that reach
        further down: <T>LEFT-ARC-2</T> and <T>RIGHT-ARC-2</T> build an arc between the top and the third word from the
        top, over the word between them. The dependent leaves the stack, and the word between stays where it is.
      </p>
      <p>
        After <Go to={13}>step 13</Go> “storm”, “came” and “flooded” are on the stack, and the relative clause is
        complete. “flooded” depends on “storm”, but “came” is between them. Arc-standard is stuck here;{" "}
        <T>RIGHT-ARC-2</T> <Go to={14}>builds the arc</Go> at once. It takes 18 transitions, as many as arc-standard
        takes for nine words: nothing is moved out of the way.
      </p>
      <p>
        The <b>degree</b> says how far arcs may reach: 2 for one word between, 3 for two. Where more words are between
        the two, the arc cannot be built. Of the trees with crossing arcs in the English treebank EWT, degree 2 builds
        nine in ten; in the Dutch treebank LassySmall six in ten, and degree 3 eight in ten.
      </p>
      <p>
        The price is a larger choice: up to <Go to={8}>five transitions</Go> instead of three, and the new ones are
        rare, so a model sees few examples of them.
      </p>
      <Source>
        Attardi 2006, “Experiments with a Multilanguage Non-Projective Dependency Parser”, who has more transitions than
        these; Kuhlmann &amp; Nivre 2010 count what these can build; Gómez-Rodríguez, Sartorio &amp; Satta 2014 for the
        dynamic oracle.
      </Source>
    </>
  ),
  question: {
    question: (
      <p>
        After <Go to={11}>step 11</Go>, with degree 2, which two words can an arc of degree 2 connect?
      </p>
    ),
    answers: ["“cellars” and “the”.", "“cellars” and “came”.", "“cellars” and “flooded”."],
    right: 2,
    because: "“cellars” is the top and “the” is below it; the third word from the top is “flooded”.",
    hint: "Count from the top of the stack: the arc passes over one word.",
  },
};
