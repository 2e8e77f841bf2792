// The sets of the CoNLL 2018 shared task (Zeman et al. 2018, section 4), version 1.2 of its scorer. What is in neither
// set of labels, such as punct, counts for UAS and LAS only.

const CONTENT = new Set(
  (
    "nsubj obj iobj csubj ccomp xcomp obl vocative expl dislocated advcl advmod discourse nmod appos nummod acl amod " +
    "conj fixed flat compound list parataxis orphan goeswith reparandum root dep"
  ).split(" "),
);

const FUNCTIONAL = new Set("aux cop mark det clf case cc".split(" "));

const FEATURES = new Set(
  (
    "PronType NumType Poss Reflex Foreign Abbr Gender Animacy Number Case Definite Degree VerbForm Mood Tense Aspect " +
    "Voice Evident Polarity Person Polite"
  ).split(" "),
);

/** How labels are compared: as they are written, or only the part before ":", as the CoNLL 2018 scorer does. */
export const LABEL_SETS = ["universal", "full"] as const;
/** One of `LABEL_SETS`. */
export type LabelSet = (typeof LABEL_SETS)[number];

/** A dependency label as the scores see it. */
export interface Label {
  /** The text that is compared and shown. */
  readonly name: string;
  /** As it is written. */
  readonly full: string;
  readonly content: boolean;
  readonly functional: boolean;
}

/** Returns a function that looks a written label up; the same label always gives the same object. */
export function labelReader(labels: LabelSet): (written: string) => Label {
  const known = new Map<string, Label>();
  return (written) => {
    let label = known.get(written);
    if (label === undefined) {
      const universal = written.split(":", 1)[0]!;
      const name = labels === "full" ? written : universal;
      label = { name, full: written, content: CONTENT.has(universal), functional: FUNCTIONAL.has(universal) };
      known.set(written, label);
    }
    return label;
  };
}

/** Whether two FEATS columns have the same universal features, in any order. */
export function sameUniversalFeatures(a: string, b: string): boolean {
  return a === b || universalFeatures(a) === universalFeatures(b);
}

function universalFeatures(feats: string): string {
  return feats
    .split("|")
    .filter((feature) => FEATURES.has(feature.split("=", 1)[0]!))
    .sort()
    .join("|");
}
