import { type Pipeline, Sentence } from "@stemma/core";
import type { Requests } from "../../protocol/requests.js";
import type { Tree } from "../../protocol/sentence.js";

/** As `stemma parse --keep` does it: what is fixed stays, the rest is found anew around it. */
export function reparse({ sentence: json, fixed }: Requests["reparse"]["ask"], pipeline: Pipeline): Tree {
  const refused = pipeline.model.refusal("heads");
  if (refused) throw new Error(refused);
  const sentence = Sentence.from(json, { allowNonTrees: true });
  const heads = new Int32Array(sentence.length + 1).fill(-1);
  const kept = new Array<string | undefined>(sentence.length + 1).fill(undefined);
  for (const word of fixed) {
    heads[word] = sentence.head(word);
    const label = sentence.deprel(word);
    if (label !== "_") kept[word] = label;
  }
  const constraints = { heads, labels: kept };
  pipeline.fillTags(sentence, false, constraints);
  const tree = pipeline.parser.parse(sentence, { constraints });
  return { heads: Array.from(tree.heads), labels: tree.labels };
}
