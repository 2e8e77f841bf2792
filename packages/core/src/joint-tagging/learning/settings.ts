// Settings of choosing tags or analyses along with the tree.
import { number } from "../../checks/options.js";
import { type Given, numeric, type SettingGroup, whole } from "../../checks/settings.js";
import { JOINT_DEFAULTS } from "../candidate-finder.js";

/** With this as `joint` the parser chooses tags where the tagger leaves several open. */
export const TAGS = "tags";
/** With this as `joint` the parser chooses whole analyses of words, not tags alone. */
export const MORPHOLOGY = "morphology";

/** Whether the parser chooses what the tagger leaves open. */
export function choosesTags({ joint }: { joint?: string | undefined }): boolean {
  return joint === TAGS || joint === MORPHOLOGY;
}

const CHOOSES = { works: choosesTags, needs: "{joint tags} or {joint morphology}" };

export const JOINT_TAGGING_SETTINGS = {
  tagsPerWord: whole(1, {
    help: "with {joint tags} or morphology: maximum number of candidates for a word",
    topic: "joint",
    default: JOINT_DEFAULTS.perWord,
    needs: CHOOSES,
  }),
  tagMargin: numeric(number(0), {
    help: "with {joint tags} or morphology: how far below the tagger's best score a candidate may be, in units of a typical score",
    topic: "joint",
    placeholder: "m",
    default: JOINT_DEFAULTS.margin,
    needs: CHOOSES,
  }),
};

export const jointTaggingSettings: SettingGroup = {
  settings: JOINT_TAGGING_SETTINGS,
  rules: [
    {
      settings: ["joint"],
      works: (given) => !choosesTags(given) || given.pipeline === true,
      needs: "{pipeline} for tags and morphology",
    },
    {
      settings: ["beam"],
      works: (given) => !choosesTags(given) || given.network === true || given.learner === "perceptron",
      needs: "{learner perceptron} with {joint tags} or morphology, or {network}",
    },
    {
      settings: ["singleSteps"],
      works: (given) => !choosesTags(given),
      needs: "no {joint tags} or morphology",
    },
    {
      settings: ["globalEpochs"],
      works: ({ network, globalEpochs = 0, ...given }) =>
        !choosesTags(given) || globalEpochs === (network ? 0 : given.epochs),
      needs: "no {joint tags} or morphology: a network learns these step by step, a linear model with all epochs",
    },
  ],
  defaults: (given: Given) => (choosesTags(given) ? { globalEpochs: given.network ? 0 : given.epochs } : {}),
};
