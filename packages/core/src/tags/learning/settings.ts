// Settings of parsers by tags, and what they have no use for.
import { choice, type Given, type SettingGroup } from "../../checks/settings.js";
import { TRANSITION_SETTINGS } from "../../graph/learning/settings.js";
import { ENCODINGS } from "../encodings/encodings.js";
import { isTags } from "../tags-header.js";

/** How the weights of a linear parser by tags are learned. */
export const TAGS_LEARNER = "perceptron";

/** Settings with other defaults than for transitions; chosen on the development part of Greek. */
export const TAGS_DEFAULTS = { learner: TAGS_LEARNER, margin: 20, minUpdates: 2 } as const;

export const TAGS_SETTINGS = {
  encoding: choice(ENCODINGS, {
    help: "how trees become tags; hierarchical and hexatags are for projective trees, two-planes for all but a few",
    topic: "tags",
    default: "two-planes",
    needs: { works: isTags, needs: "{system tags}" },
  }),
};

export const tagsSettings: SettingGroup = {
  settings: TAGS_SETTINGS,
  rules: [
    {
      settings: TRANSITION_SETTINGS,
      works: (given) => !isTags(given),
      needs: "a transition system, not {system tags}",
    },
    {
      settings: ["members"],
      works: (given) => !isTags(given) || given.pipeline === true,
      needs: "a linear model with a transition system, or {pipeline}",
    },
    {
      settings: ["wordDropout"],
      works: (given) => !isTags(given) || given.network === true,
      needs: "a transition system, or {network}",
    },
  ],
  defaults: (given: Given) => (isTags(given) ? TAGS_DEFAULTS : {}),
};
