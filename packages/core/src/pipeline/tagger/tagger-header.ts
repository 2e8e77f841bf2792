import { index, list, record, strings } from "../../checks/header-fields.js";

/** Everything about a tagger but its weights. */
export interface TaggerHeader {
  upos: string[];
  xpos: string[];
  feats: string[];
  /**
   * The analyses: tag, then indices of UPOS, XPOS and FEATS. Tags are numbered from 0, and the analyses of a tag follow
   * each other.
   */
  analyses: [tag: number, upos: number, xpos: number, feats: number][];
  /** Lower-cased words that are frequent in the training data, grouped by the set of tags that they have there. */
  words: string[][];
}

/** The header of a tagger, checked; throws a RangeError that names the field. */
export function checkTaggerHeader(value: unknown): TaggerHeader {
  const header = record(value, "tagger");
  const upos = strings(header.upos, "tagger.upos");
  const xpos = strings(header.xpos, "tagger.xpos");
  const feats = strings(header.feats, "tagger.feats");
  const words = list(header.words, "tagger.words").map((group, k) => strings(group, `tagger.words[${k}]`));
  let last = -1;
  const analyses = list(header.analyses, "tagger.analyses").map((item, k): [number, number, number, number] => {
    const field = `tagger.analyses[${k}]`;
    const numbers = list(item, field);
    if (numbers.length !== 4) throw new RangeError(`invalid ${field}: ${numbers.length} numbers (expected 4)`);
    const tag = index(numbers[0], last + 2, `${field}[0]`);
    if (tag < last) throw new RangeError(`invalid ${field}[0]: ${tag} (expected ${last} or ${last + 1})`);
    last = tag;
    return [
      tag,
      index(numbers[1], upos.length, `${field}[1]`),
      index(numbers[2], xpos.length, `${field}[2]`),
      index(numbers[3], feats.length, `${field}[3]`),
    ];
  });
  if (analyses.length === 0) throw new RangeError("invalid tagger.analyses: none (expected at least one)");
  return { upos, xpos, feats, analyses, words };
}
