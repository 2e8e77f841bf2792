import type { Words } from "../features/columns.js";
import { Extractor } from "../features/extractor.js";
import type { TemplateSet } from "../features/templates.js";
import type { Configuration } from "../systems/configuration.js";
import type { Move } from "../systems/transition.js";
import type { ConfigurationScorer } from "./scorer.js";

/** Scores configurations by the features of templates. */
export class FeatureScorer implements ConfigurationScorer {
  readonly extractor: Extractor;

  /**
   * `run` turns what was extracted into `scores`; `values` is where the values of the atoms go, if that has a place for
   * them.
   */
  constructor(
    templates: TemplateSet,
    readonly scores: Int32Array,
    private readonly run: (extractor: Extractor) => void,
    values?: Int32Array,
    readonly logUnit?: number | undefined,
  ) {
    this.extractor = new Extractor(templates, values);
  }

  bind(words: Words): void {
    this.extractor.bind(words);
  }

  score(c: Configuration, move: Move): void {
    this.extractor.extract(c, move);
    this.run(this.extractor);
  }
}
