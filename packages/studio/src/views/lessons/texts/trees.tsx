import { Go, Source } from "./Lesson.js";
import type { LessonText } from "./lesson-text.js";

export const trees: LessonText = {
  summary: "What a parser is to find: heads, dependents, arcs, labels, and why they form a tree.",
  Text: () => (
    <>
      <p>
        In a sentence words depend on each other. “bread” says what the gulls stole, so it depends on “stole”: “stole”
        is its <b>head</b>, “bread” a <b>dependent</b> of “stole”. In the drawing an <b>arc</b> leads from the head to
        the dependent, and its arrow points to the dependent. The <b>label</b> says how they are related: “bread” is the
        object (obj) of “stole”, “gulls” its subject (nsubj).
      </p>
      <p>
        How does one find the head of a phrase? It is the word that is left when the others are taken away: “the baker’s
        bread” is a kind of bread, so “bread” is its head. Point at a word to see its head and its dependents.
      </p>
      <p>
        One word depends on no other: the <b>root</b>, here “stole”. It hangs on an artificial node, ROOT, so that every
        word has a head. All arcs together are the <b>dependency tree</b>. Why a tree? Because
      </p>
      <ul>
        <li>each word has exactly one head: the question “what does it belong to?” has one answer;</li>
        <li>no word depends on itself, not even by way of others: there are no cycles.</li>
      </ul>
      <p>
        So every word is reached from ROOT in exactly one way, and a word with all that depends on it, directly or not,
        is a phrase. Eight words have eight arcs: a tree is as many decisions as there are words.
      </p>
      <p>
        A tree that people drew, according to written guidelines, is a <b>gold tree</b>; a collection of them is a{" "}
        <b>treebank</b>. Parsers learn from gold trees and are measured by them: by the share of words that get the
        right head (UAS), or the right head and label (LAS). <i>Gold tree</i> above the drawing shows it below the
        words, while the parser beside this text <Go to={0}>begins with nothing</Go> and{" "}
        <Go to={16}>ends with the whole tree</Go>. The next lesson shows how.
      </p>
      <Source>
        Nivre 2005, “Dependency Grammar and Dependency Parsing”; de Marneffe, Manning, Nivre &amp; Zeman 2021,
        “Universal Dependencies”.
      </Source>
    </>
  ),
  question: {
    question: <p>Why does “the” depend on “baker” and not on “bread”?</p>,
    answers: [
      "“baker” is nearer to it.",
      "It says which baker, not which bread: “the baker” is a phrase of its own.",
      "“bread” already has a dependent.",
    ],
    right: 1,
    because:
      "“the baker” stands for somebody, whose bread it is. A head may have any number of dependents, and the nearest word is often not the head.",
    hint: "Leave something out: what is left of “the baker” without “bread”, and of “the bread” without “baker”?",
  },
};
