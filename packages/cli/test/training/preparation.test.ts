import { readTreebank } from "@stemma/core";
import { trainSegmenter } from "@stemma/core/training";
import { expect, test } from "vitest";
import { preparationScores } from "../../src/training/preparation.js";

/** "Mina can't row.", "Toru can't swim." and so on: each has a token of two words, within the sentence. */
const TREEBANK = ["Mina", "Toru", "Alma", "Ravi"]
  .flatMap((name) => ["row", "swim", "sail", "dive", "sing"].map((verb) => [name, verb]))
  .map(
    ([name, verb]) => `# text = ${name} can't ${verb}.
1\t${name}\t_\tPROPN\t_\t_\t4\tnsubj\t_\t_
2-3\tcan't\t_\t_\t_\t_\t_\t_\t_\t_
2\tca\t_\tAUX\t_\t_\t4\taux\t_\t_
3\tn't\t_\tPART\t_\t_\t4\tadvmod\t_\t_
4\t${verb}\t_\tVERB\t_\t_\t0\troot\t_\tSpaceAfter=No
5\t.\t_\tPUNCT\t_\t_\t4\tpunct\t_\t_

`,
  )
  .join("");

test("a token of several words ends no sentence of the gold text", () => {
  const gold = readTreebank(TREEBANK);
  const segmenter = trainSegmenter(gold, { epochs: 5 });
  expect(preparationScores({ segmenter }, gold, gold)).toMatchObject({ tokens: 100, sentences: 100 });
});
