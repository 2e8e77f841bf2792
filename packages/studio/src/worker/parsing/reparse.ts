import { type Pipeline, Sentence } from "@stemma/core";
import type { Requests } from "../../protocol/requests.js";
import type { Tree } from "../../protocol/sentence.js";
import { treeOf } from "./parse.js";

/** As `stemma parse --keep` does it: what is fixed stays, the rest is found anew around it. */
export function reparse({ sentence: json, fixed }: Requests["reparse"]["ask"], pipeline: Pipeline): Tree {
  const refused = pipeline.model.refusal("heads");
  if (refused) throw new Error(refused);
  const sentence = Sentence.from(json, { allowNonTrees: true });
  return treeOf(pipeline.annotate(sentence, { keep: fixed }));
}
