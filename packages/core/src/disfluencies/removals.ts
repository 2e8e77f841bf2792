import type { Annotation } from "../treebank/sentence/parsed-tree.js";
import type { Sentence } from "../treebank/sentence/sentence.js";
import { withRemoval } from "./removed-words.js";

/** As what each word of a sentence was removed, 0 for those that stay: `Removed=RP` in MISC. */
export class Removals implements Annotation {
  constructor(private readonly removed: Uint8Array) {}

  writeTo(sentence: Sentence): void {
    if (sentence.layout.misc < 0) return;
    for (let i = 1; i <= sentence.length; i++) {
      const misc = withRemoval(sentence.misc(i), this.removed[i]!);
      if (misc !== sentence.misc(i)) sentence.set("misc", i, misc);
    }
  }

  isIn(sentence: Sentence): boolean {
    return sentence.words.some(({ index }) => sentence.misc(index).includes("Removed="));
  }
}
