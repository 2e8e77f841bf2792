import { list, record, strings } from "../../checks/header-fields.js";
import { check, checkTexts } from "../../checks/options.js";
import { holding } from "../../checks/shapes.js";
import { detached } from "../../math/detached.js";
import { hashString, NO_FEATURE, scramble } from "../../math/hash.js";
import type { LinearModel, Scorer } from "../../scoring/linear/linear-model.js";
import { linearWeights } from "../../scoring/linear/linear-weights.js";
import type { Codec, Part } from "../../storage/part.js";
import { stored } from "../../storage/store.js";
import { applyScript, isEditScript } from "./edit-script.js";

/** Everything about a lemmatizer but its weights. */
export interface LemmatizerHeader {
  /** The edit scripts: the classes of the linear model, most frequent first. */
  scripts: string[];
  /** Words of the training data that the scripts get wrong, as a flat list of form, UPOS and lemma. */
  exceptions: string[];
}

/** The header of a lemmatizer, checked; throws a RangeError that names the field. */
export function checkLemmatizerHeader(value: unknown): LemmatizerHeader {
  const header = record(value, "lemmatizer");
  const scripts = strings(header.scripts, "lemmatizer.scripts");
  scripts.forEach((script, k) => {
    // No lemma is empty.
    if (!isEditScript(script) || script === "=") {
      throw new RangeError(`invalid lemmatizer.scripts[${k}]: ${JSON.stringify(script)} (expected an edit script)`);
    }
  });
  if (scripts.length === 0) throw new RangeError("invalid lemmatizer.scripts: none (expected at least one)");
  const exceptions = strings(list(header.exceptions, "lemmatizer.exceptions"), "lemmatizer.exceptions");
  if (exceptions.length % 3 !== 0) {
    throw new RangeError(`invalid lemmatizer.exceptions: ${exceptions.length} strings (expected a multiple of 3)`);
  }
  return { scripts, exceptions };
}

/** A trained lemmatizer. @opaque */
export class LemmatizerModel implements Part {
  /** Lemma by form and UPOS. */
  readonly exceptions = new Map<string, string>();

  constructor(
    readonly header: LemmatizerHeader,
    readonly linear: LinearModel,
  ) {
    const { exceptions } = header;
    for (let k = 0; k + 2 < exceptions.length; k += 3) {
      this.exceptions.set(`${exceptions[k]}\t${exceptions[k + 1]}`, exceptions[k + 2]!);
    }
  }

  /** How it is stored in a file. */
  get codec(): Codec {
    return lemmatizerCodec;
  }

  /** Number of classes of the linear model. */
  get classCount(): number {
    return this.header.scripts.length;
  }
}

export const lemmatizerCodec: Codec = {
  part: "lemmatizer",
  take: ({ header, linear, classCount }: LemmatizerModel) => ({
    header,
    content: [stored(linearWeights(classCount), linear)],
  }),
  open(value) {
    const header = checkLemmatizerHeader(value);
    return {
      stores: [linearWeights(header.scripts.length)],
      make: (linear: LinearModel) => new LemmatizerModel(header, linear),
    };
  },
};

/** Forms and lemmas kept at once, and the longest form that is kept. */
const MOST_KEPT = 1 << 15;
const LONGEST_KEPT = 64;

interface Kept {
  upos: string;
  xpos: string;
  feats: string;
  lemma: string;
  next: Kept | undefined;
}

/** Gives the lemma for a form and its tags. */
export class Lemmatizer {
  private readonly scorer: Scorer;
  private readonly kept = new Map<string, Kept>();
  private readonly tags = new Map<string, string>();
  private count = 0;

  constructor(readonly model: LemmatizerModel) {
    check("model", model, holding("the model of a lemmatiser", "linear", "exceptions"));
    this.scorer = model.linear.scorer();
  }

  lemma(form: string, upos: string, xpos: string, feats: string): string {
    checkTexts({ form, upos, xpos, feats });
    for (let k = this.kept.get(form); k; k = k.next) {
      if (k.upos === upos && k.xpos === xpos && k.feats === feats) return k.lemma;
    }
    const lemma = this.model.exceptions.get(`${form}\t${upos}`) ?? this.predicted(form, upos, xpos, feats);
    if (form.length > LONGEST_KEPT) return lemma;
    if (this.count++ >= MOST_KEPT) {
      this.kept.clear();
      this.tags.clear();
      this.count = 1;
    }
    const next = this.kept.get(form);
    const tags = { upos: this.ownTag(upos), xpos: this.ownTag(xpos), feats: this.ownTag(feats) };
    this.kept.set(detached(form), { ...tags, lemma: detached(lemma), next });
    return lemma;
  }

  /**
   * A copy of a tag, the same for all words that have it: tags may be given with the words, and cut out of a text as
   * they are.
   */
  private ownTag(tag: string): string {
    let own = this.tags.get(tag);
    if (own === undefined) this.tags.set((own = detached(tag)), own);
    return own;
  }

  /** The result of the best script that can be applied to the form. */
  byScript(form: string, upos: string, xpos: string, feats: string): string {
    checkTexts({ form, upos, xpos, feats });
    return this.predicted(form, upos, xpos, feats);
  }

  private predicted(form: string, upos: string, xpos: string, feats: string): string {
    const { scorer } = this;
    readLemmaFeatures(form, upos, xpos, feats, scorer.features);
    scorer.scoreFeatures(LEMMA_FEATURES);
    return bestLemma(this.model.header.scripts, scorer.scores, form);
  }
}

/** The lemma by the best-scoring script that can be applied; the form itself if there is none. */
function bestLemma(scripts: readonly string[], scores: Int32Array, form: string): string {
  // From the best to the worst, equally good ones by number.
  let last = -1;
  for (let tries = 0; tries < scripts.length; tries++) {
    let best = -1;
    for (let s = 0; s < scripts.length; s++) {
      const done = last >= 0 && (scores[s]! > scores[last]! || (scores[s] === scores[last] && s <= last));
      if (!done && (best < 0 || scores[s]! > scores[best]!)) best = s;
    }
    const lemma = applyScript(scripts[best]!, form);
    if (lemma !== undefined) return lemma;
    last = best;
  }
  return form;
}

const SUFFIXES = 6;
const PREFIXES = 3;
const ALONE = 4 + SUFFIXES + PREFIXES;
/** Each alone, with UPOS, and with all tags: where those with UPOS and those with all tags begin. */
export const WITH_UPOS = ALONE;
export const WITH_TAGS = 2 * ALONE;
export const LEMMA_FEATURES = 3 * ALONE;

/** Write the features of a form with its tags. Of a long form only the two ends are looked at. */
export function readLemmaFeatures(form: string, upos: string, xpos: string, feats: string, features: Int32Array): void {
  const start = form.slice(0, 32).toLowerCase();
  const end = form.slice(-32).toLowerCase();
  const short = form.length > 64 ? form.slice(0, 64) : form;
  const tag = hashString(upos);
  const tags = hashString(feats, hashString(xpos, tag));
  let f = 0;
  for (const context of [1, tag, tags]) {
    features[f++] = mix(1, 1, context);
    features[f++] = mix(2, hashString(short), context);
    features[f++] = mix(3, shapeOf(short), context);
    features[f++] = mix(4, Math.min(form.length, 6), context);
    for (let k = 1; k <= SUFFIXES; k++) {
      features[f++] = k <= end.length ? mix(4 + k, hashString(end.slice(-k)), context) : NO_FEATURE;
    }
    for (let k = 1; k <= PREFIXES; k++) {
      features[f++] = k <= start.length ? mix(16 + k, hashString(start.slice(0, k)), context) : NO_FEATURE;
    }
  }
}

function mix(seed: number, value: number, context: number): number {
  return scramble(Math.imul(value + Math.imul(seed, 0x85ebca6b), 0x9e3779b1) ^ context);
}

/** Whether the form has capitals: none, the first letter only, others too, all. */
function shapeOf(form: string): number {
  const lower = form.toLowerCase();
  if (lower === form) return 1;
  if (form.slice(1) === lower.slice(1)) return 2;
  return form.toUpperCase() === form ? 3 : 4;
}
