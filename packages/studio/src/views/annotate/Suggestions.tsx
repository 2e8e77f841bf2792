import type { Sentence } from "@stemma/core";
import { CONFIDENT } from "../../protocol/treebank.js";
import { copyPrediction } from "../../state/annotation/actions.js";
import type { Reparsed } from "../../state/editing/reparse.js";
import { isolate } from "../../state/shown/direction.js";
import type { ShownSentence } from "../../state/shown/sentence.js";

/** Where the model is sure of something else than what is there. */
export function Suggestions({ k, sentence, data }: { k: number; sentence: Sentence; data: ShownSentence }) {
  const { predicted, confidence } = data;
  if (!predicted || !confidence) return null;
  const words = [];
  for (let d = 1; d <= sentence.length; d++) {
    const isOther = predicted.heads[d] !== sentence.head(d) || predicted.labels[d] !== sentence.deprel(d);
    if (isOther && confidence[d]! >= CONFIDENT) words.push(d);
  }
  if (words.length === 0) return null;
  return (
    <section class="suggestions" aria-label="Suggestions">
      <h3>The model is confident of something else</h3>
      <ul>
        {words.map((d) => (
          <li key={d}>
            <span>
              {arc(sentence, d, sentence.head(d), sentence.deprel(d))} →{" "}
              <b>{target(sentence, predicted.heads[d]!, predicted.labels[d]!)}</b>{" "}
              <small>{Math.round(100 * confidence[d]!)} %</small>
            </span>
            <button type="button" class="small" onClick={() => copyPrediction(k, d)}>
              Accept
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Arcs that the parser changed around a correction. */
export function ReparsedWords({ sentence, words }: { sentence: Sentence; words: readonly Reparsed[] }) {
  if (words.length === 0) return null;
  return (
    <section class="note reparsed" aria-label="Changed by the parser" role="status">
      <strong>
        The parser changed {words.length} {words.length === 1 ? "other arc" : "other arcs"}:
      </strong>
      <ul>
        {words.map(({ word, from, to }) => (
          <li key={word}>
            {arc(sentence, word, from.head, from.label)} → <b>{target(sentence, to.head, to.label)}</b>
          </li>
        ))}
      </ul>
    </section>
  );
}

function arc(sentence: Sentence, word: number, head: number, label: string): string {
  return `${isolate(sentence.form(word))}: ${target(sentence, head, label)}`;
}

function target(sentence: Sentence, head: number, label: string): string {
  if (head < 0) return "no head";
  return head === 0 ? "root" : `${label} of ${isolate(sentence.form(head))}`;
}
