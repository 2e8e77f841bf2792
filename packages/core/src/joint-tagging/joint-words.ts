import type { Words } from "../features/columns.js";
import type { TagChoices } from "./tag-choices.js";

/** Words with the tags that they may have, if these are open. UPOS, XPOS and FEATS are those of the chosen ones. */
export interface JointWords extends Words {
  readonly choices?: TagChoices | undefined;
}

/** A sentence of training data. */
export interface JointSentence extends JointWords {
  /** Which candidate of each word is right, -1 if none is. */
  readonly rightChoices?: Int32Array | undefined;
}
