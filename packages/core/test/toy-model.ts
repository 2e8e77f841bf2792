import type { Extractor } from "../src/features/extractor.js";
import { parseTemplates } from "../src/features/templates.js";
import type { ModelHeader } from "../src/parser/model-header.js";
import { ParserModel } from "../src/parser/parser.js";
import { describeSystem } from "../src/registry/systems.js";
import { FeatureScorer } from "../src/scoring/feature-scorer.js";
import { LinearModel } from "../src/scoring/linear/linear-model.js";
import { Decider } from "../src/search/decider.js";
import { GreedyParser } from "../src/search/greedy-parser.js";
import { readTreebank } from "../src/treebank/formats/reader.js";

const words = (...lines: string[]) =>
  `${lines.map((line, i) => `${i + 1}\t${line.replaceAll(" ", "\t")}\t_\t_\t_\t_\t_`).join("\n")}\n\n`;

/** Tagged sentences without trees, with comments, a multiword token and an empty node. */
export const TAGGED = [
  `# sent_id = a\n# text = The old boat sank .\n${words("The the DET DT", "old old ADJ JJ", "boat boat NOUN NN", "sank sink VERB VBD", ". . PUNCT .")}`,
  `# text = dámelo\n1-3\tdámelo\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No\n${words("da dar VERB _", "me yo PRON _", "lo él PRON _")}`,
  words("Wait wait VERB VB"),
  "1\tLate\tlate\tADV\tRB\t_\t0\troot\t0:root\tScore=0.1|Gloss=x\n2\twe\twe\tPRON\tPRP\t_\t1\tdep\t1:dep\t_\n2.1\tleft\t_\t_\t_\t_\t_\t_\t0:root\t_\n\n",
].join("");

/**
 * A model with made-up weights for the features that come up in TAGGED: it decides at random, but always the same.
 * Needs no training.
 */
export function toyModel(changes: Partial<ModelHeader> = {}): ParserModel {
  const header: ModelHeader = {
    system: "arc-hybrid",
    root: "last",
    templates: "s0.upos b0.upos\ns0.form; b0.form dist(s0,b0)\ns0l.label b0.xpos; s0.lemma",
    labels: ["root", "dep", "nsubj", "punct", "det"],
    leftLabels: [0, 1, 2, 4],
    rightLabels: [1, 2, 3],
    origin: { data: "made up", licence: "none" },
    ...changes,
  };
  const empty = new ParserModel(
    header,
    LinearModel.from(() => {}),
  );
  const rows = new Map<number, number[]>();
  const noise = (key: number, cls: number) => (Math.imul(key ^ Math.imul(cls + 1, 0x9e3779b1), 0x2c1b3c6d) >> 20) / 8;
  const scores = new Int32Array(empty.classes.size);
  const score = (extractor: Extractor): void => {
    scores.fill(0);
    for (const key of extractor.hash()) {
      if (!rows.has(key))
        rows.set(
          key,
          Array.from(scores, (_, cls) => (cls % 3 ? noise(key, cls) : 0)),
        );
      rows.get(key)!.forEach((weight, cls) => {
        scores[cls]! += weight;
      });
    }
  };
  const templates = parseTemplates(header.templates, "toy", describeSystem(header.system).context);
  const parser = new GreedyParser(
    new Decider(empty.system, empty.classes, new FeatureScorer(templates, scores, score)),
  );
  for (const sentence of readTreebank(TAGGED)) parser.parse(sentence, 0);
  const linear = LinearModel.from((visit) => {
    for (const [key, weights] of rows) {
      weights.forEach((weight, cls) => {
        visit(key, cls, weight);
      });
    }
  });
  return new ParserModel(header, linear);
}
