import { type Pipeline, readTreebank, type Sentence } from "@stemma/core";
import { Agreement } from "@stemma/core/evaluation";
import { annotationDifferences } from "../../protocol/annotation-differences.js";
import type { Tree } from "../../protocol/sentence.js";
import type { Differing, OtherTree, TreeSource } from "../../protocol/treebank.js";
import { hasTree, treeOf } from "../parsing/parse.js";
import type { SentModel } from "../tasks/helpers.js";
import { type Task, watched } from "../tasks/task.js";
import type { TreebankFile } from "./treebank-file.js";

/** A second model and a second treebank, to compare with. */
export class OtherSide {
  /** The second model, and its bytes as they came, for helpers. */
  model: { pipeline: Pipeline; sent: SentModel } | undefined;
  private file: TreebankFile | undefined;
  /** The sentences of the file by sent_id and by their words. */
  private places = new Map<string, number>();

  async setFile(file: TreebankFile, task: Task): Promise<void> {
    const places = new Map<string, number>();
    for await (const [index, sentence] of file.sentences(task)) {
      for (const key of keysOf(sentence)) if (!places.has(key)) places.set(key, index);
    }
    this.file = file;
    this.places = places;
  }

  /** The tree that one of them has for a sentence, or why it has none. */
  async treeOf(source: "other-model" | "other-file", sentence: Sentence, retag = false): Promise<OtherTree> {
    if (source === "other-model") {
      if (!this.model) return { reason: "No second model is open." };
      return { tree: predictedBy(this.model.pipeline, sentence, retag) };
    }
    if (!this.file) return { reason: "No second file is open." };
    const keys = keysOf(sentence);
    const index = keys.map((key) => this.places.get(key)).find((one) => one !== undefined);
    if (index === undefined) return { reason: `${this.file.name} does not have this sentence.` };
    const other = await this.file.sentence(index);
    const text = other.toString();
    if (wordsOf(other) !== wordsOf(sentence)) {
      return { reason: `${this.file.name} has other words in this sentence, so the trees cannot be compared.`, text };
    }
    if (!hasTree(other)) return { reason: `${this.file.name} has no tree for this sentence.`, text };
    return { tree: treeOf(other), text };
  }
}

/** Keys that find a sentence in another file: its sent_id, else its words. */
function keysOf(sentence: Sentence): string[] {
  const words = `words ${wordsOf(sentence)}`;
  return sentence.id === undefined ? [words] : [`id ${sentence.id}`, words];
}

function wordsOf(sentence: Sentence): string {
  const forms: string[] = [];
  for (let i = 1; i <= sentence.length; i++) forms.push(sentence.form(i));
  return forms.join("\t");
}

/** The tree of a model, with the tags that are there and those of the model where there are none. */
function predictedBy(pipeline: Pipeline, sentence: Sentence, retag = false): Tree {
  return treeOf(pipeline.annotate(sentence, { retag }));
}

/** The sentences of a treebank for which two sources have different trees. */
export async function differingSentences(
  treebank: TreebankFile,
  pair: readonly [TreeSource, TreeSource],
  pipeline: Pipeline | undefined,
  other: OtherSide,
  task: Task,
): Promise<Differing | undefined> {
  const result: Omit<Differing, "agreement"> = { matches: [], words: [], compared: 0, missing: 0 };
  const agreement = new Agreement();
  let slice = performance.now();
  const watch = watched(task);
  const treeFrom = async (source: TreeSource, given: Sentence): Promise<{ tree: Tree; text?: string } | undefined> => {
    if (source === "gold") return hasTree(given) ? { tree: treeOf(given), text: given.toString() } : undefined;
    if (source === "model") return pipeline && { tree: predictedBy(pipeline, given) };
    const found = await other.treeOf(source, given);
    return "tree" in found ? found : undefined;
  };
  for await (const [index, sentences] of treebank.current(watch, () => true)) {
    let differing = 0;
    for (const sentence of sentences) {
      const [a, b] = [await treeFrom(pair[0], sentence), await treeFrom(pair[1], sentence)];
      if (!a || !b) result.missing++;
      else {
        result.compared++;
        for (let d = 1; d < a.tree.heads.length; d++) {
          agreement.add(a.tree.labels[d]!, b.tree.labels[d]!, a.tree.heads[d] === b.tree.heads[d]);
        }
        differing += differingWords(a, b).size;
      }
    }
    if (differing > 0) {
      result.matches.push(index);
      result.words.push(differing);
    }
    if (performance.now() - slice > 30) {
      if (!(await watch.tick(index / treebank.size))) break;
      slice = performance.now();
    }
  }
  return watch.isStopped ? undefined : { ...result, agreement: agreement.toJSON() };
}

/** The words with different arcs; of two files, those with any other value, too. */
function differingWords(a: { tree: Tree; text?: string }, b: { tree: Tree; text?: string }): Set<number> {
  const words = new Set<number>();
  a.tree.heads.forEach((head, d) => {
    if (d > 0 && (head !== b.tree.heads[d] || a.tree.labels[d] !== b.tree.labels[d])) words.add(d);
  });
  if (a.text === undefined || b.text === undefined) return words;
  const [first, second] = [a.text, b.text].map((text) => readTreebank(text, { allowNonTrees: true })[0]!);
  for (const { word } of annotationDifferences(first!, second!)) words.add(word);
  return words;
}
