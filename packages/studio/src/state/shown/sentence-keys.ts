import type { TreebankPlace } from "../storage/changes.js";
import type { ShownSentence } from "./sentence.js";

/**
 * Keys that tell the sentences of a document apart. In a treebank it is the place in the file. In a text it is what the
 * sentence consists of, so that a tree made by hand stays with its sentence whatever is typed around it, and is there
 * again when the sentence is; of CoNLL-U the heads and labels count, too, so that no older tree hides what is typed
 * there. The same sentence again is counted.
 */
export function sentenceKeys(sentences: readonly ShownSentence[], place: TreebankPlace | undefined): string[] {
  const seen = new Map<string, number>();
  return sentences.map(({ forms, gold }, i) => {
    if (place) return String(place.index + i);
    const content = JSON.stringify([forms.slice(1), gold?.heads.slice(1), gold?.labels.slice(1)]);
    const times = seen.get(content) ?? 0;
    seen.set(content, times + 1);
    return times === 0 ? content : `${content} ${times + 1}`;
  });
}
