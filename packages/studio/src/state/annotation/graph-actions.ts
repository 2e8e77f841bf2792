// Changes to the enhanced graph of a sentence: empty nodes and arcs. All of it goes through the journal.

import type { Sentence } from "@stemma/core";
import { addEmptyNode, changeGraphArc, type GraphArc, removeEmptyNode, setEmptyNode } from "@stemma/core/treebank";
import { editSentence } from "../editing/treebank-edits.js";
import { say } from "../shown/say.js";
import type { EditableColumn } from "./actions.js";

const change = (k: number, edit: (sentence: Sentence) => Sentence) =>
  editSentence(k, "a change to the enhanced graph", (sentence) => ({ sentences: [edit(sentence)] }));

/** Adds an empty node after a word. */
export function addNode(k: number, word: number): boolean {
  const isAdded = change(k, (sentence) => addEmptyNode(sentence, word));
  if (isAdded) say("An empty node was added. Give it a form, and an arc in DEPS or in the drawing.");
  return isAdded;
}

export function removeNode(k: number, id: string): boolean {
  return change(k, (sentence) => removeEmptyNode(sentence, id));
}

export function setNodeColumn(k: number, id: string, column: EditableColumn, value: string): boolean {
  return change(k, (sentence) => setEmptyNode(sentence, id, column, value.trim()));
}

/** Adds, changes or removes an arc into a node. */
export function changeArc(k: number, dependent: string, before: GraphArc | undefined, after: GraphArc | undefined) {
  return change(k, (sentence) => changeGraphArc(sentence, dependent, before, after));
}
